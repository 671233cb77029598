/**
 * What is left to pay by a method, after everything that has arrived by any method. A payment counts as its share of
 * the full price of its own commitment, as in the state of the checkout, so parts on two networks add up exactly.
 */
import { type AssetCatalog, assetScale, findAsset } from '../catalog/asset-catalog.ts';
import type { CheckoutDossier, Commitment } from '../checkouts/checkout.ts';
import { isAlive } from '../checkouts/checkout-state.ts';
import { proportion, rescale } from '../money/amount.ts';
import type { Connector } from '../networks/port.ts';
import { formatPayment } from '../pricing/quote.ts';

export type MissingDeps = {
  readonly assets: AssetCatalog;
  readonly connectors: ReadonlyMap<string, Pick<Connector, 'network'>>;
};

/** As the payer's wallet writes it, rounded up; undefined when nothing is missing. */
export function missingAmount(
  deps: MissingDeps,
  { commitments, payments }: Pick<CheckoutDossier, 'commitments' | 'payments'>,
  commitment: Commitment,
): string | undefined {
  const due = new Map(commitments.map(({ id, dueUnits }) => [id, dueUnits]));
  let numerator = 1n;
  let denominator = 1n;
  for (const payment of payments.filter(isAlive)) {
    const full = due.get(payment.commitmentId ?? '');
    if (full === undefined) continue;
    numerator = numerator * full - payment.units * denominator;
    denominator *= full;
  }
  if (numerator <= 0n) return undefined;

  const units = proportion(commitment.dueUnits, numerator, denominator, 'up');
  const ledgerScale = assetScale(deps.assets, commitment.asset);
  const assetCode = findAsset(deps.assets, commitment.asset)?.assetCode;
  const rail = deps.connectors.get(commitment.network)?.network.assets.find((asset) => asset.assetCode === assetCode);
  const railScale = rail?.scale ?? ledgerScale;
  const railUnits = rescale(units, ledgerScale, railScale, 'up');
  // A rest below the network's minimum cannot be sent, so the minimum is asked for.
  const payable = rail && railUnits < rail.minimumUnits ? rail.minimumUnits : railUnits;
  return formatPayment(payable, { paymentCode: commitment.quote.paymentCode, railScale });
}
