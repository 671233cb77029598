/**
 * How much a refund is, and of what. Pure.
 *
 * Out of suspense goes what was paid. What was credited has a worth, and the basis says by which rates: as many units
 * as were paid, or the billed amount at the rates of the checkout or of now. In every case a refund covers a part of
 * the paid units, and all refunds together never cover more than all of them.
 */
import { isOfAnchor } from '../catalog/asset-catalog.ts';
import type { Checkout, CheckoutDossier, Commitment } from '../checkouts/checkout.ts';
import type { Cover, RefundBasis, RefundContext, Take } from '../checkouts/refund.ts';
import { present } from '../lib/assert.ts';
import { invalidRequest, told } from '../lib/errors.ts';
import { formatUnits, proportion } from '../money/amount.ts';
import { decimal, divideUnits, toUnits } from '../money/decimal.ts';
import { isRate } from '../pricing/combine-rates.ts';
import { ratioOf } from '../pricing/conversion.ts';
import { type UsedRate, usedConversion, usedRate } from '../pricing/quote.ts';
import {
  type Credited,
  credited,
  type InSuspense,
  isUnsettling,
  refundableInSuspense,
  takesOf,
} from '../settlements/refundable.ts';
import { beingUnsettled } from '../settlements/settlement-errors.ts';
import type { SettlementTerms } from '../settlements/settlement-parts.ts';
import { ambiguousRefund, moreThanRefundable, noRateForRefund, nothingToRefund } from './refund-errors.ts';

export type RefundWish = {
  readonly context?: RefundContext | undefined;
  readonly amount?: string | undefined;
  readonly asset?: string | undefined; // an id
  readonly network?: string | undefined;
  readonly basis?: RefundBasis | undefined;
};

export type PricedRefund = {
  readonly context: RefundContext;
  /** The network on which it was paid. It can be sent on another network that has the asset. */
  readonly network: string;
  readonly asset: string;
  readonly units: bigint;
  readonly takes: readonly Take[];
  readonly covers: readonly Cover[];
  readonly basis: RefundBasis;
  readonly rates: readonly UsedRate[];
};

type Terms = Pick<SettlementTerms, 'assetFacts' | 'rateOf'>;

export function priceRefund(dossier: CheckoutDossier, wish: RefundWish, terms: Terms, now: Date): PricedRefund {
  const option = chooseOption(dossier, wish, terms, now);
  const priced =
    option.context === 'COMPLETED_CHECKOUT'
      ? priceCredited(dossier.checkout, option, wish, terms)
      : priceSuspended(option, wish, terms);
  if (priced.units === 0n) throw invalidRequest([told('amount_not_positive', 'amount must be greater than 0.')]);
  return { context: option.context, network: option.network, ...priced };
}

/** If the request does not say what, money in suspense goes first: it is the customer's. */
function chooseOption(dossier: CheckoutDossier, { context, asset, network }: RefundWish, terms: Terms, now: Date) {
  if (isUnsettling(dossier, now)) throw beingUnsettled();
  const waiting = refundableInSuspense(dossier, now).filter(
    (option) => isWanted(context, option.context) && isWanted(asset, option.asset),
  );
  const isForCredited = context === 'COMPLETED_CHECKOUT' || (context === undefined && waiting.length === 0);
  const options = isForCredited ? creditOptions(credited(dossier, now), asset, terms) : waiting;
  const [option, ...others] = options;
  if (!option) throw nothingToRefund(dossier.checkout.state, describeWish({ context, asset }));
  if (others.length === 0) return option;
  // The network says where to send it. If there are several possibilities, it also chooses the one that came there.
  const onNetwork = options.filter((each) => each.network === network);
  if (onNetwork.length === 1 && onNetwork[0]) return onNetwork[0];
  throw ambiguousRefund(options.map((each) => `${code(each.asset)} on ${each.network}`));
}

/** Seen in the asset in which all parts were credited, the parts are one, however each of them was paid. */
function creditOptions(parts: readonly Credited[], asset: string | undefined, terms: Terms): readonly Credited[] {
  const wanted = parts.filter((part) => isWanted(asset, part.asset) || asset === part.creditedAsset);
  const [first, ...others] = wanted;
  const isOne = others.every(({ creditedAsset }) => creditedAsset === first?.creditedAsset);
  if (!first || !isOne || !isWanted(asset, first.creditedAsset) || !isSendable(first.creditedAsset, terms))
    return wanted;
  const native = wanted.find((part) => part.asset === part.creditedAsset) ?? first;
  return [{ ...native, commitments: wanted.flatMap(({ commitments }) => commitments) }];
}

/**
 * An asset that no network has cannot be sent. If the request does not say what, the refund goes back in what was paid.
 */
const isSendable = (asset: string, terms: Terms): boolean => !isOfAnchor(terms.assetFacts(asset));

const isWanted = (wanted: string | undefined, found: string): boolean => wanted === undefined || wanted === found;
const code = (asset: string): string => asset.split(':')[0] ?? asset;

const describeWish = ({ context, asset }: RefundWish): string =>
  [
    'nothing',
    context === 'OVERPAID_CHECKOUT' ? 'beyond its price' : context === 'UNDERPAID_CHECKOUT' ? 'in suspense' : '',
    asset === undefined ? '' : `in ${code(asset)}`,
  ]
    .filter((part) => part !== '')
    .join(' ');

type Priced = Omit<PricedRefund, 'context' | 'network'>;

function priceSuspended(option: InSuspense, wish: RefundWish, terms: Terms): Priced {
  if (wish.basis !== undefined && wish.basis !== 'PAID_UNITS')
    throw invalidRequest('basis must be PAID_UNITS for what was not credited: it goes back as it came.');
  const units = wantedUnits(wish.amount, option.asset, option.units, terms);
  return { asset: option.asset, units, takes: takesOf(option, units), covers: [], basis: 'PAID_UNITS', rates: [] };
}

function priceCredited(checkout: Checkout, option: Credited, wish: RefundWish, terms: Terms): Priced {
  const asset = wish.asset ?? (isSendable(option.creditedAsset, terms) ? option.creditedAsset : option.asset);
  const other = option.commitments.find(({ commitment }) => commitment.asset !== asset)?.commitment;
  const basis = wish.basis ?? (other ? 'BILLING_RATE' : 'PAID_UNITS');
  if (basis === 'PAID_UNITS' && other)
    throw invalidRequest(
      `basis cannot be PAID_UNITS: ${code(other.asset)} was paid, and this refund is in ${code(asset)}.`,
    );
  const parts = option.commitments.map(({ commitment, units }) => ({
    commitment,
    paidUnits: units,
    worth: basis === 'PAID_UNITS' ? { units, rates: [] } : worthOf(checkout, commitment, units, asset, basis, terms),
  }));
  const most = parts.reduce((sum, { worth }) => sum + worth.units, 0n);
  const units = wantedUnits(wish.amount, asset, most, terms);

  const covers: Cover[] = [];
  let missing = units;
  for (const { commitment, paidUnits, worth } of parts) {
    const given = missing < worth.units ? missing : worth.units;
    missing -= given;
    // Rounded up, so that many small refunds do not add up to more than one large one.
    const covered = given === worth.units ? paidUnits : proportion(paidUnits, given, worth.units, 'up');
    if (given > 0n) covers.push({ commitmentId: commitment.id, units: covered.toString() });
  }
  const rates = parts.flatMap(({ worth }) => worth.rates);
  return { asset, units, takes: [], covers, basis, rates: uniqueRates(rates) };
}

/** The billed price of so many of the due units, in an asset. */
function worthOf(
  { billingCurrency }: Checkout,
  { quote, dueUnits }: Commitment,
  paidUnits: bigint,
  asset: string,
  basis: RefundBasis,
  terms: Terms,
): { units: bigint; rates: UsedRate[] } {
  const { ledgerScale, currencyCode } = terms.assetFacts(asset);
  const rates = [billingCurrency, currencyCode].map((each) =>
    basis === 'BILLING_RATE' ? quotedRate(quote.rates, each) : currentRate(terms, each),
  );
  const [billed, refunded] = rates as [UsedRate, UsedRate];
  const price = decimal(quote.price);
  const scales = { from: price.scale, to: ledgerScale };
  const { numerator, denominator } = ratioOf(usedConversion(billed, refunded), scales);
  return { units: divideUnits(price.digits * paidUnits * numerator, dueUnits * denominator, 'down'), rates };
}

const quotedRate = (rates: readonly UsedRate[], wanted: string): UsedRate =>
  present(
    rates.find((rate) => rate.code === wanted),
    `rate of ${wanted} in the quote`,
  );

function currentRate(terms: Terms, wanted: string): UsedRate {
  const rate = terms.rateOf(wanted);
  if (!isRate(rate)) throw noRateForRefund(`There is no current rate for ${wanted}: ${rate.missing}.`);
  return usedRate(wanted, rate);
}

const uniqueRates = (rates: readonly UsedRate[]): UsedRate[] => [
  ...new Map(rates.map((rate) => [`${rate.code} ${rate.usd}`, rate])).values(),
];

function wantedUnits(amount: string | undefined, asset: string, most: bigint, terms: Terms): bigint {
  if (amount === undefined) return most;
  const { ledgerScale } = terms.assetFacts(asset);
  const wanted = decimal(amount);
  const units = toUnits(wanted, ledgerScale, 'down');
  if (toUnits(wanted, ledgerScale, 'up') !== units)
    throw invalidRequest([
      told('amount_asset_decimals', `amount must have at most ${ledgerScale} decimals for ${code(asset)}.`, {
        asset: code(asset),
        most: String(ledgerScale),
      }),
    ]);
  if (units > most) throw moreThanRefundable(formatUnits(most, ledgerScale), code(asset));
  return units;
}
