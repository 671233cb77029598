/**
 * What a merchant is credited for confirmed payments. Pure.
 *
 * Payments count in the order of their arrival until the price is full; what is beyond it is excess and waits in
 * suspense, unless it is dust, which is the merchant's. Each commitment is credited by its own quote, as long as what was
 * paid is worth that when it confirms: a price that held whatever the market does would be an option (docs/decisions/0146).
 * What was paid by bank for another asset, after the window, or long before the rest of the price, or accepted although it
 * was too little, is converted at today's rate in any case, or at the one that was kept when it had to wait for a venue.
 */
import type { CatalogAsset } from '../catalog/asset-catalog.ts';
import {
  type CheckoutDossier,
  type Commitment,
  firstIdOf,
  type KeptRate,
  type Payment,
  type SettledPart,
  type Settlement,
} from '../checkouts/checkout.ts';
import { factsOf } from '../checkouts/checkout-facts.ts';
import { deriveCheckout, isConfirmed } from '../checkouts/checkout-state.ts';
import { inOrderOfArrival, type Portion, partOf } from '../checkouts/payment-portions.ts';
import { assert, present } from '../lib/assert.ts';
import { addMs, hours } from '../lib/clock.ts';
import { proportion } from '../money/amount.ts';
import { type Decimal, zero } from '../money/decimal.ts';
import {
  type Conversion,
  convertUnits,
  exchangeRate,
  isConversion,
  isOfAfter,
  type RateOf,
  storable,
  storedConversion,
} from '../pricing/conversion.ts';
import { type Credit, creditAtRate, creditForPayment } from '../pricing/credit-for-payment.ts';
import { type FeeSchedule, leastFeeAt } from '../pricing/settlement-fee.ts';
import { countedParts, worthUnits } from '../pricing/share-of-price.ts';
import type { ExchangeTerms } from './plan-exchange.ts';

export type SettlementTerms = {
  readonly fees: FeeSchedule;
  readonly rateOf: RateOf;
  /** What the house keeps of every exchange, as a part, beside the margins of the rates. */
  readonly spread: Decimal;
  readonly assetFacts: (assetId: string) => Pick<CatalogAsset, 'ledgerScale' | 'currencyCode' | 'networks'>;
  /** An excess below this is not worth sending back. */
  readonly dustUnits: (network: string, assetId: string) => bigint;
  /** Left out: everything is exchanged by the treasury. */
  readonly exchange?: ExchangeTerms;
};

export type SettlementOutcome =
  | {
      readonly parts: readonly SettledPart[];
      readonly rates: readonly KeptRate[];
      /** What was in time and is worth less than its quote by now. Null: nothing is. */
      readonly outrun: Outrun | null;
    }
  | { readonly noMarket: string }
  /** There are rates, but only of before it confirmed: whoever paid may have known better ones. */
  | { readonly awaitsRate: true };

export type Outrun = { readonly creditedAsset: string; readonly quotedUnits: bigint; readonly grossUnits: bigint };

/**
 * What waits for a market can be refunded instead. If the rate were kept for days, the merchant could choose the better
 * one.
 */
const rateKeptMs = hours(4);

type Basis = SettledPart['basis'];
/** `dust`: units beyond the price that are not worth sending back. */
type Share = {
  readonly portion: Portion<Payment>;
  readonly commitment: Commitment;
  readonly counted: bigint;
  dust: bigint;
  excess: bigint;
};
/** Shares that are credited in the same way. No rate: by the quote, or nothing of them is credited. */
type Group = {
  readonly basis: Basis;
  readonly rate: KeptRate | null;
  readonly isOutrun: boolean;
  readonly shares: Share[];
};

export function settlementParts(dossier: CheckoutDossier, terms: SettlementTerms, now: Date): SettlementOutcome {
  const facts = factsOf(dossier);
  // What was accepted and then paid in full after all counts as paid in full.
  const { isAccepted, paidAt } = deriveCheckout(facts, now);
  // The same coin under another name, of an anchor or on Lightning, is always worth the same: there is no rate to
  // change.
  const coinOf = (assetId: string): string => terms.assetFacts(assetId).currencyCode;
  const byCommitment = new Map<string, { commitment: Commitment; groups: Map<string, Group> }>();
  const isKept = ({ keptAt }: KeptRate): boolean => !keptAt || now < addMs(new Date(keptAt), rateKeptMs);
  const stillKept = dossier.checkout.keptRates.filter(isKept);
  const takenBack = takenBackLately(dossier, now);
  const [kept, creditedAt] = [byPayment(stillKept), byPayment(takenBack === null ? [] : ratesOf(takenBack))];
  const rates = new Map<string, KeptRate>();

  for (const share of sharesOf(dossier, terms, now)) {
    const isConverted = coinOf(share.commitment.quote.settlement.assetId) !== coinOf(share.commitment.asset);
    const { isLate, payment } = share.portion;
    const isAtBooking = share.commitment.quote.isAtBooking === true;
    const credited = takenBack !== null && isOf(takenBack, payment) ? takenBack : null;
    const isOld = isLate || isAtBooking || isOutlived(share.portion, paidAt, credited?.settledAt ?? now);
    const because = isAccepted ? 'RATE_OF_ACCEPTANCE' : 'RATE_OF_ARRIVAL';
    const { commitment } = share;
    const needsRate = isConverted && share.counted + share.dust > 0n; // Only excess needs no market.
    const name = nameOfRate(because, firstIdOf(payment));
    const known = (credited && creditedAt.get(name)) ?? kept.get(name);
    const rate = needsRate ? (known ?? rateNow(share, because, terms, now)) : null;
    if (rate && !('basis' in rate)) return rate;
    if (rate) rates.set(payment.id, rate);
    const isInTime = !isAccepted && !isOld;
    const isOutrun = rate !== null && isInTime && isWorthLess(rate, commitment, terms);
    const basis: Basis = !isConverted || (isInTime && !isOutrun) ? 'QUOTE' : because;
    const { groups } = byCommitment.get(commitment.id) ?? { groups: new Map<string, Group>() };
    const key = rate && basis !== 'QUOTE' ? `${basis} ${rate.paidUsd} ${rate.creditedUsd} ${isOutrun}` : basis;
    const group = groups.get(key) ?? { basis, rate: basis === 'QUOTE' ? null : rate, isOutrun, shares: [] };
    group.shares.push(share);
    groups.set(key, group);
    byCommitment.set(commitment.id, { commitment, groups });
  }

  const parts: SettledPart[] = [];
  let outrun: Outrun | null = null;
  for (const { commitment, groups } of byCommitment.values()) {
    for (const { basis, rate, isOutrun, shares } of groups.values()) {
      const [counted, dust] = [total(shares.map((share) => share.counted)), total(shares.map((share) => share.dust))];
      const excess = total(shares.map((share) => share.excess));
      const worth = total(shares.map(worthOf));
      const credit = rate
        ? creditAt(rate, commitment, counted + dust, terms)
        : creditByQuote(commitment, counted, dust);
      if (isOutrun) outrun = withOutrun(outrun, commitment, creditByQuote(commitment, counted, dust), credit);
      parts.push({
        commitmentId: commitment.id,
        network: commitment.network,
        paidAsset: commitment.asset,
        countedUnits: (counted + dust).toString(),
        ...(worth !== counted + dust && { worthUnits: worth.toString() }),
        excessUnits: excess.toString(),
        creditedAsset: commitment.quote.settlement.assetId,
        grossUnits: credit.grossUnits.toString(),
        feeUnits: credit.feeUnits.toString(),
        netUnits: credit.netUnits.toString(),
        basis,
        ...ratesOfShares(shares, rates),
      });
    }
  }
  assert(parts.length > 0, 'a settlement settles something');
  return { parts: withLeastFee(parts, terms), rates: [...rates.values()], outrun };
}

/** Also where the quote was credited: what is credited again is weighed as it was. */
function ratesOfShares(shares: readonly Share[], rates: ReadonlyMap<string, KeptRate>): Pick<SettledPart, 'rates'> {
  const used = shares.flatMap(({ portion: { payment } }) => {
    const rate = rates.get(payment.id);
    return rate ? [[firstIdOf(payment), { ...rate, paymentId: firstIdOf(payment) }] as const] : [];
  });
  return used.length === 0 ? {} : { rates: [...new Map(used).values()] };
}

const withOutrun = (outrun: Outrun | null, { quote }: Commitment, quoted: Credit, credit: Credit): Outrun => ({
  creditedAsset: quote.settlement.assetId,
  quotedUnits: (outrun?.quotedUnits ?? 0n) + quoted.grossUnits,
  grossUnits: (outrun?.grossUnits ?? 0n) + credit.grossUnits,
});

/** Whether the whole price of a commitment is worth less than what its quote promised for it. */
const isWorthLess = (rate: KeptRate, commitment: Commitment, terms: SettlementTerms): boolean =>
  convertUnits(keptConversion(rate), commitment.dueUnits, scalesOf(commitment, terms), 'down') <
  BigInt(commitment.quote.settlement.grossUnits);

const keptConversion = ({ paidUsd, creditedUsd }: KeptRate): Conversion => storedConversion(paidUsd, creditedUsd);

const scalesOf = ({ asset, quote }: Commitment, { assetFacts }: SettlementTerms) => ({
  from: assetFacts(asset).ledgerScale,
  to: assetFacts(quote.settlement.assetId).ledgerScale,
});

const nameOfRate = (basis: Basis, paymentId: string): string => `${basis} ${paymentId}`;
const byPayment = (rates: readonly KeptRate[]): ReadonlyMap<string, KeptRate> =>
  new Map(rates.map((rate) => [nameOfRate(rate.basis, rate.paymentId), rate]));

/**
 * What was credited and taken back because a part of it vanished is credited again as it was, as far as it still stands: else
 * who has a cent taken back could have all the rest converted anew when the rate is good. But only while it is done at
 * once: what waits for a decision or for more money has the rate of that day.
 */
function takenBackLately({ settlements }: CheckoutDossier, now: Date): Settlement | null {
  const last = settlements.at(-1);
  return last?.reversedAt && now < addMs(last.reversedAt, rateKeptMs) ? last : null;
}

const ratesOf = ({ parts }: Settlement): readonly KeptRate[] => parts.flatMap(({ rates }) => rates ?? []);

/** What was given up by its chain and is in another block since then is not. */
const isOf = ({ settledAt }: Settlement, { blockTime }: Payment): boolean =>
  blockTime !== null && blockTime <= settledAt;

const worthOf = ({ portion, counted, dust }: Share): bigint =>
  portion.priceUnits ? worthUnits({ ...partOf(portion), receivedUnits: counted + dust }) : counted + dust;

/**
 * A quote converts what came in its window, but it does not wait for the rest of the price for ever. Otherwise somebody
 * could pay nearly all of an own checkout, and send the rest or accept it when the rate is good.
 */
const isOutlived = ({ end, graceEnds }: Portion, paidAt: Date | null, now: Date): boolean =>
  paidAt !== null && paidAt >= end && now >= graceEnds;

/**
 * The minimum fee is taken once per settlement. A quote has it in its fee. Parts at another rate pay the percentage,
 * and then only what all parts together still lack to the minimum. Those parts are all credited in one asset, because
 * ORIGIN converts nothing.
 */
function withLeastFee(parts: readonly SettledPart[], terms: SettlementTerms): SettledPart[] {
  const atRate = parts.find(({ basis, countedUnits }) => basis !== 'QUOTE' && countedUnits !== '0');
  const [rate] = atRate?.rates ?? [];
  if (!atRate || !rate) return [...parts];
  // Units of different assets cannot be added.
  const isSameAsset = ({ creditedAsset }: SettledPart): boolean => creditedAsset === atRate.creditedAsset;
  const taken = total(parts.filter(isSameAsset).map(({ feeUnits }) => BigInt(feeUnits)));
  const { ledgerScale } = terms.assetFacts(atRate.creditedAsset);
  let missing = leastFeeAt(ledgerScale, keptConversion(rate), terms.fees) - taken;
  return parts.map((part) => {
    if (part.basis === 'QUOTE' || !isSameAsset(part) || missing <= 0n) return part;
    const more = missing < BigInt(part.netUnits) ? missing : BigInt(part.netUnits);
    missing -= more;
    const [feeUnits, netUnits] = [BigInt(part.feeUnits) + more, BigInt(part.netUnits) - more];
    return { ...part, feeUnits: feeUnits.toString(), netUnits: netUnits.toString() };
  });
}

/** How much of each portion of a confirmed payment counts towards the price, and how much is beyond it. */
function sharesOf(dossier: CheckoutDossier, terms: SettlementTerms, now: Date): Share[] {
  const commitments = new Map(dossier.commitments.map((commitment) => [commitment.id, commitment]));
  const confirmed = dossier.payments.filter((payment) => payment.commitmentId !== null && isConfirmed(payment));
  const portions = inOrderOfArrival(factsOf(dossier), confirmed, now);
  const counted = countedParts(portions.map(partOf));
  const split = portions.map((portion, position): Share => {
    const counts = present(counted[position], 'counted part');
    const commitment = present(commitments.get(portion.payment.commitmentId ?? ''), 'commitment of a counted payment');
    return { portion, commitment, counted: counts, dust: 0n, excess: portion.units - counts };
  });

  for (const asset of new Set(split.map(({ portion }) => portion.payment.asset))) {
    const ofAsset = split.filter(({ portion }) => portion.payment.asset === asset);
    const excess = total(ofAsset.map((share) => share.excess));
    const [first] = ofAsset;
    if (first && excess >= terms.dustUnits(first.portion.payment.network, asset)) continue;
    for (const share of ofAsset) {
      share.dust = share.excess;
      share.excess = 0n;
    }
  }
  return split;
}

/**
 * The part of the quote that was received. If the price has fallen, late money may be more units than the quote has:
 * the fee is taken on those too. Dust beyond the price is the merchant's at the same rate, without a fee.
 */
function creditByQuote({ quote, dueUnits }: Commitment, units: bigint, dustUnits: bigint): Credit {
  const quoted = { grossUnits: BigInt(quote.settlement.grossUnits), feeUnits: BigInt(quote.settlement.feeUnits) };
  const credit = creditForPayment(units, dueUnits, quoted);
  const dust = proportion(quoted.grossUnits, units + dustUnits, dueUnits, 'down') - credit.grossUnits;
  return { ...credit, grossUnits: credit.grossUnits + dust, netUnits: credit.netUnits + dust };
}

function creditAt(rate: KeptRate, commitment: Commitment, units: bigint, terms: SettlementTerms): Credit {
  const fees = { ...terms.fees, minimumUsd: zero }; // see withLeastFee
  return creditAtRate(units, keptConversion(rate), scalesOf(commitment, terms), fees);
}

function rateNow(
  { portion: { payment }, commitment }: Share,
  basis: KeptRate['basis'],
  terms: SettlementTerms,
  now: Date,
): KeptRate | { noMarket: string } | { awaitsRate: true } {
  const paid = terms.assetFacts(commitment.asset).currencyCode;
  const credited = terms.assetFacts(commitment.quote.settlement.assetId).currencyCode;
  const conversion = exchangeRate(terms.rateOf, paid, credited, terms.spread);
  if (!isConversion(conversion)) return { noMarket: `${conversion.code}: ${conversion.missing}` };
  // Also where less is accepted: it may accept itself at the moment at which it comes.
  if (!isOfAfter(terms.rateOf, [paid, credited], arrivedAt(payment, now))) return { awaitsRate: true };
  const { fromUsd, toUsd } = storable(conversion);
  return { paymentId: firstIdOf(payment), basis, paidUsd: fromUsd, creditedUsd: toUsd, keptAt: now.toISOString() };
}

/** The clocks of those who make blocks may be ahead: then our own first sight. */
const arrivedAt = ({ blockTime, firstSeenAt }: Payment, now: Date): Date =>
  blockTime !== null && blockTime <= now ? blockTime : firstSeenAt;

const total = (units: readonly bigint[]): bigint => units.reduce((sum, each) => sum + each, 0n);
