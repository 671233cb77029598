/**
 * From a block to the merchant's credit: what a network reported is stored, every paid checkout is advanced, and its
 * event lies ready for delivery. The connector is left out; `block-scan.ts` measures that.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../server/src/app.ts';
import { createAssetCatalog } from '../server/src/catalog/asset-catalog.ts';
import { type Environment, readConfig } from '../server/src/config.ts';
import type { Db } from '../server/src/db/database.ts';
import { systemClock } from '../server/src/lib/clock.ts';
import { newId } from '../server/src/lib/ids.ts';
import { bitcoin } from '../server/src/networks/bitcoin/bitcoin.ts';
import type { Observed } from '../server/src/networks/port/receiving.ts';
import { takeLease } from '../server/src/payments/cursor-store.ts';
import { storeObserved } from '../server/src/watching/store-observed.ts';

export type Payment = { readonly targetKey: string; readonly units: string };

/** Gives the seconds from the block to the last event. */
export async function runPipeline(
  db: Db,
  app: App,
  env: Environment,
  payments: readonly Payment[],
): Promise<{ seconds: number }> {
  const [runner] = app.runners;
  if (!runner) throw new Error('no runner advances checkouts');
  const eventsBefore = await eventCount(db);
  runner.start();

  const startedAt = performance.now();
  await storeBlock(db, env, payments);
  runner.wake();
  while ((await eventCount(db)) < eventsBefore + payments.length) {
    if (performance.now() - startedAt > 120_000) throw new Error('the pipeline does not come to an end');
    await sleep(10);
  }
  return { seconds: (performance.now() - startedAt) / 1000 };
}

/** As the watcher stores what it sees. */
export async function storeBlock(db: Db, env: Environment, payments: readonly Payment[]): Promise<void> {
  const assets = createAssetCatalog(readConfig(env).operator);
  const { epoch } = await takeLease(db, bitcoin.id);
  await storeObserved({ db, clock: systemClock, assets }, bitcoin, epoch, blockOf(payments));
}

function blockOf(payments: readonly Payment[]): Observed {
  const tip = { hash: newId(), height: 900_000, time: new Date() };
  return {
    observations: payments.map(({ targetKey, units }) => ({
      targetKey,
      txHash: newId(),
      index: '0',
      assetCode: 'BTC',
      units: BigInt(units),
      block: tip,
      trace: { inputs: [`${newId()}:0`] },
    })),
    vanishedBlocks: [],
    vanishedArrivals: [],
    tip,
    cursor: {},
    isCaughtUp: true,
    blocksBehind: 0,
  };
}

async function eventCount(db: Db): Promise<number> {
  const [row] = await db<{ count: string }>`select count(*) as count from event`;
  return Number(row?.count);
}
