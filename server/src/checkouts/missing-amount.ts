/** What is left to pay by a method, as the customer is told. */
import { type AssetCatalog, assetScale, findAsset } from '../catalog/asset-catalog.ts';
import { present } from '../lib/assert.ts';
import { formatUnits, rescale } from '../money/amount.ts';
import { type KnownNetwork, networkAsset } from '../networks/port.ts';
import { formatPayment } from '../pricing/quote.ts';
import type { CheckoutDossier, Commitment } from './checkout.ts';
import { missingUnits } from './missing-share.ts';

export type MissingDeps = {
  readonly assets: AssetCatalog;
  readonly connectors: ReadonlyMap<string, KnownNetwork>;
};

type Paid = Pick<CheckoutDossier, 'commitments' | 'payments'>;

/** As the payer's wallet writes it, rounded up; undefined when nothing is missing. */
export function missingAmount(deps: MissingDeps, dossier: Paid, commitment: Commitment): string | undefined {
  const missing = missingOnRail(deps, dossier, commitment);
  const { paymentCode } = commitment.quote;
  return missing && formatPayment(missing.units, { paymentCode, railScale: missing.scale });
}

/** The same in whole coins: 0.0001 where a Lightning wallet writes 10000. */
export function missingCoins(deps: MissingDeps, dossier: Paid, commitment: Commitment): string | undefined {
  const missing = missingOnRail(deps, dossier, commitment);
  return missing && formatUnits(missing.units, missing.scale);
}

/**
 * What a customer who chose this method is asked for: what is missing, or what the invoice says. Once all of it is on
 * its way, whoever asks again reads what they read before.
 */
export function amountToPay(deps: MissingDeps, dossier: CheckoutDossier, commitment: Commitment): string {
  const { paymentCode, paymentAmount } = commitment.quote;
  const connector = deps.connectors.get(commitment.network);
  const invoiced = connector?.targetUnits?.(commitment) ?? null;
  if (connector && invoiced !== null) {
    const { assetCode } = present(findAsset(deps.assets, commitment.asset), `asset ${commitment.asset}`);
    return formatPayment(invoiced, { paymentCode, railScale: networkAsset(connector.network, assetCode).scale });
  }
  if (dossier.checkout.state === 'PROCESSING') return paymentAmount;
  return missingAmount(deps, dossier, commitment) ?? '0';
}

function missingOnRail(
  deps: MissingDeps,
  dossier: Paid,
  commitment: Commitment,
): { units: bigint; scale: number } | undefined {
  const units = missingUnits(dossier, commitment.dueUnits);
  if (units === 0n) return undefined;
  const ledgerScale = assetScale(deps.assets, commitment.asset);
  const assetCode = findAsset(deps.assets, commitment.asset)?.assetCode;
  const rail = deps.connectors.get(commitment.network)?.network.assets.find((asset) => asset.assetCode === assetCode);
  const scale = rail?.scale ?? ledgerScale;
  const railUnits = rescale(units, ledgerScale, scale, 'up');
  // A rest below the network's minimum cannot be sent, so the minimum is asked for.
  return { units: rail && railUnits < rail.minimumUnits ? rail.minimumUnits : railUnits, scale };
}
