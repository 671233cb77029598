/**
 * How much changes hands when an order meets an offer, as CAP-4 defines it. The seller of the offer gives wheat and
 * takes sheep, `n` sheep for `d` wheat. Rounding favours whoever stays on the book, and never by more than one percent.
 */
import type { Price } from './ledger-entries.ts';

export type Exchanged = { readonly wheat: bigint; readonly sheep: bigint; readonly isOfferKept: boolean };

/** normal: an order. Each kind of path payment must reach one of its amounts exactly, and rounds for that. */
export type RoundingKind = 'normal' | 'strictSend' | 'strictReceive';

type Limits = {
  readonly wheatSend: bigint; // what the offer can give
  readonly wheatReceive: bigint; // what the taker wants
  readonly sheepSend: bigint; // what the taker can give
  readonly sheepReceive: bigint; // what the offer can take
};

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const up = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

function exchangeWithoutThreshold({ n, d }: Price, limits: Limits, rounding: RoundingKind): Exchanged {
  const wheatValue = lesser(limits.wheatSend * n, limits.sheepReceive * d);
  const sheepValue = lesser(limits.sheepSend * d, limits.wheatReceive * n);
  const isOfferKept = wheatValue > sheepValue;
  if (isOfferKept) {
    if (rounding === 'strictSend') {
      return { wheat: sheepValue / n, sheep: lesser(limits.sheepSend, limits.sheepReceive), isOfferKept };
    }
    if (n > d || rounding === 'strictReceive') {
      const wheat = sheepValue / n;
      return { wheat, sheep: up(wheat * n, d), isOfferKept };
    }
    const sheep = sheepValue / d;
    return { wheat: (sheep * d) / n, sheep, isOfferKept };
  }
  if (n > d) {
    const wheat = wheatValue / n;
    return { wheat, sheep: (wheat * n) / d, isOfferKept };
  }
  const sheep = wheatValue / d;
  return { wheat: up(sheep * d, n), sheep, isOfferKept };
}

/** CAP-4: nothing changes hands at a price that rounding moved by more than one percent. */
function isWithinOnePercent({ n, d }: Price, wheat: bigint, sheep: bigint, mayFavourOffer: boolean): boolean {
  const wheatValue = 100n * n * wheat;
  const sheepValue = 100n * d * sheep;
  if (mayFavourOffer && sheepValue > wheatValue) return true;
  const difference = wheatValue > sheepValue ? wheatValue - sheepValue : sheepValue - wheatValue;
  return difference <= n * wheat;
}

export function exchange(price: Price, limits: Limits, rounding: RoundingKind): Exchanged {
  const result = exchangeWithoutThreshold(price, limits, rounding);
  const { wheat, sheep, isOfferKept } = result;
  if (rounding === 'normal') {
    const isFair = wheat > 0n && sheep > 0n && isWithinOnePercent(price, wheat, sheep, false);
    return isFair ? result : { wheat: 0n, sheep: 0n, isOfferKept };
  }
  if (wheat > 0n && sheep > 0n) return result;
  return rounding === 'strictSend' ? { ...result, wheat: 0n } : { wheat: 0n, sheep: 0n, isOfferKept };
}

const unlimited = 2n ** 63n - 1n;

/** What an offer moves when it is taken as far as its seller can give and take: the measure of its liabilities. */
export function exchangeAtMost(price: Price, most: { wheat: bigint; sheep: bigint }): { wheat: bigint; sheep: bigint } {
  const limits = { wheatSend: most.wheat, wheatReceive: unlimited, sheepSend: unlimited, sheepReceive: most.sheep };
  return exchangeWithoutThreshold(price, limits, 'normal');
}

/** The part of an offer that its seller can honour, zero if rounding would spoil its price. */
export function honourableAmount(price: Price, most: { wheat: bigint; sheep: bigint }): bigint {
  const limits = { wheatSend: most.wheat, wheatReceive: unlimited, sheepSend: unlimited, sheepReceive: most.sheep };
  return exchange(price, limits, 'normal').wheat;
}
