import { createSecretKey, type KeyObject } from 'node:crypto';
import { inspect } from 'node:util';

/** A value that must not be printed. Logging, JSON or string conversion show `[secret]`; only `reveal` gives it away. */
export class Secret {
  readonly #value: string;
  #key: KeyObject | undefined;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  /** For HMAC. Made once: preparing a key costs as much as signing with it. */
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
