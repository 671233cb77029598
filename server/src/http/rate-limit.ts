/**
 * Token buckets in memory: one process knows only its own requests, so the limit is per process. That is enough
 * against a client that runs wild; what must be exact (money) is protected in the database.
 */
import { GatewayError } from '../lib/errors.ts';

export type Rate = {
  /** How many requests may come at once. */
  readonly capacity: number;
  /** How many more are allowed each second. */
  readonly perSecond: number;
};

export type RateDecision = { readonly isAllowed: boolean; readonly headers: Readonly<Record<string, string>> };

export type RateLimiter = {
  /** Takes one token. Without one left the decision is no. */
  take(key: string): RateDecision;
};

const bucketsMax = 50_000;

export function createRateLimiter(rate: Rate, nowMs: () => number = () => performance.now()): RateLimiter {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    take(key) {
      const now = nowMs();
      const known = buckets.get(key);
      const tokens = known
        ? Math.min(rate.capacity, known.tokens + ((now - known.at) / 1000) * rate.perSecond)
        : rate.capacity;
      const isAllowed = tokens >= 1;
      const left = isAllowed ? tokens - 1 : tokens;
      if (known) {
        known.tokens = left;
        known.at = now;
      } else {
        // A forgotten bucket counts as full: at worst a client gets its burst again, never less than its share.
        if (buckets.size >= bucketsMax) for (const oldest of buckets.keys()) if (buckets.delete(oldest)) break;
        buckets.set(key, { tokens: left, at: now });
      }
      return { isAllowed, headers: headersOf(rate, left, isAllowed) };
    },
  };
}

function headersOf(rate: Rate, left: number, isAllowed: boolean): Record<string, string> {
  const headers: Record<string, string> = {
    'ratelimit-limit': String(rate.capacity),
    'ratelimit-remaining': String(Math.floor(left)),
    'ratelimit-reset': String(Math.ceil((rate.capacity - left) / rate.perSecond)),
  };
  if (!isAllowed) headers['retry-after'] = String(Math.max(1, Math.ceil((1 - left) / rate.perSecond)));
  return headers;
}

export const tooManyRequests = (decision: RateDecision): GatewayError =>
  new GatewayError({
    code: 'too_many_requests',
    httpStatus: 429,
    message: 'Too many requests. Please wait a moment and try again.',
    headers: { ...decision.headers },
  });
