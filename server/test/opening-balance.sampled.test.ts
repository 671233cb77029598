/**
 * What lies at the operator's addresses before a network is counted for the first time is the operator's own, and is in
 * the books from then on: whenever the first count comes, and whatever else has arrived, left or failed before it.
 */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type EvmChain, startEvmChain } from '@quittance/sandbox/evm-chain';
import { HDKey } from '@scure/bip32';
import { readConfig } from '../src/config.ts';
import { present } from '../src/lib/assert.ts';
import { Secret } from '../src/lib/secret.ts';
import { openEvmKeys } from '../src/networks/families/evm/evm-keys.ts';
import { createConnectors } from '../src/networks/registry.ts';
import { adoptDifference } from '../src/watching/adopt-difference.ts';
import { isSound } from '../src/watching/reconcile.ts';
import { deepTest } from './depth.ts';
import { type Gateway, type GatewayOptions, startGateway, withoutBitcoin, withoutLitecoin } from './gateway.ts';
import { balancesOf, openShop } from './shop.ts';
import { mine, openSender, somewhere } from './transfer-story.ts';
import { withoutStellar } from './without-stellar.ts';

async function openUncounted(t: TestContext, options: GatewayOptions): Promise<Gateway> {
  const gateway = await startGateway({ ...options, isUncounted: true });
  t.after(() => gateway.stop());
  return gateway;
}

const equity = async (gateway: Gateway, asset: string): Promise<string> =>
  (await balancesOf(gateway, 'operator/'))[`equity/${asset}`] ?? '0';

function evmWallet(): string {
  const account = HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/44'/60'/0'");
  return openEvmKeys(new Secret(account.privateExtendedKey), account.publicExtendedKey).wallet.address;
}

/** Everything is counted and agrees, as often as it is counted. */
async function assertCounted(gateway: Gateway): Promise<void> {
  for (const _ of ['the first time', 'the second time'])
    assert.deepEqual(
      (await gateway.count()).filter((each) => !isSound(each)),
      [],
    );
}

test('a reserve is booked although its node was away at first, and customers and the operator paid meanwhile', async (t) => {
  const gateway = await openUncounted(t, { hasStellar: true, env: { ...withoutBitcoin, ...withoutLitecoin } });
  const pay = async (memo: string | null, lumens: bigint): Promise<void> => {
    const address = present(gateway.env['STELLAR_ACCOUNT'], 'the account');
    gateway.stellar.pay(memo, { address, units: lumens * 10_000_000n, asset: 'native' });
    gateway.stellar.close();
    await gateway.runUntilIdle();
  };
  await withoutStellar(gateway, async () => {
    const { uncounted } = await gateway.app.reconcile();
    assert.ok(uncounted.some(({ what }) => what === 'STELLAR'));
  });
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'STELLAR');
  await pay(checkout.id, 600n);
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  await pay('operator', 50n);
  await pay('nobody knows', 7n);
  await gateway.restart(async () => gateway.stellar.close());
  assert.equal(await equity(gateway, 'XLM'), '500000000', 'what the operator brought in');

  await assertCounted(gateway);
  assert.equal(await equity(gateway, 'XLM'), '1499999900', 'and the 100 that it was opened with, less a fee');
  await pay('operator', 3n);
  assert.equal(await equity(gateway, 'XLM'), '1529999900', 'what comes later is booked as it comes');
  await assertCounted(gateway);
});

deepTest(
  'ether that was in the wallet before the first start, and what is sent there at any time, is counted once',
  async (t) => {
    const address = evmWallet();
    const milli = 10n ** 15n;
    const gateway = await openUncounted(t, {
      env: { ...withoutBitcoin, ...withoutLitecoin },
      async withEthereum(options) {
        const chain = await startEvmChain(options);
        await chain.pay({ address, units: 1_000n * milli });
        await chain.mine(1);
        return chain;
      },
    });
    const chain = gateway.ethereum as EvmChain;
    const run = async (blocks: number): Promise<void> => {
      await chain.mine(blocks);
      await gateway.runUntilIdle();
    };
    const shop = await openShop(gateway, { extraConfirmations: 30 });
    const checkout = await shop.open('60.00 USD', 'ETHEREUM');
    await chain.pay({ address: checkout.address, units: 20n * milli });
    await chain.pay({ address, units: 500n * milli });
    await run(1);
    assert.equal(await shop.state(checkout.id), 'PROCESSING', 'it is in a block, and not booked yet');

    await assertCounted(gateway);
    const whole = (milliEther: bigint): string => (milliEther * milli).toString();
    assert.equal(await equity(gateway, 'ETH'), whole(1_000n), 'what is arriving is not there yet');
    await run(70);
    assert.equal(await equity(gateway, 'ETH'), whole(1_500n));
    await chain.pay({ address, units: 250n * milli });
    await run(70);
    assert.equal(await equity(gateway, 'ETH'), whole(1_750n));
    await assertCounted(gateway);
  },
);

deepTest(
  'what customers sent in a token before it was offered is not the operator’s when it is, what lay in the wallet is',
  async (t) => {
    const gateway = await openUncounted(t, {
      env: { ...withoutBitcoin, ...withoutLitecoin, ETHEREUM_USDC_CONTRACT: '' },
      withEthereum: startEvmChain,
    });
    const chain = gateway.ethereum as EvmChain;
    const shop = await openShop(gateway);
    const checkout = await shop.open('60.00 USD', 'ETHEREUM');
    await chain.pay({ address: checkout.address, units: 20n * 10n ** 15n });
    await chain.pay({ address: checkout.address, units: 5_000_000n, assetCode: 'USDC' });
    await chain.pay({ address: evmWallet(), units: 7_000_000n, assetCode: 'USDC' });
    await chain.mine(70);
    await gateway.runUntilIdle();
    await assertCounted(gateway);

    await gateway.restart(undefined, { ETHEREUM_USDC_CONTRACT: chain.tokens.USDC });
    await gateway.runUntilIdle();
    gateway.takenByStory['USDC'] = -50_000_000n; // It stays a difference, until somebody has given it back.
    for (const _ of ['the first time', 'the second time']) {
      const counted = (await gateway.count()).find(({ asset }) => asset.startsWith('USDC:'));
      assert.equal(counted?.difference, 50_000_000n);
      assert.equal(await equity(gateway, 'USDC'), '70000000');
    }
  },
);

deepTest(
  'while something is under way that was sent before the first count, it cannot be told what was there',
  async (t) => {
    const gateway = await openUncounted(t, { env: withoutLitecoin });
    const shop = await openSender(gateway, '0.05');
    await gateway.restart(); // Takes the next block of indexes, so that there are addresses that nobody was given.
    await shop.post('/deposit-address', { network: 'BITCOIN' });
    const bitcoin = createConnectors(readConfig(gateway.env).networks).get('BITCOIN');
    const unknown = await present(bitcoin, 'the connector').createTarget({ index: 7 } as never);
    gateway.bitcoin.pay({ address: unknown.address, amount: '0.3' });
    await mine(gateway, 6);
    const { id } = await shop.send({ amount: '0.02', address: somewhere });
    await gateway.runUntilIdle();

    const { counted, uncounted } = await gateway.app.reconcile();
    assert.deepEqual(counted, []);
    assert.deepEqual(uncounted, [
      { what: 'BITCOIN', reason: 'Something was sent before the first count and is under way: count again.' },
    ]);
    assert.equal(await equity(gateway, 'BTC'), '0');
    await mine(gateway, 6);
    assert.equal((await shop.transfer(id)).state, 'COMPLETED');
    await assertCounted(gateway);
    assert.equal(await equity(gateway, 'BTC'), '30000000');
  },
);

test('what comes later past the watched doors is a difference, until the operator takes over just that much, once', async (t) => {
  const gateway = await openUncounted(t, { env: withoutLitecoin });
  await assertCounted(gateway);
  await gateway.restart(); // As above.
  await openShop(gateway).then((shop) => shop.post('/deposit-address', { network: 'BITCOIN' }));
  await gateway.restart();
  await openShop(gateway).then((shop) => shop.post('/deposit-address', { network: 'BITCOIN' }));
  const bitcoin = createConnectors(readConfig(gateway.env).networks).get('BITCOIN');
  const unknown = await present(bitcoin, 'the connector').createTarget({ index: 7 } as never);
  gateway.bitcoin.pay({ address: unknown.address, amount: '0.3' });
  await mine(gateway, 6);
  const [counted] = await gateway.count();
  const { network, asset, difference } = present(counted, 'what was counted');
  assert.equal(difference, 30_000_000n);
  assert.equal(await equity(gateway, 'BTC'), '0');

  for (const units of [difference - 1n, difference + 1n])
    await assert.rejects(adoptDifference(gateway, { network, asset, units }), /not found to hold just that much more/);
  await adoptDifference(gateway, { network, asset, units: difference });
  await assert.rejects(adoptDifference(gateway, { network, asset, units: difference }), /just that much more/);
  assert.equal(await equity(gateway, 'BTC'), '30000000');
  await assertCounted(gateway);
});
