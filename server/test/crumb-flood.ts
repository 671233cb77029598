/** A flood of tiny payments on Stellar, given to the watcher's store as a network reports them. */
import type { AssetCatalog } from '../src/catalog/asset-catalog.ts';
import type { Db } from '../src/db/database.ts';
import { present } from '../src/lib/assert.ts';
import type { Clock } from '../src/lib/clock.ts';
import type { Cursor, NetworkDefinition, Observation } from '../src/networks/port.ts';
import { takeLease } from '../src/payments/payment-store.ts';
import { storeObserved } from '../src/payments/store-observed.ts';

export const crumbUnits = 100n; // A hundred-thousandth of a lumen.

/** As many crumbs for each of these memos, in steps as large as a busy ledger. */
export async function flood(
  deps: { readonly db: Db; readonly clock: Clock; readonly assets: AssetCatalog; readonly network: NetworkDefinition },
  ownerIds: readonly string[],
  count: number,
): Promise<void> {
  const { db, network } = deps;
  const { epoch } = await takeLease(db, network.id);
  const [at] = await db<{ cursor: Cursor; height: string; hash: string; time: Date }>`
    select cursor, tip_height as height, tip_hash as hash, tip_time as time from network_cursor
     where network = ${network.id}`;
  const { cursor, height, hash, time } = present(at, 'the cursor');
  const tip = { hash, height: Number(height), time };
  const keys = await db<{ key: string }>`
    select key from deposit_target where network = ${network.id} and owner_id = any(${[...ownerIds]})`;
  const step = 5_000;
  for (let first = 0; first < count; first += step) {
    const observations = keys.flatMap(({ key }) =>
      Array.from({ length: Math.min(step, count - first) }, (_, position): Observation => {
        const index = `${key}/${first + position}`;
        return { targetKey: key, txHash: 'flood', index, assetCode: 'XLM', units: crumbUnits, block: tip, trace: {} };
      }),
    );
    const nothingElse = { vanishedBlocks: [], vanishedTransfers: [], isCaughtUp: true, blocksBehind: 0 };
    await storeObserved(deps, network, epoch, { observations, cursor, tip, ...nothingElse });
  }
}
