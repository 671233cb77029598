/**
 * How often somebody may ask: the rule of the bucket, what a refusal says, and a limiter that counts only in memory.
 */
import { GatewayError } from '../lib/errors.ts';
import { countedAddress, countedNeighbourhood } from './client-address.ts';

export type Rate = {
  /** How many requests may come at once. */
  readonly capacity: number;
  /** How many more are allowed each second. */
  readonly perSecond: number;
};

export type RateDecision = { readonly isAllowed: boolean; readonly headers: Readonly<Record<string, string>> };

export type RateLimiter = {
  /** Takes one token of a bucket. If none is left, the request is not allowed. */
  take(bucket: string, rate: Rate): Promise<RateDecision>;
};

export type RateLimits = {
  readonly perKey: Rate;
  /** For public endpoints. */
  readonly perAddress: Rate;
  /** For requests that failed authentication. */
  readonly failuresPerAddress: Rate;
};

export const defaultRateLimits: RateLimits = {
  perKey: { capacity: 1_000, perSecond: 200 },
  perAddress: { capacity: 1_000, perSecond: 200 },
  failuresPerAddress: { capacity: 300, perSecond: 10 },
};

/**
 * Anybody can have many IPv6 networks next to each other: all of them together get as much as this many single ones.
 */
const neighbourhoodCrowd = 10;

/** Where one address stands for many customers, they share as much as so many single addresses. */
export async function takeForAddress(
  { limiter }: { readonly limiter: RateLimiter },
  kind: string,
  { capacity, perSecond }: Rate,
  { address, crowd }: { readonly address: string; readonly crowd: number },
): Promise<RateDecision> {
  const takeAs = (who: string, many: number): Promise<RateDecision> =>
    limiter.take(`${kind} ${many === 1 ? who : `all behind ${who}`}`, {
      capacity: capacity * many,
      perSecond: perSecond * many,
    });
  const decision = await takeAs(countedAddress(address), crowd);
  const neighbourhood = countedNeighbourhood(address);
  if (!decision.isAllowed || neighbourhood === undefined) return decision;
  const ofAll = await takeAs(neighbourhood, crowd * neighbourhoodCrowd);
  return ofAll.isAllowed ? decision : ofAll;
}

/** `left`: tokens left after this request. */
export function decisionOf(rate: Rate, left: number, isAllowed: boolean): RateDecision {
  const headers: Record<string, string> = {
    'ratelimit-limit': String(rate.capacity),
    'ratelimit-remaining': String(Math.floor(left)),
    'ratelimit-reset': String(Math.ceil((rate.capacity - left) / rate.perSecond)),
  };
  if (!isAllowed) headers['retry-after'] = String(Math.max(1, Math.ceil((1 - left) / rate.perSecond)));
  return { isAllowed, headers };
}

const bucketsMax = 50_000;

/** Counts only what this process has seen: for the time when the database cannot be asked. */
export function createOwnRateLimiter(nowMs: () => number = () => performance.now()) {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    take(bucket: string, rate: Rate): RateDecision {
      const now = nowMs();
      const known = buckets.get(bucket);
      const tokens = known
        ? Math.min(rate.capacity, known.tokens + ((now - known.at) / 1000) * rate.perSecond)
        : rate.capacity;
      const isAllowed = tokens >= 1;
      const left = isAllowed ? tokens - 1 : tokens;
      // A forgotten bucket counts as full: a client may get its burst again, but never less than its share.
      if (!known && buckets.size >= bucketsMax) for (const oldest of buckets.keys()) if (buckets.delete(oldest)) break;
      buckets.set(bucket, { tokens: left, at: now });
      return decisionOf(rate, left, isAllowed);
    },
  };
}

export const tooManyRequests = (decision: RateDecision): GatewayError =>
  new GatewayError({
    code: 'too_many_requests',
    httpStatus: 429,
    message: 'Too many requests. Please wait a moment and try again.',
    headers: { ...decision.headers },
  });
