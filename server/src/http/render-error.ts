/** The only place where an error becomes an HTTP answer. The body is the same for every failure (spec §7). */
import type { Readable } from 'node:stream';
import { isDatabaseAway } from '../db/database.ts';
import { GatewayError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { NetworkError } from '../networks/port/connector.ts';

/** An answer before it is sent. `body` is JSON text; with a `file` that is sent instead. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly file?: Readable;
};

export const errorAnswer = (
  status: number,
  problems: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Answer => ({ status, headers, body: JSON.stringify({ errors: problems }) });

export function renderError(error: unknown, log: Pick<Log, 'error' | 'warn'>): Answer {
  if (error instanceof GatewayError) return errorAnswer(error.httpStatus, error.problems, error.headers);
  if (error instanceof NetworkError) {
    log.warn({ err: error }, 'a network does not answer as it should');
    return errorAnswer(503, ['A network is not reachable at the moment. Please try again.'], { 'retry-after': '10' });
  }
  if (isDatabaseAway(error)) {
    log.warn({ err: error }, 'the database is away');
    return errorAnswer(503, ['The service is busy for a moment. Please try again.'], { 'retry-after': '2' });
  }
  log.error({ err: error }, 'unexpected error');
  return errorAnswer(500, ['Something went wrong on our side. The request can be retried.']);
}
