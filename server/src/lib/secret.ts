import { createSecretKey, type KeyObject } from 'node:crypto';
import { inspect } from 'node:util';

/** A value that must not be printed. Logs, JSON and texts show `[secret]`; only `reveal` returns it. */
export class Secret {
  readonly #value: string;
  #key: KeyObject | undefined;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  /** For HMAC. Made once, because making a key costs as much as signing with it. */
  key(): KeyObject {
    this.#key ??= createSecretKey(this.#value, 'utf8');
    return this.#key;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}
