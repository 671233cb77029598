/** How it is shown that not everything which is available may leave. */
import type { WaitingRecord } from '@quittance/contract/wallet';
import type { CatalogAsset } from '../catalog/asset-catalog.ts';
import type { Query } from '../db/database.ts';
import { formatTimestamp } from '../lib/clock.ts';
import { formatUnits } from '../money/amount.ts';
import { type LeavingDeps, whatMayLeave } from './what-may-leave.ts';

/** As a part of a record: empty when nothing waits. */
export async function waitingPart(
  deps: LeavingDeps & { readonly db: Query },
  merchantId: string,
  asset: CatalogAsset,
  availableUnits: bigint,
): Promise<{ readonly waiting?: WaitingRecord }> {
  const { wait } = await whatMayLeave(deps, deps.db, { merchantId, asset: asset.id, availableUnits });
  if (!wait || wait.units <= 0n) return {};
  const { units, confirmations, until } = wait;
  const amount = formatUnits(units, asset.ledgerScale);
  return { waiting: { amount, confirmations, until: until && formatTimestamp(until) } };
}
