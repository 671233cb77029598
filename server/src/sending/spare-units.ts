import type { CatalogAsset } from '../catalog/asset-catalog.ts';
import type { Query } from '../db/database.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import { rescale } from '../money/amount.ts';
import type { Connector } from '../networks/port/connector.ts';
import { networkAsset } from '../networks/port/definition.ts';
import { unsentUnits } from './payout-store.ts';

export type SpareDeps = { readonly db: Query; readonly health: NetworkHealth };

/** What a network can send of an asset and was not asked to send yet; below zero if it was asked for more. Null: not known. */
export async function spareUnits(
  { db, health }: SpareDeps,
  { network }: Connector,
  { id, assetCode, ledgerScale }: CatalogAsset,
): Promise<bigint | null> {
  const held = health.status(network.id)?.facts.sendable?.[assetCode];
  if (held === undefined) return null;
  const { scale } = networkAsset(network, assetCode);
  return rescale(BigInt(held), scale, ledgerScale, 'down') - (await unsentUnits(db, network.id, id));
}
