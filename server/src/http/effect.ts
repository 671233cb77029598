/**
 * How a use case does what a request asks for: in one transaction, together with whatever makes the request good for
 * once, its signature and the answer of its Idempotency-Key. So both are there exactly when it has happened, whoever
 * dies when.
 *
 * Handlers get it from `carryOut` of their context and have no other way to remember an answer: one that opens a
 * transaction of its own is found by `api-kill.sampled.test.ts`, which lets every endpoint die after every commit.
 */
import type { Tx } from '../db/database.ts';

/** Opens the transaction. `db.begin` is one that remembers nothing, for whoever was asked by nobody. */
export type Begin<Result> = (work: (tx: Tx) => Promise<Result>) => Promise<Result>;

/** For whoever does the work of many requests in one transaction: called in it, with what came out for this one. */
export type Remember<Result> = (tx: Tx, result: Result) => Promise<void>;

export type Effect<Result> = {
  readonly begin: Begin<Result>;
  /** Null: there is nothing to remember. */
  readonly remember: Remember<Result> | null;
};

export type CarryOut<Reply> = <Result>(
  act: (effect: Effect<Result>) => Promise<Result>,
  /** Pure: it is told inside the transaction, and given again for a day. */
  toReply: (result: Result) => Reply | string,
) => Promise<string>;
