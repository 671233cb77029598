/** Someone may mine straight to a deposit address. That money is real, but cannot be spent for a hundred blocks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startUtxoChain } from '@quittance/sandbox/utxo-chain';
import { testAccountKey } from '@quittance/sandbox/utxo-chain-harness';
import { createBitcoinConnector } from '@quittance/server/networks/bitcoin/bitcoin';
import type { Cursor, Observed } from '@quittance/server/networks/port/receiving';
import { Secret } from '../../src/lib/secret.ts';
import { noDocuments } from './no-documents.ts';
import { bitcoinCoin } from './utxo-coins.ts';

test('a mining reward to a target is reported once it can be spent, and not if its block is given up', async (t) => {
  const chain = await startUtxoChain({ coin: bitcoinCoin, user: 'test', password: 'test' });
  t.after(() => chain.stop());
  const connector = createBitcoinConnector({ rpcUrl: new Secret(chain.url), xpub: testAccountKey, chain: 'regtest' });
  let cursor: Cursor | null = null;
  async function observe(): Promise<Observed['observations']> {
    const found: Observed['observations'][number][] = [];
    for (let isCaughtUp = false; !isCaughtUp; ) {
      const observed = await connector.observe(cursor, {
        // Every block of the sandbox pays the faucet.
        knownTargets: async () => new Set([chain.faucetAddress]),
        unconfirmed: async () => [],
        knownArrivals: async () => new Set(),
        arrivalsAt: async () => [],
        waitingUnmatched: async () => [],
        recentTargets: async () => [],
        urgentTargets: async () => [],
        outgoing: async () => [],
        orders: async () => [],
        toldBefore: async () => new Map(),
        declaredVoid: async () => [],
        documents: noDocuments,
      });
      found.push(...observed.observations);
      ({ isCaughtUp } = observed);
      cursor = JSON.parse(JSON.stringify(observed.cursor)) as Cursor;
    }
    return found;
  }

  await observe();
  const [givenUp] = chain.mine(1);
  assert.deepEqual(await observe(), []);
  const [kept] = chain.reorganise(1);
  assert.deepEqual(await observe(), []);

  chain.mine(98); // The reward's block and 99 more.
  assert.deepEqual(await observe(), []);
  chain.mine(1);
  const [reward, ...others] = await observe();
  assert.deepEqual(others, []);
  assert.notEqual(reward?.block?.hash, givenUp);
  assert.equal(reward?.block?.hash, kept);
  assert.equal(reward?.units, 5_000_000_000n);
});
