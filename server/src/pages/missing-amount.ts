/** What is left to pay by a method, as the customer is told. */
import { type AssetCatalog, assetScale, findAsset } from '../catalog/asset-catalog.ts';
import type { CheckoutDossier, Commitment } from '../checkouts/checkout.ts';
import { missingUnits } from '../checkouts/missing-share.ts';
import { rescale } from '../money/amount.ts';
import type { Connector } from '../networks/port.ts';
import { formatPayment } from '../pricing/quote.ts';

export type MissingDeps = {
  readonly assets: AssetCatalog;
  readonly connectors: ReadonlyMap<string, Pick<Connector, 'network'>>;
};

/** As the payer's wallet writes it, rounded up; undefined when nothing is missing. */
export function missingAmount(
  deps: MissingDeps,
  dossier: Pick<CheckoutDossier, 'commitments' | 'payments'>,
  commitment: Commitment,
): string | undefined {
  const units = missingUnits(dossier, commitment.dueUnits);
  if (units === 0n) return undefined;
  const ledgerScale = assetScale(deps.assets, commitment.asset);
  const assetCode = findAsset(deps.assets, commitment.asset)?.assetCode;
  const rail = deps.connectors.get(commitment.network)?.network.assets.find((asset) => asset.assetCode === assetCode);
  const railScale = rail?.scale ?? ledgerScale;
  const railUnits = rescale(units, ledgerScale, railScale, 'up');
  // A rest below the network's minimum cannot be sent, so the minimum is asked for.
  const payable = rail && railUnits < rail.minimumUnits ? rail.minimumUnits : railUnits;
  return formatPayment(payable, { paymentCode: commitment.quote.paymentCode, railScale });
}
