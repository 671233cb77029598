/**
 * Which part of its price a checkout had been paid and not given back after each entry of the ledger about it, exactly. Pure.
 *
 * Units count by the price of their way to pay: so many of those that were due are that part of the price. What came late and had
 * lost value counts by that, as it did when it was credited: the tax is on what was received. So does what is given back of it.
 * What fills the price is the price, however many units that took. An excess that was kept is beyond it.
 */
import type { CheckoutDossier, SettledPart, Settlement } from '../checkouts/checkout.ts';
import type { AcceptedExcess, Take } from '../checkouts/refund.ts';
import { reversalReference } from '../ledger/entry.ts';
import type { EntryHead } from '../ledger/entry-head-store.ts';
import { nothing, type Ratio } from '../pricing/share-of-price.ts';

export type PaidStep = { readonly entry: EntryHead; readonly before: Ratio; readonly after: Ratio };

/** What units that belong to no way to pay were worth, as a part of the price; null: nobody knows. */
export type StrangeShare = (asset: string, units: bigint, at: Date) => Ratio | null;

/** `entries`: all of them about the checkout and its refunds, in the order of time. */
export function paidSteps(
  dossier: CheckoutDossier,
  entries: readonly EntryHead[],
  strangeShare: StrangeShare,
): PaidStep[] {
  const due = new Map(dossier.commitments.map(({ id, dueUnits }) => [id, dueUnits]));
  const payments = new Map(dossier.payments.map((payment) => [payment.id, payment]));
  const refunds = new Map(dossier.refunds.map((refund) => [refund.id, refund]));
  /** By way to pay: what its units count as. Less than one for what came late, or where the last unit was rounded up. */
  let countedAs: ReadonlyMap<string, Ratio> = new Map();
  const held = new Map<string, Ratio>();
  const cameBack = new Map<string, bigint>();

  const ofCommitment = (commitmentId: string, units: bigint): Ratio => {
    const dueUnits = due.get(commitmentId) ?? 0n;
    return dueUnits > 0n ? { numerator: units, denominator: dueUnits } : nothing;
  };
  const sumOf = (parts: readonly SettledPart[], units: (part: SettledPart) => string): Ratio =>
    parts.reduce((sum, part) => plus(sum, ofCommitment(part.commitmentId, BigInt(units(part)))), nothing);
  /** What all parts come to, where that is more than the price; else the price. */
  const filling = ({ parts }: Settlement): Ratio => {
    const worth = sumOf(parts, worthIn);
    return worth.numerator > worth.denominator ? worth : one;
  };
  const paidBy = (settlement: Settlement): Ratio => over(sumOf(settlement.parts, worthIn), filling(settlement));
  const unitsCountAs = (settlement: Settlement): Map<string, Ratio> => {
    const full = filling(settlement);
    const ways = Map.groupBy(settlement.parts, ({ commitmentId }) => commitmentId);
    return new Map(
      Array.from(ways, ([commitmentId, parts]) => {
        const units = sumOf(parts, ({ countedUnits }) => countedUnits);
        const share = over(sumOf(parts, worthIn), full);
        return [commitmentId, units.numerator === 0n ? nothing : over(share, units)];
      }),
    );
  };
  const kept = (takes: readonly Take[], at: Date): Ratio =>
    takes.reduce((sum, { paymentId, units }) => {
      const payment = payments.get(paymentId);
      if (!payment) return sum;
      const { commitmentId, asset } = payment;
      const share =
        commitmentId === null ? strangeShare(asset, BigInt(units), at) : ofCommitment(commitmentId, BigInt(units));
      return plus(sum, share ?? nothing);
    }, nothing);
  const keptOf = ({ takes, acceptedAt }: AcceptedExcess, paymentId: string | null): Ratio =>
    kept(
      takes.filter((take) => paymentId === null || take.paymentId === paymentId),
      new Date(acceptedAt),
    );

  function changeBy({ kind, reference, subject, postedAt }: EntryHead): Ratio {
    const { settlements, checkout } = dossier;
    if (kind === 'settlement' || kind === 'settlement_reversed') {
      const settlement = settlements.find((each) =>
        [each.reference, reversalReference(each.reference)].includes(reference),
      );
      if (!settlement) return nothing;
      const paid = paidBy(settlement);
      if (kind === 'settlement_reversed') return negative(paid);
      countedAs = unitsCountAs(settlement);
      return paid;
    }
    if (kind === 'refund_held') {
      const covers = refunds.get(subject.id)?.covers ?? [];
      const share = covers.reduce((sum, { commitmentId, units }) => {
        const ofUnits = ofCommitment(commitmentId, BigInt(units));
        return plus(sum, times(ofUnits, countedAs.get(commitmentId) ?? one));
      }, nothing);
      held.set(subject.id, share);
      return negative(share);
    }
    if (kind === 'refund_returned') return held.get(subject.id) ?? nothing;
    if (kind === 'refund_came_back') {
      const back = BigInt(reference.split(':')[3] ?? 0); // All that had come back by then.
      const units = back - (cameBack.get(subject.id) ?? 0n);
      cameBack.set(subject.id, back);
      const sent = refunds.get(subject.id)?.sentUnits ?? units;
      return times(held.get(subject.id) ?? nothing, { numerator: units, denominator: sent });
    }
    if (kind === 'excess_accepted') {
      const accepted = checkout.acceptedExcess[Number(reference.split(':')[2]) - 1];
      return accepted ? keptOf(accepted, null) : nothing;
    }
    // A payment that vanished, or came again: with it goes and comes what had been kept of it by then.
    const paymentId = reference.split(':')[1] ?? '';
    const before = checkout.acceptedExcess.filter(({ acceptedAt }) => new Date(acceptedAt) <= postedAt);
    const share = before.reduce((sum, accepted) => plus(sum, keptOf(accepted, paymentId)), nothing);
    return kind === 'payment_reversed' ? negative(share) : share;
  }

  let share = nothing;
  return entries.map((entry) => {
    const before = share;
    share = plus(share, changeBy(entry));
    return { entry, before, after: share };
  });
}

const one: Ratio = { numerator: 1n, denominator: 1n };

const worthIn = ({ worthUnits, countedUnits }: SettledPart): string => worthUnits ?? countedUnits;

const negative = ({ numerator, denominator }: Ratio): Ratio => ({ numerator: -numerator, denominator });

const times = (a: Ratio, b: Ratio): Ratio =>
  reduced({ numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator });

const over = (a: Ratio, b: Ratio): Ratio =>
  reduced({ numerator: a.numerator * b.denominator, denominator: a.denominator * b.numerator });

const plus = (a: Ratio, b: Ratio): Ratio =>
  reduced({
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  });

/** So that numbers stay short, however many steps there are. */
function reduced({ numerator, denominator }: Ratio): Ratio {
  let [a, b] = [numerator < 0n ? -numerator : numerator, denominator];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? nothing : { numerator: numerator / a, denominator: denominator / a };
}
