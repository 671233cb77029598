/** How deep a payment must be follows from the sum that it belongs to, however it is split. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decimal, toUnits } from '../src/money/decimal.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { openShop } from './shop.ts';
import { mine } from './transfer-story.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin });
});
after(() => gateway.stop());

/** So much to this address, in so many outputs of nearly the same size. */
const outputs = (address: string, amount: string, count: bigint) => {
  const units = toUnits(decimal(amount), 8, 'down');
  return Array.from({ length: Number(count) }, (_, index) => ({
    address,
    units: units / count + (BigInt(index) < units % count ? 1n : 0n),
  }));
};

test('3 bitcoins in 301 outputs of one transaction are credited when 3 bitcoins would be', async () => {
  const shop = await openShop(gateway);
  const { id, address, amount } = await shop.open('180000.00 USD', 'BITCOIN');
  gateway.bitcoin.chain.pay(...outputs(address, amount, 301n));
  for (let depth = 1; depth < 6; depth += 1) {
    await mine(gateway, 1);
    assert.deepEqual([depth, await shop.state(id), await shop.balances()], [depth, 'PROCESSING', {}]);
  }
  await mine(gateway, 1);
  assert.equal(await shop.state(id), 'COMPLETED');
});

test('so are 3 bitcoins in many transactions, and a deposit that is paid in many parts', async () => {
  const shop = await openShop(gateway);
  const { id, address, amount } = await shop.open('180000.00 USD', 'BITCOIN');
  const { depositInstructions } = await shop.post('/deposit-address', { network: 'BITCOIN' });
  for (const output of [...outputs(address, amount, 20n), ...outputs(depositInstructions.address, '1.5', 20n)])
    gateway.bitcoin.chain.pay(output);
  await mine(gateway, 5);
  assert.deepEqual([await shop.state(id), await shop.balances()], ['PROCESSING', {}]);
  await mine(gateway, 1);
  assert.deepEqual([await shop.state(id), Object.keys(await shop.balances())], ['COMPLETED', ['available/BTC']]);
});

test('a transaction to many shops is as deep as all of it needs, and what is deep keeps nothing back', async () => {
  const [one, other] = [await openShop(gateway), await openShop(gateway)];
  const [first, second] = [await one.open('300.00 USD', 'BITCOIN'), await other.open('60000.00 USD', 'BITCOIN')];
  const { depositInstructions } = await one.post('/deposit-address', { network: 'BITCOIN' });
  gateway.bitcoin.chain.pay(...outputs(depositInstructions.address, '2', 1n));
  await mine(gateway, 6);
  gateway.bitcoin.chain.pay(...outputs(first.address, first.amount, 1n), ...outputs(second.address, second.amount, 1n));
  await mine(gateway, 5);
  assert.deepEqual([await one.state(first.id), await other.state(second.id)], ['PROCESSING', 'PROCESSING']);
  // The two bitcoins from before are deep enough for any amount: a further small payment needs one block again.
  gateway.bitcoin.chain.pay(...outputs(depositInstructions.address, '0.005', 1n));
  await mine(gateway, 1);
  assert.deepEqual([await one.state(first.id), await other.state(second.id)], ['COMPLETED', 'COMPLETED']);
  assert.equal((await one.balances())['pending/BTC'], undefined);
  assert.equal((await one.get('/wallet?assetCode=BTC')).wallet.available, '1.99995');
});

test('a payment that grows the sum makes one wait that is in a block, but not yet confirmed', async () => {
  const shop = await openShop(gateway, { extraConfirmations: 1 });
  const { address } = (await shop.post('/deposit-address', { network: 'BITCOIN' })).depositInstructions;
  gateway.bitcoin.chain.pay(...outputs(address, '0.009', 1n));
  await mine(gateway, 1);
  assert.deepEqual(await shop.balances(), {}, 'the merchant asked for one more');
  gateway.bitcoin.chain.pay(...outputs(address, '0.099', 1n));
  await mine(gateway, 1);
  assert.deepEqual(await shop.balances(), {}, 'together they need three, and one more');
  await mine(gateway, 2);
  assert.deepEqual(await shop.balances(), { 'available/BTC': '895500' });
  await mine(gateway, 1);
  assert.deepEqual(await shop.balances(), { 'available/BTC': '10746000' });
});
