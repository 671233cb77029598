/**
 * How a use case does what a request asks for: in one transaction, together with what makes the request happen only
 * once: its signature and the answer of its Idempotency-Key. So both are stored exactly when it has happened, whoever
 * dies at whatever moment.
 *
 * Handlers get it from `carryOut` of their context and have no other way to remember an answer.
 * `api-kill.sampled.test.ts` lets every endpoint die after every commit, and so finds a handler that opens a
 * transaction of its own.
 */
import type { Tx } from '../db/database.ts';

/** Opens the transaction. `db.begin` is one that remembers nothing, for work that no request asked for. */
export type Begin<Result> = (work: (tx: Tx) => Promise<Result>) => Promise<Result>;

/**
 * For work that serves many requests in one transaction: called in that transaction, with the result of this request.
 */
export type Remember<Result> = (tx: Tx, result: Result) => Promise<void>;

export type Effect<Result> = {
  readonly begin: Begin<Result>;
  /** Null: there is nothing to remember. */
  readonly remember: Remember<Result> | null;
};

export type CarryOut<Reply> = <Result>(
  act: (effect: Effect<Result>) => Promise<Result>,
  /** Pure: it runs inside the transaction, and its reply is given again for a day. */
  toReply: (result: Result) => Reply | string,
) => Promise<string>;
