/**
 * Limits that hold for all processes together: the buckets are in PostgreSQL, and a process takes a small advance from
 * one before it lets requests pass. So together they never allow more than the bucket holds, and a client that asks
 * often costs one statement for every few dozen of its requests. Everything asked for at the same moment, by whomever,
 * is one statement. A refusal is remembered until there is something to be had again, so a flood costs nothing.
 *
 * See docs/decisions/0026.
 *
 * While PostgreSQL is away or slow, every process counts by itself: nobody is locked out, and nobody is without limits.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { coalesce } from '../db/coalesce.ts';
import { answersInTime, type Query } from '../db/database.ts';
import type { Log } from '../lib/log.ts';
import { type Advance, type Granted, takeTokens } from './rate-bucket-store.ts';
import { createOwnRateLimiter, decisionOf, type Rate, type RateDecision, type RateLimiter } from './rate-limit.ts';

/** A fiftieth of the bucket: twenty of a thousand; one of a small bucket, which is therefore exact. */
const advanceOf = ({ capacity }: Rate): number => Math.max(1, Math.floor(capacity / 50));
/** Kept for long: an advance that is dropped is lost to clients that ask many processes, each only now and then. */
const advanceMs = 60_000;
const patienceMs = 1_000;
const awayMs = 1_000;
const rememberedMax = 50_000;
const statement = { batchesAtOnce: 2, itemsMax: 1_000 };
const roundsMax = 20;

type Held = {
  /** Left of the advance. */
  tokens: number;
  until: number;
  /** What was in the bucket when it was last asked. */
  left: number;
  refusedUntil: number;
  waiting: number;
  asking: Promise<void> | null;
};

export function createSharedRateLimiter(deps: {
  readonly db: Query;
  readonly log: Pick<Log, 'warn'>;
  readonly nowMs?: () => number;
}): RateLimiter {
  const { db, log, nowMs = () => performance.now() } = deps;
  const held = new Map<string, Held>();
  const own = createOwnRateLimiter(nowMs);
  let awayUntil = -Infinity;

  const ask = coalesce<Advance, Granted>(
    (advances) => takeTokens(db, advances),
    statement,
    () => answersInTime(db),
  );

  function heldOf(bucket: string): Held {
    const known = held.get(bucket);
    if (known) return known;
    if (held.size >= rememberedMax)
      for (const [oldest, { asking }] of held) {
        if (asking) continue;
        held.delete(oldest);
        break;
      }
    const fresh: Held = { tokens: 0, until: 0, left: 0, refusedUntil: 0, waiting: 0, asking: null };
    held.set(bucket, fresh);
    return fresh;
  }

  async function refill(bucket: string, mine: Held, rate: Rate): Promise<void> {
    const wanted = Math.min(Math.floor(rate.capacity), Math.max(advanceOf(rate), mine.waiting));
    try {
      const patience = new AbortController();
      const answer = ask({ bucket, wanted, rate });
      const granted = await Promise.race([answer, sleep(patienceMs, null, { signal: patience.signal, ref: false })]);
      patience.abort();
      if (granted === null) {
        answer.catch(() => undefined);
        throw new Error('the database takes too long to count requests');
      }
      const now = nowMs();
      mine.left = granted.left;
      mine.tokens = granted.granted;
      mine.until = now + advanceMs;
      if (granted.granted < 1) mine.refusedUntil = now + ((1 - granted.left) / rate.perSecond) * 1000;
    } catch (error) {
      awayUntil = nowMs() + awayMs;
      log.warn({ err: error }, 'requests cannot be counted for all processes: this one counts its own');
    }
  }

  async function takeLater(bucket: string, mine: Held, rate: Rate): Promise<RateDecision> {
    mine.waiting += 1;
    try {
      for (let round = 0; round < roundsMax; round += 1) {
        mine.asking ??= refill(bucket, mine, rate).finally(() => {
          mine.asking = null;
        });
        await mine.asking;
        const decision = takeNow(bucket, mine, rate);
        if (decision) return decision;
      }
      return own.take(bucket, rate); // Others were faster every time: they are more than the bucket holds.
    } finally {
      mine.waiting -= 1;
    }
  }

  function takeNow(bucket: string, mine: Held, rate: Rate): RateDecision | undefined {
    const now = nowMs();
    if (now < awayUntil) return own.take(bucket, rate);
    if (mine.tokens >= 1 && now < mine.until) {
      mine.tokens -= 1;
      return decisionOf(rate, mine.left + mine.tokens, true);
    }
    if (now < mine.refusedUntil) {
      const left = 1 - ((mine.refusedUntil - now) / 1000) * rate.perSecond;
      return decisionOf(rate, Math.max(0, left), false);
    }
    return undefined;
  }

  return {
    async take(bucket, rate) {
      const mine = heldOf(bucket);
      return takeNow(bucket, mine, rate) ?? takeLater(bucket, mine, rate);
    },
  };
}
