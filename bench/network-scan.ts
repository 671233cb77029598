/**
 * From a block, ledger or settled invoice at the node to the stored payments, with few and with many deposit targets:
 * the time must not grow with their number. Every database has a watcher, and the watchers read each block in turn. The
 * order changes, so that if the machine is busy with something else, that slows all of them.
 */
import { readDocuments } from '../server/src/bank-files/document-store.ts';
import { createAssetCatalog } from '../server/src/catalog/asset-catalog.ts';
import { readConfig } from '../server/src/config.ts';
import { insertDepositTargets, type NewDepositTarget } from '../server/src/deposits/deposit-target-store.ts';
import { present } from '../server/src/lib/assert.ts';
import { systemClock } from '../server/src/lib/clock.ts';
import { newId } from '../server/src/lib/ids.ts';
import { createLog } from '../server/src/lib/log.ts';
import type { Connector } from '../server/src/networks/port/connector.ts';
import { createNetworkWatcher, type NetworkWatcher } from '../server/src/watching/watch-network.ts';
import { type NetworkNode, networkNodes, paidPerBlock } from './network-nodes.ts';
import { settleDown } from './seed.ts';
import { seedTargets } from './seed-targets.ts';
import type { Cluster, World } from './world.ts';

/** Milliseconds of every block, for each of the databases. */
export type NetworkTimes = { readonly network: string; readonly block: string; readonly blocks: readonly number[][] };

/** After so many blocks the used pages of the index are in memory, as in production, where blocks come all the time. */
const warmUps = 6;

export async function measureNetworks(
  cluster: Cluster,
  targetCounts: readonly number[],
  blocks: number,
  say: (text: string) => void,
): Promise<NetworkTimes[]> {
  const worlds: World[] = [];
  for (const count of targetCounts) {
    say(`Storing ${count} deposit targets of each network …`);
    const world = await cluster.createWorld(`targets_${count}`);
    await seedTargets(world.db, world.shop.merchantId, count);
    await settleDown(world.db);
    worlds.push(world);
  }
  const times: NetworkTimes[] = [];
  for (const start of networkNodes) {
    const node = await start();
    say(`Reading ${node.network} …`);
    try {
      times.push(await measureNetwork(node, worlds, blocks));
    } finally {
      await node.stop();
    }
  }
  for (const world of worlds) await world.close();
  return times;
}

async function measureNetwork(node: NetworkNode, worlds: readonly World[], blocks: number): Promise<NetworkTimes> {
  const maker = node.createConnector();
  const watchers = worlds.map((world) => createWatcher(world, node.createConnector()));
  for (const watcher of watchers) await untilIdle(watcher); // The first look only finds out how long the chain is.
  const measured: number[][] = [];
  for (let block = 0; block < warmUps + blocks; block += 1) {
    const targets = await makeTargets(maker, block * paidPerBlock);
    for (const { db, shop } of worlds)
      await db.begin((tx) =>
        insertDepositTargets(
          tx,
          targets.map((each) => ({ ...each, merchantId: shop.merchantId })),
          new Date(),
        ),
      );
    await node.pay(targets);

    const took: number[] = [];
    for (const turn of worlds.keys()) {
      const place = (turn + block) % worlds.length;
      took[place] = await timeToStored(
        present(worlds[place], 'world'),
        present(watchers[place], 'watcher'),
        node.network,
      );
    }
    for (const watcher of watchers) await untilIdle(watcher);
    if (block >= warmUps) measured.push(took);
  }
  for (const watcher of watchers) await watcher.stop();
  return { network: node.network, block: node.block, blocks: measured };
}

function createWatcher(world: World, connector: Connector): NetworkWatcher {
  const assets = createAssetCatalog(readConfig(world.env).operator);
  const log = createLog('warn');
  return createNetworkWatcher(
    { db: world.db, clock: systemClock, log, assets, pollMs: 1_000, onChange: () => undefined, readDocuments },
    connector,
  );
}

/** The time of the looks alone, without our counting. */
async function timeToStored(world: World, watcher: NetworkWatcher, network: string): Promise<number> {
  const before = await paymentCount(world, network);
  let took = 0;
  for (let look = 0; look < 20; look += 1) {
    const startedAt = performance.now();
    const result = await watcher.tick();
    took += performance.now() - startedAt;
    if (result === 'failed') throw new Error(`the watcher of ${network} fails`);
    if ((await paymentCount(world, network)) >= before + paidPerBlock) return took;
  }
  throw new Error(`the watcher of ${network} does not find the payments`);
}

async function untilIdle(watcher: NetworkWatcher): Promise<void> {
  for (let look = 0; look < 50 && (await watcher.tick()) === 'progress'; look += 1);
}

async function paymentCount({ db }: World, network: string): Promise<number> {
  const [row] = await db<{ count: string }>`select count(*) as count from payment where network = ${network}`;
  return Number(row?.count);
}

type Target = Omit<NewDepositTarget, 'merchantId'>;

/** Made as a commit makes them. Nobody looks here at the deposits that they belong to. */
async function makeTargets(connector: Connector, first: number): Promise<Target[]> {
  const assetCode = connector.network.assets[0]?.assetCode ?? '';
  const requestedAt = new Date();
  return Promise.all(
    Array.from({ length: paidPerBlock }, async (_, n) => {
      const id = newId();
      const request = { targetId: id, index: first + n, reference: id, assetCode, requestedAt };
      const amount = { asset: assetCode, units: 1_000n };
      const expiresAt = new Date(requestedAt.getTime() + 3_600_000);
      const target = await connector.createTarget({ ...request, amount, expiresAt });
      return {
        ...target,
        id,
        index: first + n,
        network: connector.network.id,
        purpose: 'deposit',
        ownerId: id,
      } as const;
    }),
  );
}
