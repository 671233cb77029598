/**
 * An example of every operation: what is sent and what is answered, in the order in which a story sends them all to the
 * running service (server/test/example-story.ts). What is sent is written by hand, what is answered by that story.
 */
import { readFileSync } from 'node:fs';

export type Example = {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly reply: unknown;
};

export type Examples = {
  readonly operations: Readonly<Record<string, Example>>;
  /** Of events that the story causes: their bodies. */
  readonly events: Readonly<Record<string, unknown>>;
};

export const examplesFile = new URL('../examples.json', import.meta.url);

export const readExamples = (): Examples => JSON.parse(readFileSync(examplesFile, 'utf8')) as Examples;
