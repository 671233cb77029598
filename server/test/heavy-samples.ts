/** What a thread is asked to do in `heavy-work.test.ts`. */
import { invalidRequest } from '../src/lib/errors.ts';

export const echo = <T>(given: T): T => given;

export const isBuffer = (given: unknown): boolean => Buffer.isBuffer(given);

/** Until the first cell is no zero any more. */
export function wait(cells: Int32Array, name: string): string {
  Atomics.wait(cells, 0, 0);
  return name;
}

export function never(): never {
  for (;;);
}

export function die(): void {
  process.exit(3); // Of a thread it is the end of the thread only.
}

export function fill(): unknown {
  const all: unknown[] = [];
  for (;;) all.push(Array.from({ length: 1_000_000 }, () => all));
}

export function refuse(): void {
  throw invalidRequest('It is too large.');
}

export function fail(): void {
  throw new TypeError('a mistake');
}

/** Of the environment of the process. */
export const secretsSeen = (): string[] => Object.keys(process.env);
