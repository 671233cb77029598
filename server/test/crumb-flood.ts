/** A flood of tiny payments or worthless tokens on Stellar, given to the watcher's store as a network reports them. */
import type { AssetCatalog } from '../src/catalog/asset-catalog.ts';
import type { Db } from '../src/db/database.ts';
import { present } from '../src/lib/assert.ts';
import type { Clock } from '../src/lib/clock.ts';
import type { NetworkDefinition } from '../src/networks/port/definition.ts';
import type { BlockRef, Cursor, Observed } from '../src/networks/port/receiving.ts';
import { takeLease } from '../src/payments/cursor-store.ts';
import { storeObserved } from '../src/watching/store-observed.ts';

export const crumbUnits = 100n; // A hundred-thousandth of a lumen.

export type FloodDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly assets: AssetCatalog;
  readonly network: NetworkDefinition;
};

type Reported = Partial<Pick<Observed, 'observations' | 'strays'>>;

/** Step by step, whatever is reported at the targets of these owners in the last ledger that was read. */
async function report(
  deps: FloodDeps,
  ownerIds: readonly string[],
  steps: number,
  reported: (keys: readonly string[], step: number, block: BlockRef) => Reported,
): Promise<void> {
  const { db, network } = deps;
  const { epoch } = await takeLease(db, network.id);
  const [at] = await db<{ cursor: Cursor; height: string; hash: string; time: Date }>`
    select cursor, tip_height as height, tip_hash as hash, tip_time as time from network_cursor
     where network = ${network.id}`;
  const { cursor, height, hash, time } = present(at, 'the cursor');
  const tip = { hash, height: Number(height), time };
  const targets = await db<{ key: string }>`
    select key from deposit_target where network = ${network.id} and owner_id = any(${[...ownerIds]})`;
  const keys = targets.map(({ key }) => key);
  const nothing = { observations: [], vanishedBlocks: [], vanishedArrivals: [], isCaughtUp: true, blocksBehind: 0 };
  for (let step = 0; step < steps; step += 1)
    await storeObserved(deps, network, epoch, { ...nothing, cursor, tip, ...reported(keys, step, tip) });
}

const crumbsPerStep = 1_500;

/** As many crumbs for each of these, in steps as large as a busy ledger. */
export const flood = (deps: FloodDeps, ownerIds: readonly string[], count: number): Promise<void> =>
  report(deps, ownerIds, count / crumbsPerStep, (keys, step, block) => ({
    observations: keys.flatMap((targetKey) =>
      Array.from({ length: crumbsPerStep }, (_, position) => {
        const index = `${targetKey}/${step}/${position}`;
        return { targetKey, txHash: 'flood', index, assetCode: 'XLM', units: crumbUnits, block, trace: {} };
      }),
    ),
  }));

/** As many transfers of a token that is worth nothing, in as many ledgers. */
export const floodWithTokens = (deps: FloodDeps, ownerId: string, steps: number, perStep: number): Promise<void> =>
  report(deps, [ownerId], steps, (keys, step, block) => ({
    strays: keys.flatMap((targetKey) =>
      Array.from({ length: perStep }, (_, position) => {
        const index = `${step}/${position}`;
        return { targetKey, txHash: 'tokens', index, what: 'WORTHLESS', units: 1n, block };
      }),
    ),
  }));
