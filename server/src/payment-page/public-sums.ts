/**
 * What was asked for, what has come, what is missing and what is too much: in coins, and beside that in the currency of
 * the bill at the rate of the quote, so that whoever thinks in money can follow.
 */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { findCurrency } from '../catalog/currency-catalog.ts';
import type { CheckoutDossier, Commitment, Payment } from '../checkouts/checkout.ts';
import { railOf, standingSettlement } from '../checkouts/checkout-facts.ts';
import { isAlive } from '../checkouts/checkout-state.ts';
import { missingUnits } from '../checkouts/missing-share.ts';
import { portionsOf } from '../checkouts/payment-portions.ts';
import { arrivedUnits, type Refund } from '../checkouts/refund.ts';
import { refundStates } from '../checkouts/refund-state.ts';
import { present } from '../lib/assert.ts';
import { decimal, divideUnits, formatFixed, fromUnits, toUnits } from '../money/decimal.ts';
import { formatPayment } from '../pricing/quote.ts';
import { refundableInSuspense } from '../settlements/refundable.ts';

export type PublicSum = {
  readonly amount: string;
  readonly assetCode: string;
  /** In the currency of the bill; null where no quote says what it is worth. */
  readonly price: string | null;
};

export type PublicSums = {
  /** The whole price by the method that was chosen last; null before any was. */
  readonly due: PublicSum | null;
  readonly received: readonly PublicSum[];
  readonly receivedPrice: string;
  /** Null when nothing is missing. */
  readonly missingPrice: string | null;
  /** What was paid, where the shop accepted less than the price; null: it is the price, or nothing was credited. */
  readonly acceptedPrice: string | null;
  /** Held for the payer, or on its way back, or sent back: one sum for each. */
  readonly excess: readonly PublicSum[];
  /** What has come back of it: less than the excess where the payer bore the network's fee. */
  readonly returned: readonly PublicSum[];
};

/** What goes back of money that was held, at the rate at which it was asked for; null where no quote says that. */
export function heldWorth(dossier: CheckoutDossier, refund: Refund, units: bigint): string | null {
  const commitment = dossier.commitments.findLast((each) => railOf(each) === railOf(refund));
  if (!commitment || refund.context === 'COMPLETED_CHECKOUT') return null;
  const decimals = findCurrency(dossier.checkout.billingCurrency)?.decimals ?? 2;
  const price = toUnits(decimal(commitment.quote.price), decimals, 'half-up');
  return formatFixed(fromUnits(divideUnits(units * price, commitment.dueUnits, 'half-up'), decimals), decimals);
}

type Rail = { readonly network: string; readonly asset: string };

export function publicSums(assets: AssetCatalog, dossier: CheckoutDossier, now: Date): PublicSums {
  const { checkout, commitments, payments } = dossier;
  const decimals = findCurrency(checkout.billingCurrency)?.decimals ?? 2;
  const written = (minor: bigint): string => formatFixed(fromUnits(minor, decimals), decimals);
  const priceOf = ({ quote }: Commitment): bigint => toUnits(decimal(quote.price), decimals, 'half-up');
  const worthOf = (commitment: Commitment, units: bigint): bigint =>
    divideUnits(units * priceOf(commitment), commitment.dueUnits, 'half-up');
  const commitmentOn = (rail: Rail) => commitments.findLast((commitment) => railOf(commitment) === railOf(rail));
  const worthOn = (rail: Rail, units: bigint): bigint | null => {
    const commitment = commitmentOn(rail);
    return commitment ? worthOf(commitment, units) : null;
  };
  const sumOf = (rail: Rail, units: bigint, worth = worthOn(rail, units)): PublicSum => {
    const asset = present(findAsset(assets, rail.asset), `asset ${rail.asset}`);
    const assetCode = commitmentOn(rail)?.quote.paymentCode ?? asset.assetCode;
    const amount = formatPayment(units, { paymentCode: assetCode, railScale: asset.ledgerScale });
    return { amount, assetCode, price: worth === null ? null : written(worth) };
  };

  const counted = payments.filter((payment) => isAlive(payment) && payment.commitmentId !== null);
  const byRail = [...Map.groupBy(counted, railOf).values()].map((group) => ({
    group,
    rail: present(group[0], 'a payment of the group'),
    units: group.reduce((sum, { units }) => sum + units, 0n),
  }));
  const latest = commitments.at(-1);
  const price = latest ? priceOf(latest) : 0n;
  // Whoever may pay in the money of the bill is asked for whole cents, and is not told of one less.
  const isOfBill = (commitment: Commitment | undefined): boolean =>
    commitment?.quote.paymentCode === checkout.billingCurrency;
  const isInBill = commitments.some(isOfBill);
  const missing = latest ? missingPrice(dossier, price, now, isInBill ? 'up' : 'half-up') : 0n;
  // Credited with less than the price. What came after that is no part of what was accepted.
  const isAccepted = standingSettlement(dossier) !== undefined && checkout.exceptions.includes('PARTIAL');
  const settled = payments.filter((payment) => isAlive(payment) && payment.place === 'settled');
  const excess = [
    ...refundableInSuspense(dossier, now).filter(({ context }) => context === 'OVERPAID_CHECKOUT'),
    ...dossier.refunds.filter(isOfExcess),
  ];
  // While something is missing, what came late is shown by what it counts for: by its quote nothing might be missing.
  const facts = { ...checkout, commitments };
  const isValuedLate = (payment: Payment): boolean =>
    portionsOf(facts, payment, now).some(({ priceUnits }) => priceUnits !== null);
  const countedWorth = (group: readonly Payment[]): bigint =>
    price - divideUnits(missingUnits({ ...dossier, payments: group }, price * finer, now), finer, 'half-up');
  const tooMuch = excess.reduce((sum, kept) => sum + (worthOn(kept, kept.units) ?? 0n), 0n);
  const worths = addedUp(
    byRail.map(({ rail, units, group }) =>
      missing > 0n && group.some(isValuedLate) ? countedWorth(group) : worthOn(rail, units),
    ),
    byRail.map(({ rail }) => isOfBill(commitmentOn(rail))),
    price - missing + tooMuch,
  );
  return {
    due: latest ? { ...sumOf(latest, latest.dueUnits), price: written(price) } : null,
    received: byRail.map(({ rail, units }, at) => sumOf(rail, units, worths[at])),
    // While something is missing, the two must add up to the price exactly: customers would ask about a missing cent.
    receivedPrice: written(
      missing > 0n ? price - missing : worths.reduce<bigint>((sum, each) => sum + (each ?? 0n), 0n),
    ),
    missingPrice: missing > 0n ? written(missing) : null,
    acceptedPrice: isAccepted
      ? written(price - missingPrice({ ...dossier, payments: settled }, price, now, 'half-up'))
      : null,
    excess: excess.map((kept) => sumOf(kept, kept.units)),
    returned: dossier.refunds
      .filter((refund) => isOfExcess(refund) && refund.state === 'COMPLETED')
      .map((refund) => sumOf(refund, arrivedUnits(refund))),
  };
}

const finer = 1_000_000n;

/** In cents, but never nothing while anything is missing. */
function missingPrice(dossier: CheckoutDossier, price: bigint, now: Date, rounding: 'up' | 'half-up'): bigint {
  const missing = missingUnits(dossier, price * finer, now);
  const rounded = divideUnits(missing, finer, rounding);
  return missing > 0n && rounded === 0n ? 1n : rounded;
}

/**
 * Each worth is rounded to the nearest cent, and so is what they are to add up to. Where only that makes a difference,
 * it is the largest one's, but not that of the bill's own money, which is worth itself. Any other difference is a true
 * one: what came late counts by another rate than its quote's.
 */
function addedUp(worths: readonly (bigint | null)[], areOfBill: readonly boolean[], sum: bigint): (bigint | null)[] {
  const known = worths.map((worth) => worth ?? 0n);
  const difference = sum - known.reduce((total, worth) => total + worth, 0n);
  const isByRounding = 2n * (difference < 0n ? -difference : difference) <= BigInt(worths.length) + 1n;
  const rounded = areOfBill.every(Boolean) ? known : known.map((worth, at) => (areOfBill[at] ? -1n : worth));
  const largest = rounded.findIndex((worth) => rounded.every((other) => other <= worth));
  return isByRounding
    ? worths.map((worth, at) => (at === largest && worth !== null ? worth + difference : worth))
    : [...worths];
}

/** Of one that failed or is over we hold the money again. */
const isOfExcess = ({ context, state }: Refund): boolean =>
  context === 'OVERPAID_CHECKOUT' && !refundStates.last.some((each) => each === state);
