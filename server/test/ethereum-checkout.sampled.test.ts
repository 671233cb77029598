/** Checkouts paid in ether, USDC and USDT. 60.00 USD are 0.02 ETH or 60 dollars, which take three confirmations. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type CompiledContract, readCompiledContracts } from '@quittance/sandbox/compile-contracts';
import type { EvmChain, SandboxEvmChain } from '@quittance/sandbox/evm-chain';
import { encodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem';
import { decimal, toUnits } from '../src/money/decimal.ts';
import { rewindNetwork } from '../src/watching/rewind-network.ts';
import { urgentTargetSums } from '../src/watching/urgent-target-store.ts';
import { deepTest } from './depth.ts';

import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { describeOnEvmNodes } from './networks/evm-nodes.ts';
import { type Committed, openShop, type Shop } from './shop.ts';

type Code = 'ETH' | 'USDC' | 'USDT';

describeOnEvmNodes('checkouts on Ethereum', ({ name, startChain }) => {
  let gateway: Gateway;
  let chain: EvmChain;
  before(async () => {
    gateway = await startGateway({ withEthereum: startChain, env: withoutLitecoin });
    chain = gateway.ethereum as EvmChain;
  });
  after(() => gateway?.stop());

  async function pay(to: { address: string }, amount: string, assetCode: Code): Promise<string> {
    const units = toUnits(decimal(amount), assetCode === 'ETH' ? 18 : 6, 'down');
    const tx = await chain.pay({ address: to.address, units, assetCode });
    await gateway.runUntilIdle();
    return tx;
  }

  async function mine(blocks: number): Promise<void> {
    await chain.mine(blocks);
    await gateway.runUntilIdle();
  }

  async function open(shop: Shop, price: string, assetCode: Code): Promise<Committed> {
    return shop.commit(await shop.create(price), 'ETHEREUM', assetCode);
  }

  const prices = [
    ['ETH', '0.02', '19900000000000000'],
    ['USDC', '60', '597000000'],
    ['USDT', '60', '597000000'],
  ] as const;
  for (const [assetCode, due, credited] of prices) {
    test(`a checkout paid in ${assetCode} is seen, confirmed, credited and announced`, async () => {
      const shop = await openShop(gateway, { highRiskAssets: ['USDT'] });
      const checkout = await open(shop, '60.00 USD', assetCode);
      assert.equal(checkout.amount, due);
      assert.equal(checkout.address, getAddress(checkout.address), 'the address has its checksum');
      const tx = await pay(checkout, due, assetCode);
      assert.equal(await shop.state(checkout.id), 'PROCESSING');
      await mine(2);
      assert.equal(await shop.state(checkout.id), 'PROCESSING');
      await mine(1);
      assert.equal(await shop.state(checkout.id), 'COMPLETED');
      assert.deepEqual(await shop.balances(), { [`available/${assetCode}`]: credited });
      assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_COMPLETED COMPLETED']);
      assert.equal((await shop.checkout(checkout.id)).blockchainTransactions[0].tx, tx);
    });
  }

  test('ether from inside a contract pays a checkout, together with a part sent directly', async () => {
    const { Forwarder } = (await readCompiledContracts()) as { Forwarder: CompiledContract };
    const forwarder = await chain.deploy(Forwarder, []);
    const shop = await openShop(gateway);
    const checkout = await open(shop, '60.00 USD', 'ETH');
    await pay(checkout, '0.005', 'ETH');
    await mine(1);
    assert.equal(await shop.state(checkout.id), 'PENDING PARTIAL');
    const data = encodeFunctionData({ abi: Forwarder.abi, functionName: 'forward', args: [[checkout.address]] });
    await chain.send({ to: forwarder, data, value: 15n * 10n ** 15n });
    await mine(1);
    assert.equal(await shop.state(checkout.id), 'PROCESSING');
    await mine(2);
    assert.equal(await shop.state(checkout.id), 'COMPLETED');
    assert.deepEqual(await shop.balances(), { 'available/ETH': '19900000000000000' });
  });

  test('a credited payment that a reorganisation takes away is taken back, and credited again when it returns', async () => {
    const shop = await openShop(gateway);
    const checkout = await open(shop, '60.00 USD', 'USDC');
    await pay(checkout, '60', 'USDC');
    await mine(3);
    assert.equal(await shop.state(checkout.id), 'COMPLETED');
    await chain.reorganise(3);
    await gateway.runUntilIdle();
    assert.equal(await shop.state(checkout.id), 'PROCESSING REORGED');
    assert.deepEqual(await shop.balances(), {});
    await mine(3);
    assert.equal(await shop.state(checkout.id), 'COMPLETED REORGED');
    assert.deepEqual(await shop.balances(), { 'available/USDC': '597000000' });
  });

  test('a large amount waits until its block is safe, the largest until it is final', async () => {
    const shop = await openShop(gateway);
    const [large, largest] = [await open(shop, '6000.00 USD', 'USDC'), await open(shop, '60000.00 USD', 'USDC')];
    await pay(large, '6000', 'USDC');
    await pay(largest, '60000', 'USDC');
    const states = () => Promise.all([shop.state(large.id), shop.state(largest.id)]);
    await mine(31);
    assert.deepEqual(await states(), ['PROCESSING', 'PROCESSING']);
    await mine(2); // Anvil calls a block safe, and final, one block later than the sandbox does.
    assert.deepEqual(await states(), ['COMPLETED', 'PROCESSING']);
    await mine(30);
    assert.deepEqual(await states(), ['COMPLETED', 'PROCESSING']);
    await mine(2);
    assert.deepEqual(await states(), ['COMPLETED', 'COMPLETED']);
    const payments = await gateway.db<{ state: string }>`
    select state from payment where owner_id in (${large.id}, ${largest.id})`;
    assert.deepEqual(
      payments.map(({ state }) => state),
      ['FINAL', 'FINAL'],
    );
  });

  test('a payment after the window is credited late, and one that nobody saw arrive is found after a restart', async () => {
    const shop = await openShop(gateway);
    const checkout = await open(shop, '60.00 USD', 'ETH');
    gateway.clock.advance({ minutes: 61 });
    await gateway.runUntilIdle();
    assert.equal(await shop.state(checkout.id), 'EXPIRED');
    await gateway.restart(async () => {
      await chain.pay({ address: checkout.address, units: 2n * 10n ** 16n });
      await chain.mine(3);
    });
    assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE');
  });

  if (name === 'Anvil') return;
  // The rest is about the service, or about votes that Anvil does not let us stop.

  test('USDT is offered only to those who have enabled it', async () => {
    const shop = await openShop(gateway);
    const errors = await shop.refused(422, 'POST', '/checkout/commit', {
      checkoutId: await shop.create('60.00 USD'),
      network: 'ETHEREUM',
      asset: 'USDT',
    });
    assert.match(errors.join(' '), /USDT/);
  });

  test('ether is what is committed to when no asset is named', async () => {
    const shop = await openShop(gateway);
    const { amount } = await shop.open('60.00 USD', 'ETHEREUM');
    assert.equal(amount, '0.02');
  });

  deepTest('a large amount waits for more blocks than a small one', async () => {
    const shop = await openShop(gateway);
    const [large, small] = [await open(shop, '600.00 USD', 'USDC'), await open(shop, '60.00 USD', 'USDC')];
    await pay(large, '600', 'USDC');
    await pay(small, '60', 'USDC');
    await mine(3);
    assert.deepEqual([await shop.state(large.id), await shop.state(small.id)], ['PROCESSING', 'COMPLETED']);
    await mine(3);
    assert.equal(await shop.state(large.id), 'COMPLETED');
  });

  deepTest('while validators do not agree, blocks confirm small amounts only, however many there are', async () => {
    const shop = await openShop(gateway);
    const [small, large] = [await open(shop, '60.00 USD', 'ETH'), await open(shop, '6000.00 USD', 'ETH')];
    const largest = await open(shop, '60000.00 USD', 'ETH');
    await pay(small, '0.02', 'ETH');
    await pay(large, '2', 'ETH');
    await pay(largest, '20', 'ETH');
    const sandbox = chain as unknown as SandboxEvmChain;
    const states = () => Promise.all([small, large, largest].map(({ id }) => shop.state(id)));
    await sandbox.letValidatorsVote(false);
    await mine(100);
    assert.deepEqual(await states(), ['COMPLETED', 'PROCESSING', 'PROCESSING']);
    await sandbox.letValidatorsVote(true);
    await mine(1);
    assert.deepEqual(await states(), ['COMPLETED', 'COMPLETED', 'COMPLETED']);
  });

  deepTest(
    'a payment that was overlooked is found when its block is read again, and nothing is credited twice',
    async () => {
      const shop = await openShop(gateway);
      const [overlooked, known] = [await open(shop, '60.00 USD', 'USDC'), await open(shop, '60.00 USD', 'ETH')];
      const key = overlooked.address.toLowerCase();
      await gateway.db`update deposit_target set key = 'lost' where key = ${key}`;
      await pay(overlooked, '60', 'USDC');
      await pay(known, '0.02', 'ETH');
      await mine(20);
      await gateway.db`update deposit_target set key = ${key} where key = 'lost'`;
      assert.deepEqual([await shop.state(overlooked.id), await shop.state(known.id)], ['PENDING', 'COMPLETED']);

      await rewindNetwork(gateway.db, 'ETHEREUM', 30);
      // A watcher learns at its next write that its cursor was changed, and then takes the new one.
      gateway.clock.advance({ seconds: 6 });
      await gateway.runUntilIdle();
      await gateway.runUntilIdle();
      assert.equal(await shop.state(overlooked.id), 'COMPLETED');
      assert.deepEqual(await shop.balances(), { 'available/ETH': '19900000000000000', 'available/USDC': '597000000' });
    },
  );

  test('the asset that was not chosen is kept apart, and another token is shown', async () => {
    const { PlainToken } = (await readCompiledContracts()) as { PlainToken: CompiledContract };
    const forged = await chain.deploy(PlainToken, ['USDC', 6]);
    const shop = await openShop(gateway);
    const [offered, unknown] = [await open(shop, '60.00 USD', 'ETH'), await open(shop, '60.00 USD', 'USDC')];
    await pay(offered, '60', 'USDC');
    const args = [unknown.address as Hex, 60_000_000n] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
    const tx = await chain.send({ to: forged, data });
    await mine(3);
    assert.equal(await shop.state(offered.id), 'PENDING WRONG_ASSET');
    assert.deepEqual(await shop.balances(), { 'suspense/USDC': '600000000' });

    assert.equal(await shop.state(unknown.id), 'PENDING WRONG_ASSET');
    const { timeline } = await shop.get(`/checkout/timeline?id=${unknown.id}`);
    const note = timeline.find(({ what }: any) => what === 'wrong_token_received');
    assert.deepEqual(note?.why, { network: 'ETHEREUM', tx, token: forged.toLowerCase() });

    await chain.reorganise(3, { keepTransactions: false });
    await gateway.runUntilIdle();
    assert.equal(await shop.state(unknown.id), 'PENDING');
  });

  test('an asset that was chosen counts at every address of the checkout', async () => {
    const shop = await openShop(gateway);
    const { id } = await open(shop, '60.00 USD', 'USDC');
    const inEther = await shop.commit(id, 'ETHEREUM', 'ETH');
    await pay(inEther, '60', 'USDC');
    await mine(3);
    assert.equal(await shop.state(id), 'COMPLETED');
    assert.deepEqual(await shop.balances(), { 'available/USDC': '597000000' });
  });

  test('part on Ethereum and the rest on Bitcoin add up', async () => {
    const shop = await openShop(gateway);
    const id = await shop.create('60.00 USD');
    const first = await shop.commit(id, 'ETHEREUM', 'USDC');
    await pay(first, '30', 'USDC');
    await mine(3);
    assert.equal(await shop.state(id), 'PENDING PARTIAL');
    const rest = await shop.commit(id, 'BITCOIN');
    gateway.bitcoin.pay({ address: rest.address, amount: '0.0005' });
    gateway.bitcoin.mine(1);
    await gateway.runUntilIdle();
    assert.equal(await shop.state(id), 'COMPLETED');
    assert.deepEqual(await shop.balances(), { 'available/BTC': '49750', 'available/USDC': '298500000' });
  });

  deepTest(
    'however many addresses a merchant has, ether from contracts is seen at those of others in the next round',
    async () => {
      const { Forwarder } = (await readCompiledContracts()) as { Forwarder: CompiledContract };
      const forwarder = await chain.deploy(Forwarder, []);
      const [crowd, shop] = [await openShop(gateway), await openShop(gateway)];
      // In front of everybody in the order of keys.
      await gateway.db`
      insert into deposit (merchant_id, id, api_key, state, network, asset, is_reusable, target_key, address,
                           extra_confirmations, created_at)
      select ${crowd.merchant.merchantId}, 'crowd-' || n, 'key', 'CREATED', 'ETHEREUM', 'ETH', true,
             '0x00aa' || lpad(to_hex(n), 36, '0'), '0x00aa' || lpad(to_hex(n), 36, '0'), 0, now()
        from generate_series(1, 4000) as n`;
      const checkout = await open(shop, '60.00 USD', 'ETH');
      const { id, depositInstructions: to } = await shop.post('/deposit-address', {
        network: 'ETHEREUM',
        asset: 'ETH',
        reusable: true,
      });
      await mine(1);
      for (const address of [checkout.address, to.address]) {
        const data = encodeFunctionData({ abi: Forwarder.abi, functionName: 'forward', args: [[address]] });
        await chain.send({ to: forwarder, data, value: 2n * 10n ** 16n });
      }
      await mine(1);
      assert.equal(await shop.state(checkout.id), 'PROCESSING');
      assert.equal((await shop.get(`/deposit?id=${id}`)).deposit.state, 'PENDING');

      // And the crowd has all of its own looked at, a share in every round.
      const looked = new Set<string>();
      const since = new Date(0);
      for (let round = 0; round < 70; round += 1) {
        const request = { asset: 'ETH', round, limit: 360, openSince: since, since };
        const targets = await urgentTargetSums(gateway.db, 'ETHEREUM', request);
        assert.ok(targets.length <= 360);
        for (const { key } of targets) looked.add(key);
      }
      assert.equal([...looked].filter((key) => key.startsWith('0x00aa')).length, 4_000);
      await gateway.db`update deposit set closed_at = now() where id like 'crowd-%'`;
    },
  );
});
