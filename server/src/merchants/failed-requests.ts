/**
 * Requests of a merchant's programs that were answered with an error, for whoever has to find out why: what was asked
 * and what was said, never what was sent. Written after the answer, and lost rather than waited for.
 */
import type { Query } from '../db/database.ts';
import { type WriteLater, writeLater } from '../db/write-later.ts';
import type { RefusedRequest } from '../http/http-server.ts';
import { addMs, hours, minutes } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { deleteFailedRequests, type FailedRequest, insertFailedRequests } from './failed-request-store.ts';

export const keptDays = 7;
/** For each key and minute. A program that fails a thousand times in a second says the same a thousand times. */
const signedMax = 60;
/** A stranger may know a key's id: this is counted apart, so that it takes no room from what its owner asked for. */
const unsignedMax = 5;
const keysMax = 10_000;
const sentenceMax = 500;
const pathMax = 200;

export type FailedRequests = { note(request: RefusedRequest, at: Date): void; end: WriteLater<unknown>['end'] };

export function noteFailedRequests({ db, log }: { readonly db: Query; readonly log: Log }): FailedRequests {
  const isOneOfFew = fewPerMinute();
  const { add, end } = writeLater<FailedRequest>(
    (requests) => insertFailedRequests(db, requests),
    (err, lost) => log.warn({ err, lost }, 'failed requests could not be written down'),
  );
  return {
    end,
    note({ method, path, status, problems, apiKey, isSigned, requestId }, createdAt) {
      if (!isOneOfFew(apiKey, isSigned, createdAt)) return;
      add({
        id: newId(),
        createdAt,
        method,
        path: storable(path, pathMax),
        status,
        sentence: storable(problems.join(' '), sentenceMax),
        apiKey,
        requestId,
      });
    },
  };
}

/** PostgreSQL text holds no NUL and no half characters. */
const storable = (text: string, max: number): string => {
  const whole = text.replaceAll('\0', '\uFFFD').toWellFormed();
  return whole.length > max ? `${whole.slice(0, max - 1).toWellFormed()}…` : whole;
};

function fewPerMinute(): (apiKey: string, isSigned: boolean, at: Date) => boolean {
  const counts = new Map<string, number>();
  let minute = 0;
  return (apiKey, isSigned, at) => {
    const now = Math.floor(at.getTime() / minutes(1));
    if (now !== minute || counts.size >= keysMax) counts.clear();
    minute = now;
    const counted = isSigned ? apiKey : `${apiKey} unsigned`;
    const count = (counts.get(counted) ?? 0) + 1;
    counts.set(counted, count);
    return count <= (isSigned ? signedMax : unsignedMax);
  };
}

export const forgetOldFailedRequests = (query: Query, now: Date): Promise<void> =>
  deleteFailedRequests(query, addMs(now, -hours(24 * keptDays)));
