/**
 * Whatever payers, miners and our own restarts do, and in whatever order: in the end we know of exactly the payments
 * that the chain holds, in the blocks where it holds them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startUtxoChain, type UtxoChain } from '@quittance/sandbox/utxo-chain';
import { testAccountKey } from '@quittance/sandbox/utxo-chain-harness';
import { createBitcoinConnector } from '@quittance/server/networks/bitcoin/bitcoin';
import type { RpcBlock, RpcTransaction } from '@quittance/server/networks/families/utxo/utxo-block';
import { createUtxoRpc } from '@quittance/server/networks/families/utxo/utxo-rpc';
import { createWatched } from '@quittance/server/test/networks/watched-connector';
import fc from 'fast-check';
import { Secret } from '../../src/lib/secret.ts';
import { bitcoinCoin } from './utxo-coins.ts';

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pay' as const), to: fc.nat(2), and: fc.option(fc.nat(2)) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('mine' as const), count: fc.constantFrom(1, 1, 1, 2, 20) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('reorganise' as const),
      depth: fc.constantFrom(1, 1, 2, 3, 6),
      keepTransactions: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('replace' as const), which: fc.nat(9), to: fc.option(fc.nat(2)) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), which: fc.nat(9) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('observe' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('ask and lose the answer' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);

const stranger = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

/** Every output to one of the addresses that the chain holds, with its block. */
async function paymentsOnChain(chain: UtxoChain, addresses: ReadonlySet<string>): Promise<Map<string, string | null>> {
  const rpc = createUtxoRpc(chain.url, 60_000);
  const found = new Map<string, string | null>();
  const note = (tx: RpcTransaction, block: string | null) => {
    for (const { n, scriptPubKey } of tx.vout) {
      if (addresses.has(scriptPubKey?.address ?? '')) found.set(`${tx.txid}:${n}`, block);
    }
  };
  const height = await rpc.call<number>('getblockcount');
  for (let at = 110; at <= height; at += 1) {
    const block = await rpc.call<RpcBlock>('getblock', await rpc.call('getblockhash', at), 2);
    for (const tx of block.tx) note(tx, block.hash);
  }
  for (const txid of await rpc.call<string[]>('getrawmempool'))
    note(await rpc.call('getrawtransaction', txid, true), null);
  return found;
}

test('after any history, the payments we know are those on the chain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const chain = await startUtxoChain({ coin: bitcoinCoin, user: 'test', password: 'test' });
      try {
        const connect = () =>
          createBitcoinConnector({ rpcUrl: new Secret(chain.url), xpub: testAccountKey, chain: 'regtest' });
        const watched = createWatched(connect());
        const targets = await Promise.all([0, 1, 2].map((index) => connect().createTarget({ index } as never)));
        for (const { key } of targets) watched.targets.add(key);
        await watched.observe();

        let units = 1_000n;
        const pay = (to: number | null) => ({
          address: to === null ? stranger : (targets[to]?.address as string),
          units: units++,
        });
        const waiting = async (which: number) => {
          const txids = await createUtxoRpc(chain.url, 60_000).call<string[]>('getrawmempool');
          return txids[which % Math.max(1, txids.length)];
        };
        for (const next of steps) {
          if (next.do === 'pay') chain.pay(pay(next.to), ...(next.and === null ? [] : [pay(next.and)]));
          else if (next.do === 'mine') chain.mine(next.count);
          else if (next.do === 'reorganise') chain.reorganise(next.depth, next);
          else if (next.do === 'observe') await watched.observe();
          else if (next.do === 'ask and lose the answer') await watched.ask();
          else if (next.do === 'restart') watched.restart(connect());
          else {
            const txid = await waiting(next.which);
            if (txid !== undefined && next.do === 'drop') chain.drop(txid);
            if (txid !== undefined && next.do === 'replace') chain.replace(txid, [pay(next.to)]);
          }
        }

        // Twice: what a reorganisation has set waiting is judged in the round after.
        await watched.observe();
        await watched.observe();
        const alive = [...watched.payments.entries()].filter(
          ([, { fate }]) => fate === 'waiting' || fate === 'in a block',
        );
        const known = new Map(alive.map(([key, { observation }]) => [key, observation.block?.hash ?? null]));
        assert.deepEqual(known, await paymentsOnChain(chain, watched.targets));
      } finally {
        await chain.stop();
      }
    }),
    { numRuns: 40 },
  );
});
