/**
 * A late payment counts by its value when it was first seen: the rates of that moment are stored with the payment, so
 * that the result does not depend on when we look again. Pure.
 *
 * Normally the payment is valued right after it was first seen. If there were no rates then, or the service was not
 * running, the first rates after that are used.
 */
import type { CheckoutDossier, Payment } from '../checkouts/checkout.ts';
import { factsOf } from '../checkouts/checkout-facts.ts';
import { isAlive } from '../checkouts/checkout-state.ts';
import { partOf, portionsOf } from '../checkouts/payment-portions.ts';
import { priceInAsset, type ValuingTerms } from '../checkouts/price-in-asset.ts';
import type { TimelineNote } from '../checkouts/timeline-store.ts';
import { present } from '../lib/assert.ts';
import { formatUnits } from '../money/amount.ts';
import { divideUnits } from '../money/decimal.ts';
import { type KeptValuation } from '../payments/payment-sights.ts';
import { addWorth, nothing } from '../pricing/share-of-price.ts';

export type Valued = {
  readonly dossier: CheckoutDossier;
  readonly notes: readonly TimelineNote[];
  /** Why something could not be valued. Null: everything could. */
  readonly noMarket: string | null;
};

export function valueLate(before: CheckoutDossier, terms: ValuingTerms, now: Date): Valued {
  const facts = factsOf(before);
  const commitments = new Map(before.commitments.map((commitment) => [commitment.id, commitment]));
  let noMarket: string | null = null;
  const rates = new Map<string, string>();

  const payments = before.payments.map((payment) => {
    if (payment.commitmentId === null || payment.place === 'settled' || !isAlive(payment)) return payment;
    const unvalued = portionsOf(facts, payment, now).flatMap((portion) => portion.unvalued ?? []);
    if (unvalued.length === 0) return payment;
    const commitment = present(commitments.get(payment.commitmentId), 'commitment of a late payment');
    const price = priceInAsset(terms, before.checkout.billingCurrency, commitment, now);
    if ('noMarket' in price) {
      noMarket = price.noMarket;
      return payment;
    }
    const valuations = [...stillTrue(payment), ...unvalued.map((moment) => ({ ...moment, ...price }))];
    rates.set(terms.assetFacts(payment.asset).currencyCode, price.paidUsd);
    rates.set(before.checkout.billingCurrency, price.billedUsd);
    return { ...payment, valuations };
  });
  if (rates.size === 0) return { dossier: before, notes: [], noMarket };
  const dossier = { ...before, payments };
  const why = { worth: `${percentWorth(dossier, now)} %`, usd: Object.fromEntries(rates) };
  return { dossier, notes: [{ what: 'late_payment_valued', why }], noMarket };
}

/** Which part of the price the late money is worth in all, in percent, rounded down. */
function percentWorth(dossier: CheckoutDossier, now: Date): string {
  const facts = factsOf(dossier);
  const { numerator, denominator } = dossier.payments
    .filter((payment) => payment.commitmentId !== null && isAlive(payment))
    .flatMap((payment) => portionsOf(facts, payment, now))
    .filter(({ priceUnits }) => priceUnits !== null)
    .reduce((share, portion) => addWorth(share, partOf(portion)), nothing);
  return formatUnits(divideUnits(numerator * 10_000n, denominator, 'down'), 2);
}

/** The time of a block that a reorganisation took away says nothing any more. */
const stillTrue = ({ valuations, blockTime }: Payment): KeptValuation[] =>
  valuations.filter(({ of, moment }) => of !== 'BLOCK' || moment === blockTime?.toISOString());
