/**
 * What can be sent back to the customer of a checkout. Pure.
 *
 * In suspense is money that nobody was credited for: too little, too much, paid twice, or in the wrong asset. It goes
 * back in the asset in which it was paid, and so does what no venue exchanges. What was credited belongs to the
 * merchant, who pays a refund out of what is available.
 */
import type { CheckoutDossier, Commitment, Payment } from '../checkouts/checkout.ts';
import {
  creditedUnits,
  excessByCommitment,
  factsOf,
  givenBackUnits,
  railOf,
  receivedUnits,
  standingSettlement,
} from '../checkouts/checkout-facts.ts';
import { deriveCheckout, isConfirmed } from '../checkouts/checkout-state.ts';
import { inOrderOfArrival, windowEnd } from '../checkouts/payment-portions.ts';
import { coveredUnits, leftUnits, type RefundContext, type Take } from '../checkouts/refund.ts';
import { present } from '../lib/assert.ts';
import { smaller } from '../money/amount.ts';
import { divideUnits } from '../money/decimal.ts';
import { shareOfPrice } from '../pricing/share-of-price.ts';

/** Money of one asset on one network. */
export type InSuspense = {
  readonly context: Exclude<RefundContext, 'COMPLETED_CHECKOUT'>;
  readonly network: string;
  readonly asset: string;
  readonly units: bigint;
  /** In the order in which units are taken: what came last goes first. */
  readonly payments: readonly { readonly paymentId: string; readonly units: bigint }[];
};

/** Likewise, in the units that the customer paid. */
export type Credited = {
  readonly context: 'COMPLETED_CHECKOUT';
  readonly network: string;
  readonly asset: string;
  readonly creditedAsset: string;
  readonly commitments: readonly { readonly commitment: Commitment; readonly units: bigint }[];
};

/** A settlement that must be taken back first: until then nothing can be decided about it. */
export const isUnsettling = (dossier: CheckoutDossier, now: Date): boolean =>
  deriveCheckout(factsOf(dossier), now).isReversalDue;

export function inSuspense(dossier: CheckoutDossier, now: Date): InSuspense[] {
  if (isUnsettling(dossier, now)) return [];
  const isDuplicate = standingSettlement(dossier) !== undefined || dossier.checkout.state === 'REFUNDED';
  const context = isDuplicate ? 'OVERPAID_CHECKOUT' : 'UNDERPAID_CHECKOUT';
  const groups = new Map<string, InSuspense>();
  const excess = excessByCommitment(dossier);
  const isInVain = isPaidInVain(dossier, now);
  for (const payment of latestFirst(dossier, now)) {
    const units = isInVain && payment.place === 'pending' ? leftUnits(payment) : suspendedUnits(payment, excess);
    if (units === 0n) continue;
    const { network, asset, id: paymentId } = payment;
    const group = groups.get(railOf({ network, asset })) ?? { context, network, asset, units: 0n, payments: [] };
    const payments = [...group.payments, { paymentId, units }];
    groups.set(railOf({ network, asset }), { ...group, units: group.units + units, payments });
  }
  return [...groups.values()];
}

/** Likewise, less what the customer was already refunded for a payment that vanished since. */
export function refundableInSuspense(dossier: CheckoutDossier, now: Date): InSuspense[] {
  const most = mostByRail(dossier);
  return inSuspense(dossier, now)
    .map((option) => ({ ...option, units: smaller(option.units, most.get(railOf(option)) ?? 0n) }))
    .filter(({ units }) => units > 0n);
}

/**
 * The most that can still be refunded, by rail: never more than was received there. A refund on a rail whose money is
 * gone counts on the other rails, as the same part of the price.
 */
function mostByRail(dossier: CheckoutDossier): Map<string, bigint> {
  const given = givenBackUnits(dossier, ({ place }) => place !== 'returned');
  const received = receivedUnits(dossier);
  const dueUnits = new Map(dossier.commitments.map((commitment) => [railOf(commitment), commitment.dueUnits]));
  const inVain = shareOfPrice(
    [...given].flatMap(([rail, units]) => {
      const beyond = units - (received.get(rail) ?? 0n);
      const due = dueUnits.get(rail);
      return due !== undefined && beyond > 0n ? [{ receivedUnits: beyond, dueUnits: due }] : [];
    }),
  );
  return new Map(
    [...received].map(([rail, units]) => {
      const part = divideUnits(inVain.numerator * (dueUnits.get(rail) ?? 0n), inVain.denominator, 'up');
      return [rail, units - (given.get(rail) ?? 0n) - part];
    }),
  );
}

/**
 * Enough was paid, but it cannot be credited. When the customer has stopped paying, nobody needs to wait for a market.
 */
function isPaidInVain(dossier: CheckoutDossier, now: Date): boolean {
  const facts = factsOf(dossier);
  const end = windowEnd(facts);
  return dossier.checkout.state === 'PROCESSING' && facts.isMarketMissing && end !== null && now >= end;
}

/** Confirmed payments, the latest first; before them those that belong to no commitment. */
function latestFirst(dossier: CheckoutDossier, now: Date): Payment[] {
  const confirmed = dossier.payments.filter(isConfirmed);
  const counted = confirmed.filter((payment) => payment.commitmentId !== null);
  const strange = confirmed.filter((payment) => payment.commitmentId === null);
  const latest = inOrderOfArrival(factsOf(dossier), counted, now).reverse();
  return [...strange, ...new Set(latest.map(({ payment }) => payment))];
}

/** Takes what it finds out of `excess`, which belongs to a commitment as a whole and not to one of its payments. */
function suspendedUnits(payment: Payment, excess: Map<string, bigint>): bigint {
  if (payment.place === 'suspense') return leftUnits(payment);
  if (payment.place !== 'settled' || payment.commitmentId === null) return 0n;
  const beyond = excess.get(payment.commitmentId) ?? 0n;
  const units = smaller(beyond, leftUnits(payment));
  excess.set(payment.commitmentId, beyond - units);
  return units;
}

/** Which payments so many units come from. */
export function takesOf({ payments }: InSuspense, wanted: bigint): Take[] {
  const takes: Take[] = [];
  let missing = wanted;
  for (const { paymentId, units } of payments) {
    const taken = smaller(units, missing);
    if (taken > 0n) takes.push({ paymentId, units: taken.toString(), feeUnits: '0' });
    missing -= taken;
  }
  return takes;
}

/** Nothing of a checkout that was refunded in full, even if it was credited afterwards. */
export function credited(dossier: CheckoutDossier, now: Date): Credited[] {
  const standing = standingSettlement(dossier);
  if (!standing || dossier.checkout.state === 'REFUNDED' || isUnsettling(dossier, now)) return [];
  const covered = coveredUnits(dossier.refunds, ({ place }) => place !== 'returned');
  const most = mostByRail(dossier);
  const groups = new Map<string, Credited>();
  for (const [id, counted] of creditedUnits(standing)) {
    const commitment = present(
      dossier.commitments.find((each) => each.id === id),
      'commitment of a settled part',
    );
    const left = most.get(railOf(commitment)) ?? 0n;
    const units = smaller(counted - (covered.get(id) ?? 0n), left);
    if (units <= 0n) continue;
    most.set(railOf(commitment), left - units);
    const { network, asset, quote } = commitment;
    const { assetId: creditedAsset } = quote.settlement;
    const group = groups.get(railOf({ network, asset })) ?? {
      context: 'COMPLETED_CHECKOUT' as const,
      network,
      asset,
      creditedAsset,
      commitments: [],
    };
    groups.set(railOf({ network, asset }), { ...group, commitments: [...group.commitments, { commitment, units }] });
  }
  return [...groups.values()];
}
