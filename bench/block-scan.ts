/** A full block against a million deposit targets: what the service adds to the time of the node itself. */
import { once } from 'node:events';
import { readDocuments } from '../server/src/bank-files/document-store.ts';
import { createAssetCatalog } from '../server/src/catalog/asset-catalog.ts';
import { readConfig } from '../server/src/config.ts';
import { systemClock } from '../server/src/lib/clock.ts';
import { createLog } from '../server/src/lib/log.ts';
import { Secret } from '../server/src/lib/secret.ts';
import { createBitcoinConnector } from '../server/src/networks/bitcoin/bitcoin.ts';
import { postText } from '../server/src/networks/post-text.ts';
import { createNetworkWatcher } from '../server/src/watching/watch-network.ts';
import type { BlockTask } from './fake-node.ts';
import { startProcess, stopProcess, type World } from './world.ts';

export type BlockScan = { readonly nodeMs: number; readonly addedMs: number; readonly megabytes: number };

/** The median of several blocks. `ours` addresses are paid in every one of them. */
export async function measureBlockScan(
  world: World,
  ours: readonly string[],
  options: { transactions: number; blocks: number },
): Promise<BlockScan> {
  const child = await startProcess('fake-node.ts');
  try {
    child.send({ ours, transactions: options.transactions } satisfies BlockTask);
    const [rpcUrl] = (await once(child, 'message')) as [string];
    const xpub = world.env['BITCOIN_XPUB'] ?? '';
    const connector = createBitcoinConnector({ rpcUrl: new Secret(rpcUrl), xpub, chain: 'regtest' });
    const assets = createAssetCatalog(readConfig(world.env).operator);
    await world.db`delete from network_cursor where network = 'BITCOIN'`;
    const watcher = createNetworkWatcher(
      {
        db: world.db,
        clock: systemClock,
        log: createLog('warn'),
        assets,
        pollMs: 1_000,
        onChange: () => undefined,
        readDocuments,
      },
      connector,
    );
    await watcher.tick(); // The first look only finds out how long the chain is.

    const scans: BlockScan[] = [];
    for (let block = 0; block < options.blocks; block += 1) {
      const hash = await rpc<string>(rpcUrl, 'mine');
      const askedAt = performance.now();
      const text = await rpcText(rpcUrl, 'getblock', hash, 2);
      const nodeMs = performance.now() - askedAt;

      const tickedAt = performance.now();
      if ((await watcher.tick()) !== 'progress') throw new Error('the watcher did not see the block');
      scans.push({ nodeMs, addedMs: performance.now() - tickedAt - nodeMs, megabytes: text.length / 1e6 });
    }
    await watcher.stop();
    scans.sort((a, b) => a.addedMs - b.addedMs);
    const [median] = scans.slice(Math.floor(scans.length / 2));
    if (!median) throw new Error('no block was scanned');
    return median;
  } finally {
    await stopProcess(child);
  }
}

async function rpcText(url: string, method: string, ...params: unknown[]): Promise<string> {
  const body = JSON.stringify({ id: 0, method, params });
  return (await postText(new URL(url), { headers: {}, body, timeoutMs: 30_000 })).text;
}

async function rpc<Result>(url: string, method: string, ...params: unknown[]): Promise<Result> {
  return (JSON.parse(await rpcText(url, method, ...params)) as { result: Result }).result;
}
