import { present } from '../lib/assert.ts';
import { nothing, type Share, shareOfPrice } from '../pricing/share-of-price.ts';
import type { CheckoutDossier, Payment, Settlement } from './checkout.ts';
import { type CheckoutFacts, isAlive, isConfirmed, isCredited } from './checkout-state.ts';
import { coveredUnits, leftUnits, type Refund, standingCovers, standsOrCost } from './refund.ts';

export const standingSettlement = (dossier: CheckoutDossier): Settlement | undefined =>
  dossier.settlements.find((settlement) => settlement.reversedAt === null);

/** For the first settlement of a checkout, the second one after a reorganisation, and so on. */
export const settlementReference = (checkoutId: string, generation: number): string =>
  `settlement:${checkoutId}:${generation}`;

/** What the state depends on, from everything that we know. */
export function factsOf(dossier: CheckoutDossier): CheckoutFacts {
  const { checkout, commitments, payments, settlements } = dossier;
  const standing = standingSettlement(dossier);
  return {
    commitments,
    payments,
    hasStrays: dossier.hasStrays,
    tolerance: checkout.tolerance,
    lateTolerance: checkout.lateTolerance,
    canceledAt: checkout.canceledAt,
    acceptedAt: checkout.acceptedAt,
    acceptedShare: acceptedShare(dossier),
    isSettled: standing !== undefined,
    creditedAs: standing !== undefined && isCredited(checkout.state) ? checkout.state : null,
    reversals: settlements.filter((settlement) => settlement.reversedAt !== null).length,
    hasExcess: standing?.parts.some((part) => BigInt(part.excessUnits) > 0n) || hasMoreThanCounted(dossier),
    isMarketMissing: checkout.exceptions.includes('NO_MARKET'),
    acceptFrom: checkout.acceptFrom,
    isAllSentBack: isAllSentBack(dossier),
    isCreditRefunded: standing !== undefined && isGivenBack(dossier, standing),
    wasCreditRefunded: settlements.some((settlement) => isGivenBack(dossier, settlement)),
    refundedWith: checkout.state === 'REFUNDED' ? checkout.exceptions : null,
  };
}

/**
 * What of a standing settlement is in suspense now, by commitment: what was beyond the price when it was settled, less
 * what was refunded or accepted since, plus what a failed refund brought back.
 */
export function excessByCommitment(dossier: CheckoutDossier): Map<string, bigint> {
  const excess = new Map<string, bigint>();
  const add = (commitmentId: string | null, units: bigint): void => {
    if (commitmentId !== null) excess.set(commitmentId, (excess.get(commitmentId) ?? 0n) + units);
  };
  const parts = standingSettlement(dossier)?.parts ?? [];
  if (parts.length === 0) return excess;
  for (const { commitmentId, countedUnits } of parts) add(commitmentId, -BigInt(countedUnits));
  for (const payment of dossier.payments)
    if (payment.place === 'settled') add(payment.commitmentId, leftUnits(payment));
  return excess;
}

const hasMoreThanCounted = (dossier: CheckoutDossier): boolean =>
  [...excessByCommitment(dossier).values()].some((units) => units > 0n);

/** What a settlement credited, in paid units, by commitment. */
export function creditedUnits({ parts }: Settlement): Map<string, bigint> {
  const credited = new Map<string, bigint>();
  for (const { commitmentId, countedUnits } of parts)
    credited.set(commitmentId, (credited.get(commitmentId) ?? 0n) + BigInt(countedUnits));
  return credited;
}

/** Whether the merchant has sent back all that a settlement credited. */
function isGivenBack({ refunds }: CheckoutDossier, settlement: Settlement): boolean {
  const covered = coveredUnits(refunds, ({ place }) => place === 'sent');
  return [...creditedUnits(settlement)].every(([id, units]) => (covered.get(id) ?? 0n) >= units);
}

/** What is not confirmed, or is set aside for a refund, cannot be accepted as payment. */
export const isAcceptable = (payment: Payment): boolean =>
  payment.commitmentId !== null && isConfirmed(payment) && leftUnits(payment) > 0n;

/** Money of one asset that came over one network. */
export const railOf = ({ network, asset }: { readonly network: string; readonly asset: string }): string =>
  `${network} ${asset}`;

const addTo = (sums: Map<string, bigint>, key: string, units: bigint): void =>
  void sums.set(key, (sums.get(key) ?? 0n) + units);

/** What is confirmed, by rail. */
export function receivedUnits({ payments }: CheckoutDossier): Map<string, bigint> {
  const received = new Map<string, bigint>();
  for (const payment of payments.filter(isConfirmed)) addTo(received, railOf(payment), payment.units);
  return received;
}

/**
 * What went back to the customer in these refunds, in the units that were paid, and what was lost on the way. Also for
 * payments that vanished since: what comes in their place has been given back already, and belongs to the merchant, who
 * was charged for it.
 */
export function givenBackUnits(dossier: CheckoutDossier, isIt: (refund: Refund) => boolean): Map<string, bigint> {
  const rails = new Map([...dossier.payments, ...dossier.commitments].map((each) => [each.id, railOf(each)]));
  const given = new Map<string, bigint>();
  const counted = dossier.refunds.filter(isIt);
  const lost = dossier.refunds.filter((refund) => refund.place === 'returned' && standsOrCost(refund));
  for (const { paymentId, units } of [...new Set([...counted, ...lost])].flatMap(({ takes }) => takes))
    addTo(given, present(rails.get(paymentId), 'payment'), BigInt(units));
  for (const { commitmentId, units } of counted.flatMap(standingCovers))
    addTo(given, present(rails.get(commitmentId), 'commitment'), BigInt(units));
  return given;
}

/** All that arrived for the price was sent back, and nothing is on its way. */
const isAllSentBack = (dossier: CheckoutDossier): boolean =>
  areSentBack(
    dossier,
    dossier.payments.filter((payment) => isAlive(payment) && payment.commitmentId !== null),
  );

/** Likewise everything that arrived, also what nobody had asked for. */
export function isEverythingSentBack(dossier: CheckoutDossier): boolean {
  const alive = dossier.payments.filter(isAlive);
  return alive.length > 0 && areSentBack(dossier, alive);
}

function areSentBack(dossier: CheckoutDossier, payments: readonly Payment[]): boolean {
  const isAnySent = dossier.refunds.some(({ place }) => place === 'sent');
  if (!payments.every(isConfirmed) || !isAnySent) return false;
  const sent = givenBackUnits(dossier, ({ place }) => place === 'sent');
  const received = receivedUnits(dossier);
  return payments.map(railOf).every((rail) => (received.get(rail) ?? 0n) <= (sent.get(rail) ?? 0n));
}

/** What the last settlement since the acceptance was about. If there was none since the acceptance, it has no limit. */
function acceptedShare({ checkout, commitments, settlements }: CheckoutDossier): Share {
  const last = settlements.at(-1);
  if (checkout.acceptedAt === null || last === undefined || last.settledAt < checkout.acceptedAt) return nothing;
  const dueUnits = new Map(commitments.map((commitment) => [commitment.id, commitment.dueUnits]));
  return shareOfPrice(
    last.parts.map((part) => ({
      receivedUnits: BigInt(part.countedUnits),
      dueUnits: present(dueUnits.get(part.commitmentId), 'commitment of a settled part'),
    })),
  );
}
