/** Custom deposits on Ethereum, Stellar and Lightning, each with its own kind of target. The fee is half a percent. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type CompiledContract, readCompiledContracts } from '@quittance/sandbox/compile-contracts';
import type { EvmChain } from '@quittance/sandbox/evm-chain';
import { sandboxUsdc } from '@quittance/sandbox/stellar/stellar-network';
import { encodeFunctionData } from 'viem';
import { decimal, toUnits } from '../src/money/decimal.ts';
import { assignUnmatched } from '../src/watching/assign-unmatched.ts';
import { listUnmatched } from '../src/watching/unmatched-store.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { openShop, type Shop } from './shop.ts';

let gateway: Gateway;
let ethereum: EvmChain;
before(async () => {
  gateway = await startGateway({ withEthereum: true, hasStellar: true, lightningSat: 10_000_000n });
  ethereum = gateway.ethereum as EvmChain;
});
after(() => gateway?.stop());

const ask = (shop: Shop, body: object) => shop.post('/deposit-address', { webhook: gateway.webhookUrl, ...body });

async function state(shop: Shop, id: string): Promise<string> {
  const { deposit } = await shop.get(`/deposit?id=${id}`);
  return [deposit.state, ...deposit.exceptions].join(' ');
}

async function payEther(address: string, amount: string, assetCode: 'ETH' | 'USDC' = 'ETH'): Promise<void> {
  gateway.clock.advance({ seconds: 1 });
  await ethereum.pay({ address, units: toUnits(decimal(amount), assetCode === 'ETH' ? 18 : 6, 'down'), assetCode });
  await ethereum.mine(3);
  await gateway.runUntilIdle();
}

test('dollars at an address for ether are credited as dollars, and flagged', async () => {
  const shop = await openShop(gateway);
  const { id, depositInstructions } = await ask(shop, { network: 'ETHEREUM' });
  assert.equal(depositInstructions.assetCode, 'ETH');
  await payEther(depositInstructions.address, '60', 'USDC');
  assert.equal(await state(shop, id), 'COMPLETED WRONG_ASSET');
  await payEther(depositInstructions.address, '0.02');
  assert.equal(await state(shop, id), 'COMPLETED WRONG_ASSET', 'and what was asked for is no duplicate');
  assert.deepEqual(await shop.balances(), { 'available/ETH': '19900000000000000', 'available/USDC': '597000000' });
  const { payments, amountReceived } = (await shop.get(`/deposit?id=${id}`)).deposit;
  assert.equal(amountReceived, '0.02');
  assert.deepEqual(
    payments.map(({ amountAssetCode, amount, exception }: any) => [amountAssetCode, amount, exception]),
    [
      ['USDC', '60', 'WRONG_ASSET'],
      ['ETH', '0.02', null],
    ],
  );
});

test('ether from inside a contract reaches a reusable deposit, also a month later', async () => {
  const { Forwarder } = (await readCompiledContracts()) as { Forwarder: CompiledContract };
  const forwarder = await ethereum.deploy(Forwarder, []);
  const shop = await openShop(gateway);
  const { id, depositInstructions } = await ask(shop, { network: 'ETHEREUM', reusable: true });
  gateway.clock.advance({ hours: 24 * 30 });
  const { address } = depositInstructions;
  const data = encodeFunctionData({ abi: Forwarder.abi, functionName: 'forward', args: [[address]] });
  await ethereum.send({ to: forwarder, data, value: 10n ** 16n });
  for (let block = 0; block < 4; block += 1) {
    await ethereum.mine(1);
    await gateway.runUntilIdle();
  }
  assert.equal(await state(shop, id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/ETH': '9950000000000000' });
});

test('on Stellar a deposit is known by its memo, and a reusable one is paid again and again', async () => {
  const shop = await openShop(gateway);
  const { id, depositInstructions: to } = await ask(shop, { network: 'STELLAR', asset: 'USDC', reusable: true });
  assert.deepEqual([to.assetCode, to.memo, to.memoType], ['USDC', id, 'text']);
  assert.equal(to.address, gateway.env['STELLAR_ACCOUNT']);
  const asset = `${sandboxUsdc.code}:${sandboxUsdc.issuer}`;
  for (const amount of ['60', '40']) {
    gateway.stellar.pay(to.memo, { address: to.address, units: toUnits(decimal(amount), 7, 'down'), asset });
    gateway.stellar.close();
    await gateway.runUntilIdle();
  }
  assert.equal(await state(shop, id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '995000000' });
  assert.deepEqual(shop.eventsOf(id), ['DEPOSIT_COMPLETED COMPLETED', 'DEPOSIT_COMPLETED COMPLETED']);
  const { wallet } = await shop.get('/wallet?assetCode=USDC');
  assert.deepEqual(wallet.depositAddresses, [
    { depositId: id, network: 'STELLAR', address: to.address, memo: id, memoType: 'text' },
  ]);
  const own = { label: 'us', network: 'STELLAR', address: to.address, memo: 'another' };
  assert.match((await shop.refused(400, 'POST', '/target-account', own)).join(), /address belongs to this service/);
});

test('money that forgot the memo of a deposit is given to it by the operator', async () => {
  const shop = await openShop(gateway);
  const { id, depositInstructions: to } = await ask(shop, { network: 'STELLAR' });
  const tx = gateway.stellar.pay(null, { address: to.address, units: 6_000_000_000n, asset: 'native' });
  gateway.stellar.close();
  await gateway.runUntilIdle();
  const unmatched = (await listUnmatched(gateway.db)).find(({ txHash }) => txHash === tx);
  await assignUnmatched(gateway, unmatched?.id ?? '', id);
  await gateway.runUntilIdle();
  assert.equal(await state(shop, id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/XLM': '5970000000' });
});

test('an invoice needs an amount and is paid once', async () => {
  const shop = await openShop(gateway);
  assert.deepEqual(await shop.refused(400, 'POST', '/deposit-address', { network: 'LIGHTNING', reusable: true }), [
    'reusable must be false on LIGHTNING: its targets are invoices, which can be paid only once.',
    'amount is missing: on LIGHTNING a target is an invoice, which is for one amount.',
  ]);
  const reply = await ask(shop, { network: 'LIGHTNING', amount: '0.001' });
  const { assetCode, amount, address } = reply.depositInstructions;
  assert.deepEqual([assetCode, amount], ['SAT', '100000']);
  assert.equal(Date.parse(reply.expirationTime), Math.floor(gateway.clock.now().getTime() / 1000) * 1000 + 86_400_000);
  await gateway.lightning.pay({ address });
  await gateway.runUntilIdle();
  assert.equal(await state(shop, reply.id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/BTCLN': '99500' });
  assert.deepEqual(shop.eventsOf(reply.id), ['DEPOSIT_COMPLETED COMPLETED']);
});

test('an invoice may be asked for in satoshis', async () => {
  const shop = await openShop(gateway);
  const { id, depositInstructions } = await ask(shop, { network: 'LIGHTNING', asset: 'SAT', amount: 100_000 });
  assert.equal(depositInstructions.amount, '100000');
  assert.equal((await shop.get(`/deposit?id=${id}`)).deposit.amountExpected, '0.001');
  assert.deepEqual(
    await shop.refused(400, 'POST', '/deposit-address', { network: 'LIGHTNING', asset: 'SAT', amount: '0.5' }),
    ['amount must have at most 0 decimals on LIGHTNING, but is 0.5.'],
  );
});

test('an invoice over more than can be received is refused', async () => {
  const shop = await openShop(gateway);
  const errors = await shop.refused(422, 'POST', '/deposit-address', { network: 'LIGHTNING', amount: 1 });
  assert.match(errors.join(), /^So much cannot be received on Lightning at the moment: the most is 0\.0\d+ BTCLN\.$/);
});
