/**
 * For which checkout money may have been meant that named none. The amount and the payer's name only say what is shown first:
 * a person decides, because anybody can send any amount under any name. Pure.
 */

import type { CheckoutState } from '../checkouts/checkout-state.ts';

/** In which something more is missing: all others are paid, or were given back. */
export const takingStates: readonly CheckoutState[] = ['PENDING', 'EXPIRED', 'CANCELED', 'UNDERPAID'];

export type WaitingCheckout = {
  readonly id: string;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly committedAt: Date;
  /** At the ledger scale of the asset: the price, and what is missing of it. */
  readonly dueUnits: bigint;
  readonly missingUnits: bigint;
  /** Of the customer to whom it was linked. */
  readonly names: readonly string[];
};

export type LikelyCheckout = WaitingCheckout & { readonly hasAmount: boolean; readonly hasName: boolean };

export const likelyMost = 5;

/** Those of the same amount and name, of the same amount, and of the same name; of each the newest first. */
export function likelyCheckouts(
  arrived: { readonly units: bigint; readonly payerName: string | null },
  waiting: readonly WaitingCheckout[],
): readonly LikelyCheckout[] {
  const rank = ({ hasAmount, hasName }: LikelyCheckout): number => (hasAmount ? 2 : 0) + (hasName ? 1 : 0);
  return waiting
    .map((each) => ({
      ...each,
      hasAmount: arrived.units === each.missingUnits || arrived.units === each.dueUnits,
      hasName: each.names.some((name) => isNameIn(name, arrived.payerName ?? '')),
    }))
    .filter((each) => rank(each) > 0)
    .toSorted((a, b) => rank(b) - rank(a) || b.committedAt.getTime() - a.committedAt.getTime())
    .slice(0, likelyMost);
}

/** Banks turn names round, add others, and write in capitals without marks: Jörg Müller is MUELLER JOERG UND ANNA. */
function isNameIn(name: string, payer: string): boolean {
  const wanted = wordsOf(name);
  const told = new Set(wordsOf(payer));
  return wanted.length > 0 && wanted.every((word) => told.has(word));
}

const spellings: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'oe', ł: 'l', đ: 'd', ı: 'i' };

const wordsOf = (name: string): readonly string[] =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßæœøłđı]/g, (letter) => spellings[letter] ?? letter)
    .replaceAll(/([aou])e/g, '$1') // ö is written as oe, or as o.
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
