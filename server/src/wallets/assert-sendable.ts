/** Whether a network has what it is asked to send: a transfer, a withdrawal, a refund, or what nobody asked for. */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Tx } from '../db/database.ts';
import type { DepositMethod } from '../deposits/deposit-method.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import { present } from '../lib/assert.ts';
import { formatUnits, rescale } from '../money/amount.ts';
import type { Connector } from '../networks/port/connector.ts';
import { networkAsset } from '../networks/port/definition.ts';
import { lockPayouts } from '../sending/payout-store.ts';
import { type SpareDeps, spareUnits } from '../sending/spare-units.ts';
import { demandSlot } from './demand-slot.ts';
import { cannotSendNow } from './transfer-errors.ts';

/**
 * A network may be able to send only so much, less what it was asked for already. More than that would wait for ever.
 */
export async function assertSendable(
  deps: SpareDeps,
  { method, railUnits }: { readonly method: Omit<DepositMethod, 'requestScale'>; readonly railUnits: bigint },
): Promise<void> {
  const { connector, asset, carried } = method;
  const spare = await spareUnits(deps, connector, asset);
  if (spare === null) return;
  const most = rescale(spare > 0n ? spare : 0n, asset.ledgerScale, carried.scale, 'down');
  if (railUnits > most)
    throw cannotSendNow(connector.network.name, `${formatUnits(most, carried.scale)} ${asset.assetCode}`);
}

/**
 * Likewise, in the transaction that asks for it: whoever asks for some of the same at this moment waits until it has
 * ended. Called before any lock of the ledger.
 */
export async function lockAndAssertSendable(
  { assets, health }: { readonly assets: AssetCatalog; readonly health: NetworkHealth },
  tx: Tx,
  connector: Connector,
  wish: { readonly asset: string; readonly units: bigint; readonly merchantId: string },
): Promise<void> {
  const asset = present(findAsset(assets, wish.asset), `asset ${wish.asset}`);
  const carried = networkAsset(connector.network, asset.assetCode);
  const railUnits = rescale(wish.units, asset.ledgerScale, carried.scale, 'down');
  await lockPayouts(tx, connector.network.id, asset.id);
  await assertSendable({ db: tx, health }, { method: { connector, asset, carried }, railUnits });
  await demandSlot({ db: tx, health }, connector.network, wish.merchantId);
}
