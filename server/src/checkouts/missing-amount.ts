/** What is left to pay by a method, as the customer is told. */
import { type AssetCatalog, assetScale, findAsset } from '../catalog/asset-catalog.ts';
import { present } from '../lib/assert.ts';
import { formatUnits, rescale } from '../money/amount.ts';
import { isLess, one } from '../money/decimal.ts';
import type { KnownNetwork } from '../networks/port/connector.ts';
import { networkAsset } from '../networks/port/definition.ts';
import { formatPayment } from '../pricing/quote.ts';
import type { RateBook } from '../pricing/rate-book.ts';
import { unitsWorth } from '../pricing/share-of-price.ts';
import type { CheckoutDossier, Commitment } from './checkout.ts';
import { missingUnits } from './missing-share.ts';
import { commitmentEnd, priceUnitsOf } from './payment-portions.ts';
import { priceInAsset } from './price-in-asset.ts';

export type MissingDeps = {
  readonly assets: AssetCatalog;
  readonly connectors: ReadonlyMap<string, KnownNetwork>;
  readonly rates: Pick<RateBook, 'rate'>;
};

/** As the payer's wallet writes it, rounded up; undefined when nothing is missing, or nobody can say how much. */
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
 * What a customer who chose this method is asked for: what is missing, or what the invoice says. Once all of it is on
 * its way, whoever asks again reads what they read before.
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

function missingOnRail(
  deps: MissingDeps,
  dossier: CheckoutDossier,
  commitment: Commitment,
  now: Date,
): { units: bigint; scale: number } | undefined {
  const units = unitsNow(deps, dossier, commitment, now);
  if (units === null || units === 0n) return undefined;
  const ledgerScale = assetScale(deps.assets, commitment.asset);
  const assetCode = findAsset(deps.assets, commitment.asset)?.assetCode;
  const rail = deps.connectors.get(commitment.network)?.network.assets.find((asset) => asset.assetCode === assetCode);
  const scale = rail?.scale ?? ledgerScale;
  const railUnits = rescale(units, ledgerScale, scale, 'up');
  // A rest below the network's minimum cannot be sent, so the minimum is asked for.
  return { units: rail && railUnits < rail.minimumUnits ? rail.minimumUnits : railUnits, scale };
}

/** What is sent after the window is valued when it is seen, so what is missing is asked for at the rate of now. */
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
