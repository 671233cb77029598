/**
 * Whether so much can be sent back from where it came in: as of every payout, what the network cannot carry, refuses or does not
 * have is said to whoever asks. Otherwise it would fail later, or wait for ever, and all that are asked for after it.
 */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { isOwnAddress } from '../counterparties/own-address.ts';
import type { Tx } from '../db/database.ts';
import { operatorId } from '../deposits/deposit-target-store.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import { present } from '../lib/assert.ts';
import { invalidRequest } from '../lib/errors.ts';
import { formatUnits, rescale } from '../money/amount.ts';
import type { Connector } from '../networks/port/connector.ts';
import { networkAsset } from '../networks/port/definition.ts';
import type { Destination } from '../networks/port/sending.ts';
import { lockAndAssertSendable } from '../wallets/assert-sendable.ts';

export type ReturnableDeps = {
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly assets: AssetCatalog;
  readonly health: NetworkHealth;
};

/** Called before any lock of the ledger. */
export async function demandReturnable(
  deps: ReturnableDeps,
  tx: Tx,
  payment: { readonly network: string; readonly asset: string },
  { units, ...destination }: Destination & { readonly units: bigint },
): Promise<void> {
  const connector = deps.connectors.get(payment.network);
  if (!connector?.sender) throw invalidRequest(`Nothing can be sent on ${payment.network}.`);
  const { assetCode, ledgerScale } = present(findAsset(deps.assets, payment.asset), `asset ${payment.asset}`);
  const { name } = connector.network;
  const { scale, minimumUnits } = networkAsset(connector.network, assetCode);
  const railUnits = rescale(units, ledgerScale, scale, 'down');
  if (rescale(railUnits, scale, ledgerScale, 'down') !== units)
    throw invalidRequest(`${name} carries ${assetCode} with ${scale} decimals, not more.`);
  if (railUnits < minimumUnits)
    throw invalidRequest(
      `At least ${formatUnits(minimumUnits, scale)} ${assetCode} must be left: less costs more to send on ${name} than it is worth.`,
    );
  const problem = connector.addressProblem?.(destination) ?? null;
  if (problem !== null) throw invalidRequest(problem);
  if (await isOwnAddress(tx, connector, destination))
    throw invalidRequest('This address belongs to this service, so nothing would be sent.');
  await lockAndAssertSendable(deps, tx, connector, { asset: payment.asset, units, merchantId: operatorId });
}
