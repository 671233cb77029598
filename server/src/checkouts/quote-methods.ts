/** Every method by which a charge can be paid now, priced; and for every method that is left out, why. */
import {
  type AssetCatalog,
  type CatalogAsset,
  findAsset,
  isAvailable,
  isCreditable,
  type RiskTolerance,
} from '../catalog/asset-catalog.ts';
import { findCurrency } from '../catalog/currency-catalog.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import { present } from '../lib/assert.ts';
import { type ToldProblem, told } from '../lib/errors.ts';
import { rescale } from '../money/amount.ts';
import type { Decimal } from '../money/decimal.ts';
import type { Connector } from '../networks/port/connector.ts';
import { paymentWindowMs } from '../networks/port/definition.ts';
import { isQuote, quoteMethod } from '../pricing/quote.ts';
import type { RateBook } from '../pricing/rate-book.ts';
import { type AgreedFees, agreedFees, type FeeSchedule } from '../pricing/settlement-fee.ts';
import { ableVenues, type VenueDeps } from '../venues/able-venues.ts';
import { offerShortage, type StockBook } from '../venues/stock-book.ts';
import type { Quote } from './checkout.ts';
import type { LeftOutMethod, NothingOffered } from './checkout-errors.ts';
import { isAskedExactly } from './is-asked-exactly.ts';
import { quoteValidityMs } from './quote-validity.ts';

export type QuoteDeps = VenueDeps & {
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly assets: AssetCatalog;
  readonly health: NetworkHealth;
  readonly rates: RateBook;
  readonly fees: FeeSchedule;
  /** What pays for the market while a price holds for so long, as a part: 0.01 is 1 %. */
  readonly bufferOf: (paid: string, credited: string, heldMs: number) => Decimal;
  /** What the house keeps of every exchange, as a part. */
  readonly swapSpread: Decimal;
  readonly stock: StockBook;
};

export type QuoteRequest = {
  readonly merchantId: string;
  readonly total: Decimal;
  readonly billingCurrency: string;
  readonly settlementAsset: string; // an asset id, or ORIGIN
  readonly enabledHighRisk: ReadonlySet<string>;
  readonly riskTolerance: RiskTolerance;
  /** Whether the merchant takes what is paid by bank in another asset, at the rate when it is booked. */
  readonly takesRateOfBooking: boolean;
  readonly agreed: AgreedFees;
  /** By network: the asset that is credited under ORIGIN instead of our own (spec §4.4). */
  readonly anchors: Readonly<Record<string, unknown>>;
  /** What the treasury has promised to the same checkout before, by the id of the credited asset. */
  readonly held?: ReadonlyMap<string, bigint>;
};

export type QuotedMethods = NothingOffered & { readonly quotes: Quote[]; readonly leftOut: LeftOutMethod[] };

/** `advice`: only where there are no quotes. */
export function quoteMethods(deps: QuoteDeps, request: QuoteRequest): QuotedMethods {
  const billing = present(findCurrency(request.billingCurrency), `currency ${request.billingCurrency}`);
  const settlement =
    request.settlementAsset === 'ORIGIN'
      ? 'ORIGIN'
      : creditedIn(present(findAsset(deps.assets, request.settlementAsset), `asset ${request.settlementAsset}`));
  const fees = agreedFees(deps.fees, request.agreed);
  const quotes: Quote[] = [];
  const leftOut: LeftOutMethod[] = [];
  const tooRisky: CatalogAsset[] = [];

  for (const { network } of deps.connectors.values()) {
    if (!deps.health.isUp(network.id)) {
      const reason = told('network_away', `${network.name} is not reachable at the moment.`, { network: network.name });
      leftOut.push({ network: network.id, assetId: null, reason, isPassing: true });
      continue;
    }
    for (const { assetCode, paymentCode, scale, minimumUnits } of network.assets) {
      const asset = present(findAsset(deps.assets, assetCode), `asset ${assetCode}`);
      if (!isAvailable(asset, request.enabledHighRisk)) continue;
      const leave = ({ code, sentence, facts }: ToldProblem, isPassing: boolean): void => {
        const method = { asset: asset.name, network: network.name };
        const reason = told(code, `${method.asset} on ${method.network}: ${sentence}`, { ...facts, ...method });
        leftOut.push({ network: network.id, assetId: asset.id, reason, isPassing });
      };
      if (network.takesOwnCurrencyOnly && billing.code !== asset.currencyCode) {
        leave(onlyInCurrency(asset), false);
        continue;
      }
      const heldMs = quoteValidityMs + paymentWindowMs(network);
      const outcome = quoteMethod({
        total: request.total,
        billing: { code: billing.code, decimals: billing.decimals },
        paid: { ...creditedIn(asset), paymentCode, railScale: scale, minimumUnits },
        settlement: settlement === 'ORIGIN' ? (anchorOf(deps, request, network.id, asset) ?? settlement) : settlement,
        fees,
        bufferOf: (paid, credited) => deps.bufferOf(paid, credited, heldMs),
        spread: deps.swapSpread,
        rateOf: deps.rates.rate,
        isAtBooking: network.takesOwnCurrencyOnly === true,
        isExact: isAskedExactly(deps.assets, asset, billing.code),
      });
      if (!isQuote(outcome)) {
        leave(outcome.reason, outcome.leftOut === 'NO_RATE');
        continue;
      }
      const credited = present(findAsset(deps.assets, outcome.settlement.assetId), 'the credited asset');
      if (!isCreditable(credited, request.riskTolerance)) {
        leave(tooRiskyFor(credited), false);
        tooRisky.push(asset);
        continue;
      }
      const isAtBooking = network.takesOwnCurrencyOnly === true && credited.id !== asset.id;
      if (isAtBooking && !request.takesRateOfBooking) {
        leave(creditedAsPaid(asset), false);
        continue;
      }
      if (credited.id !== asset.id && ableVenues(deps, asset, credited).length === 0) {
        leave(notExchanged(credited), false);
        continue;
      }
      const receivable = deps.health.status(network.id)?.facts.receivable?.[assetCode];
      if (receivable !== undefined && outcome.paymentUnits > BigInt(receivable)) {
        leave(told('method_too_much', 'so much cannot be received at the moment.'), true);
        continue;
      }
      const { grossUnits, feeUnits, amount, netAmount, fee, assetId } = outcome.settlement;
      const heldUnits = request.held?.get(assetId) ?? 0n;
      const wish = { merchantId: request.merchantId, paid: asset, credited, units: grossUnits, heldUnits };
      // Nobody can promise for a week what will be given at a rate that nobody knows.
      const shortage = isAtBooking ? null : offerShortage(deps, wish);
      if (shortage !== null) {
        leave(shortage, true);
        continue;
      }
      quotes.push({
        network: network.id,
        assetId: asset.id,
        paymentCode,
        paymentAmount: outcome.paymentAmount,
        dueUnits: rescale(outcome.paymentUnits, scale, asset.ledgerScale, 'up').toString(),
        price: outcome.price,
        settlement: {
          assetId,
          amount,
          netAmount,
          fee,
          grossUnits: grossUnits.toString(),
          feeUnits: feeUnits.toString(),
        },
        buffer: outcome.bufferApplied,
        rates: outcome.rates,
        ...(isAtBooking && { isAtBooking }),
      });
    }
  }
  const advice = quotes.length === 0 && tooRisky.length > 0 ? [riskAdvice(deps, request, tooRisky)] : [];
  return { quotes, leftOut, advice };
}

const tooRiskyFor = ({ assetCode: credited }: CatalogAsset): ToldProblem =>
  told('method_too_risky', `the account takes no ${credited}, because its risk tolerance is LOW.`, { credited });

const onlyInCurrency = ({ currencyCode: currency }: CatalogAsset): ToldProblem =>
  told('method_only_in_currency', `only charges in ${currency} can be paid with it.`, { currency });

const creditedAsPaid = ({ assetCode: paid }: CatalogAsset): ToldProblem =>
  told('method_credited_as_paid', `what is paid with it is credited in ${paid} only.`, { paid });

const notExchanged = ({ assetCode: credited }: CatalogAsset): ToldProblem =>
  told('method_not_exchanged', `it cannot be exchanged for ${credited}.`, { credited });

/** Nothing is credited as it is paid: what these could be exchanged for, or another tolerance. */
function riskAdvice(
  deps: QuoteDeps,
  { enabledHighRisk, riskTolerance }: QuoteRequest,
  paid: CatalogAsset[],
): ToldProblem {
  const choices = deps.assets.assets.filter(
    (asset) =>
      isAvailable(asset, enabledHighRisk) &&
      isCreditable(asset, riskTolerance) &&
      paid.some((each) => ableVenues(deps, each, asset).length > 0),
  );
  const codes = choices.map(({ assetCode }) => assetCode);
  const tolerance = 'the account a risk tolerance of MEDIUM in its settlement settings';
  return codes.length === 0
    ? told('advice_medium_risk', `Nothing of LOW risk can be credited here: give ${tolerance}.`)
    : told(
        'advice_credited_in',
        `Name ${codes.join(' or ')} as settlementAsset, for which what is paid is exchanged, or give ${tolerance}.`,
        { assets: codes.join(' / ') },
      );
}

/**
 * Undefined: no anchor is preferred, or its asset is not for this coin or this merchant; then our own asset is
 * credited.
 */
function anchorOf(deps: QuoteDeps, request: QuoteRequest, network: string, paid: CatalogAsset) {
  const wanted = request.anchors[network];
  const anchor = typeof wanted === 'string' ? findAsset(deps.assets, wanted) : undefined;
  if (!anchor || anchor.currencyCode !== paid.currencyCode || !isAvailable(anchor, request.enabledHighRisk))
    return undefined;
  return creditedIn(anchor);
}

const creditedIn = (asset: CatalogAsset) => ({
  assetId: asset.id,
  code: asset.currencyCode,
  ledgerScale: asset.ledgerScale,
});
