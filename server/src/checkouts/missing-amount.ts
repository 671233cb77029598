/** What is left to pay by a method, as the customer is told. */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { present } from '../lib/assert.ts';
import { formatUnits, rescale, smaller } from '../money/amount.ts';
import { isLess, one } from '../money/decimal.ts';
import type { KnownNetwork } from '../networks/port/connector.ts';
import { networkAsset } from '../networks/port/definition.ts';
import { formatPayment } from '../pricing/quote.ts';
import type { RateBook } from '../pricing/rate-book.ts';
import { roundAmountUp } from '../pricing/round-amount.ts';
import { unitsWorth } from '../pricing/share-of-price.ts';
import type { CheckoutDossier, Commitment, Quote } from './checkout.ts';
import { isAskedExactly } from './is-asked-exactly.ts';
import { missingUnits } from './missing-share.ts';
import { commitmentEnd, priceUnitsOf } from './payment-portions.ts';
import { priceInAsset } from './price-in-asset.ts';

export type MissingDeps = {
  readonly assets: AssetCatalog;
  readonly connectors: ReadonlyMap<string, KnownNetwork>;
  readonly rates: Pick<RateBook, 'rate'>;
};

/** As the payer's wallet writes it, rounded up. Undefined: nothing is missing, or nobody can say how much. */
export function missingAmount(
  deps: MissingDeps,
  dossier: CheckoutDossier,
  commitment: Commitment,
  now: Date,
): string | undefined {
  const missing = missingOnRail(deps, dossier, commitment, now);
  const { paymentCode } = commitment.quote;
  return missing && formatPayment(missing.units, { paymentCode, railScale: missing.scale });
}

/** The same by a method that nobody has chosen yet, at its quote. */
export function missingByQuote(
  deps: MissingDeps,
  dossier: CheckoutDossier,
  quote: Quote,
  now: Date,
): string | undefined {
  const missing = unitsToAsk(deps, dossier, { ...quote, dueUnits: BigInt(quote.dueUnits) }, now);
  return missing && formatPayment(missing.units, { paymentCode: quote.paymentCode, railScale: missing.scale });
}

/** The same in whole coins: 0.0001 where a Lightning wallet writes 10000. */
export function missingCoins(
  deps: MissingDeps,
  dossier: CheckoutDossier,
  commitment: Commitment,
  now: Date,
): string | undefined {
  const missing = missingOnRail(deps, dossier, commitment, now);
  return missing && formatUnits(missing.units, missing.scale);
}

/**
 * What a customer who chose this method is asked for: what is missing, or what the invoice says. Once everything is on
 * its way, whoever asks again is told the same as before.
 */
export function amountToPay(deps: MissingDeps, dossier: CheckoutDossier, commitment: Commitment, now: Date): string {
  const { paymentCode, paymentAmount } = commitment.quote;
  const connector = deps.connectors.get(commitment.network);
  const invoiced = connector?.targetUnits?.(commitment) ?? null;
  if (connector && invoiced !== null) {
    const { assetCode } = present(findAsset(deps.assets, commitment.asset), `asset ${commitment.asset}`);
    return formatPayment(invoiced, { paymentCode, railScale: networkAsset(connector.network, assetCode).scale });
  }
  if (dossier.checkout.state === 'PROCESSING') return paymentAmount;
  return missingAmount(deps, dossier, commitment, now) ?? '0';
}

type RailDeps = Pick<MissingDeps, 'assets' | 'connectors'>;
type Method = { readonly network: string; readonly assetId: string; readonly dueUnits: bigint };
/** In units of the network. */
type Asked = { readonly units: bigint; readonly scale: number };

/** What is missing by a quote: what an invoice is made for. Undefined: nothing is. */
export function unitsToAsk(deps: RailDeps, dossier: CheckoutDossier, method: Method, now: Date): Asked | undefined {
  const units = missingUnits(dossier, method.dueUnits, now);
  return units === 0n ? undefined : onRail(deps, dossier, method, units);
}

function missingOnRail(
  deps: MissingDeps,
  dossier: CheckoutDossier,
  commitment: Commitment,
  now: Date,
): Asked | undefined {
  const units = unitsNow(deps, dossier, commitment, now);
  if (units === null || units === 0n) return undefined;
  return onRail(deps, dossier, { ...commitment, assetId: commitment.asset }, units);
}

/** Rounded like a quote, but never to more than the whole price, and never so that an excess would have to be returned. */
function onRail(
  deps: RailDeps,
  { checkout }: CheckoutDossier,
  { network, assetId, dueUnits }: Method,
  units: bigint,
): Asked {
  const asset = present(findAsset(deps.assets, assetId), `asset ${assetId}`);
  const rail = deps.connectors.get(network)?.network.assets.find(({ assetCode }) => assetCode === asset.assetCode);
  const scale = rail?.scale ?? asset.ledgerScale;
  const exact = rescale(units, asset.ledgerScale, scale, 'up');
  const whole = rescale(dueUnits, asset.ledgerScale, scale, 'up');
  // Less than the network's minimum cannot be sent, so the minimum is asked for.
  if (rail && exact < rail.minimumUnits) return { units: rail.minimumUnits, scale };
  if (!rail || isAskedExactly(deps.assets, asset, checkout.billingCurrency)) return { units: exact, scale };
  const rounded = roundAmountUp(exact, rail.minimumUnits);
  // After the window it may be more than the price by the quote.
  return { units: exact <= whole ? smaller(rounded, whole) : rounded, scale };
}

/** What is sent after the window is valued when it is seen, so the missing amount is counted at the rate of now. */
function unitsNow(deps: MissingDeps, dossier: CheckoutDossier, commitment: Commitment, now: Date): bigint | null {
  const { checkout } = dossier;
  const byQuote = missingUnits(dossier, commitment.dueUnits, now);
  const isInTime = now < commitmentEnd(checkout, commitment);
  if (byQuote === 0n || isInTime || !isLess(checkout.lateTolerance, one)) return byQuote;
  const assetFacts = (id: string) => present(findAsset(deps.assets, id), `asset ${id}`);
  const price = priceInAsset({ rateOf: deps.rates.rate, assetFacts }, checkout.billingCurrency, commitment, now);
  if ('noMarket' in price) return null;
  return unitsWorth(byQuote, { dueUnits: commitment.dueUnits, priceUnits: priceUnitsOf(price) });
}
