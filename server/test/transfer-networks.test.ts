/** Transfers on networks that are not Bitcoin: a memo on Stellar, an invoice on Lightning, a fee in another asset. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sandboxUsdc } from '@quittance/sandbox/stellar/stellar-network';
import { Asset, Keypair, Operation } from '@stellar/stellar-sdk';
import { enqueue } from '../src/jobs/enqueue.ts';
import { newId } from '../src/lib/ids.ts';
import { encodeMuxedAddress } from '../src/lib/strkey.ts';
import type { SettingsChange } from '../src/merchants/change-settings.ts';
import { decimal, toUnits } from '../src/money/decimal.ts';
import { findPayout, findPayouts, insertPayouts, withdrawPayout } from '../src/sending/payout-store.ts';
import { whyDeclined } from '../src/wallets/withdraw-own-money.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { balancesOf } from './shop.ts';
import { stockTreasury } from './stock-treasury.ts';
import { openSender, type Sender } from './transfer-story.ts';
import { until } from './until.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ hasStellar: true, lightningSat: 10_000_000n, env: withoutLitecoin });
});
after(() => gateway.stop());

const usdc = `${sandboxUsdc.code}:${sandboxUsdc.issuer}`;

async function close(): Promise<void> {
  gateway.stellar.close();
  await gateway.runUntilIdle();
}

async function fund(shop: Sender, asset: string, amount: string): Promise<void> {
  const { depositInstructions: to } = await shop.post('/deposit-address', { network: 'STELLAR', asset });
  const paid = {
    address: to.address,
    units: toUnits(decimal(amount), 7, 'down'),
    asset: asset === 'XLM' ? 'native' : usdc,
  };
  gateway.stellar.pay(to.memo, paid);
  await close();
}

/** Channels are opened and transactions sent in ledgers that close when they are told to. */
async function closeUntilEnded(shop: Sender, id: string): Promise<any> {
  for (let ledger = 0; ledger < 10; ledger += 1) {
    await close();
    const transfer = await shop.transfer(id);
    if (transfer.endTime !== null) return transfer;
  }
  return shop.transfer(id);
}

test('lumens are sent with a memo', async () => {
  const shop = await openSender(gateway, '0');
  await fund(shop, 'XLM', '1000');
  const receiver = Keypair.random();
  gateway.stellar.openAccount(receiver, '100');
  const order = { network: 'STELLAR', asset: 'XLM', amount: '250.5', address: receiver.publicKey(), memo: 'invoice 7' };
  const transfer = await shop.send(order);
  assert.deepEqual([transfer.memo, transfer.memoType, transfer.amount], ['invoice 7', 'text', '250.5']);
  const completed = await closeUntilEnded(shop, transfer.id);
  assert.equal(completed.state, 'COMPLETED', completed.failure);
  assert.deepEqual(shop.eventsOf(transfer.id), ['TRANSFER_COMPLETED COMPLETED']);
});

test('dollars pay for a network fee that is taken in lumens', async () => {
  const shop = await openSender(gateway, '0');
  await fund(shop, 'USDC', '100');
  const receiver = Keypair.random();
  gateway.stellar.openAccount(receiver, '100', usdc);
  const transfer = await shop.send({ network: 'STELLAR', asset: 'USDC', amount: '60', address: receiver.publicKey() });
  assert.ok(Number(transfer.networkFee) > 0 && Number(transfer.networkFee) < 0.01, transfer.networkFee);
  const completed = await closeUntilEnded(shop, transfer.id);
  assert.equal(completed.state, 'COMPLETED', completed.failure);
});

test('a receiver who cannot take the asset gets nothing, and the merchant has it again', async () => {
  const shop = await openSender(gateway, '0');
  await fund(shop, 'USDC', '100');
  const before = await shop.balances();
  const address = Keypair.random().publicKey();
  const { id } = await shop.send({ network: 'STELLAR', asset: 'USDC', amount: '60', address });
  const failed = await closeUntilEnded(shop, id);
  assert.equal(failed.state, 'FAILED');
  assert.deepEqual(shop.eventsOf(id), ['TRANSFER_FAILED FAILED']);
  assert.deepEqual(await shop.balances(), before);
});

test('a receiver who turns money away in the last moment is to blame alone, not those who travel along', async () => {
  const [shop, neighbour] = [await openSender(gateway, '0'), await openSender(gateway, '0')];
  await fund(shop, 'USDC', '100');
  await fund(neighbour, 'USDC', '100');
  const before = await shop.balances();
  const [fickle, receiver] = [Keypair.random(), Keypair.random()];
  for (const account of [fickle, receiver]) gateway.stellar.openAccount(account, '100', usdc);
  await close();
  const asset = new Asset(sandboxUsdc.code, sandboxUsdc.issuer);
  // First in the ledger that will carry the payments, so that nothing is wrong with it when they are signed.
  gateway.stellar.send(fickle, [Operation.changeTrust({ asset, limit: '0' })]);
  const order = { network: 'STELLAR', asset: 'USDC', amount: '60' };
  const turnedAway = await shop.send({ ...order, address: fickle.publicKey() });
  const welcome = await neighbour.send({ ...order, address: receiver.publicKey() });
  await gateway.runUntilIdle();
  gateway.stellar.close();
  // Welcome again, until the next payment: tried once more, it would cost everybody's fee in every ledger.
  gateway.stellar.send(fickle, [Operation.changeTrust({ asset })]);
  gateway.stellar.close();
  const arrived = await closeUntilEnded(neighbour, welcome.id);
  assert.equal(arrived.state, 'COMPLETED', arrived.failure);
  const failed = await shop.transfer(turnedAway.id);
  assert.deepEqual([failed.state, shop.eventsOf(turnedAway.id)], ['FAILED', ['TRANSFER_FAILED FAILED']]);
  assert.match(failed.failure, /paymentNoTrust/);
  const after = await shop.balances();
  const charged = toUnits(decimal(failed.failureCost), 7, 'down');
  assert.ok(charged > 0n, 'the fee of the ledger, which carried it out without effect');
  assert.deepEqual(after, { 'available/USDC': String(BigInt(before['available/USDC'] ?? 0) - charged) });
  const paid = await neighbour.transfer(welcome.id);
  assert.equal(paid.failureCost, null);
});

test('what is on its way out cannot be promised again, and what waits for money keeps nobody waiting', async () => {
  const shop = await openSender(gateway, '0');
  await fund(shop, 'USDC', '100');
  await fund(shop, 'XLM', '100');
  const receiver = Keypair.random();
  gateway.stellar.openAccount(receiver, '100', usdc);
  await close();
  const order = { network: 'STELLAR', address: receiver.publicKey() };
  const mostDollars = async (): Promise<number> => {
    const question = new URLSearchParams({ ...order, asset: 'USDC', amount: '1000000' });
    const { status, body } = await shop.request('GET', `/transfer/estimate?${question.toString()}`);
    assert.equal(status, 422, JSON.stringify(body));
    return Number(/at the moment: the most is (\S+) USDC\.$/.exec(body.errors[0])?.[1]);
  };
  const before = await mostDollars();
  const { id } = await shop.send({ ...order, asset: 'USDC', amount: '60' });
  assert.equal(await mostDollars(), before - 60, 'queued');
  await gateway.runUntilIdle();
  assert.equal(await mostDollars(), before - 60, 'signed');
  assert.equal((await closeUntilEnded(shop, id)).state, 'COMPLETED');
  assert.equal(await mostDollars(), before - 60, 'gone');

  const tooMuch = await askForDollars(1_000_000n, receiver.publicKey());
  gateway.clock.advance({ seconds: 1 });
  const late = await shop.order({ ...order, asset: 'USDC', amount: '1' });
  assert.deepEqual(late.body.errors, ['So much cannot be sent on Stellar at the moment: the most is 0 USDC.']);
  const lumens = await shop.send({ ...order, asset: 'XLM', amount: '10' });
  const arrived = await closeUntilEnded(shop, lumens.id);
  assert.equal(arrived.state, 'COMPLETED', arrived.failure);
  assert.ok((await findPayouts(gateway.db, tooMuch)).every(({ state }) => state === 'QUEUED'));
  await gateway.db.begin((tx) => Promise.all(tooMuch.map((each) => withdrawPayout(tx, each, gateway.clock.now()))));
});

test('what the operator has elsewhere cannot be taken out here', async () => {
  const shop = await openSender(gateway, '0');
  await fund(shop, 'USDC', '100');
  await stockTreasury(gateway, usdc, 1_000_000_0000000n);
  const receiver = Keypair.random();
  gateway.stellar.openAccount(receiver, '100', usdc);
  await close();
  const transferId = newId();
  const payload = {
    transferId,
    network: 'STELLAR',
    asset: 'USDC',
    amount: '500000',
    address: receiver.publicKey(),
    memo: null,
    memoType: null,
    holder: null,
  };
  const runAt = gateway.clock.now();
  await gateway.db.begin((tx) => enqueue(tx, [{ name: 'withdrawal.request', payload, runAt }]));
  await gateway.runUntilIdle();
  const refusal = await whyDeclined(gateway.db, transferId);
  assert.match(refusal ?? '', /^So much cannot be sent on Stellar at the moment: the most is \d+(\.\d+)? USDC\.$/);
  assert.equal(await findPayout(gateway.db, transferId), undefined);
  const order = { network: 'STELLAR', asset: 'USDC', amount: '10', address: receiver.publicKey() };
  assert.equal((await closeUntilEnded(shop, (await shop.send(order)).id)).state, 'COMPLETED');
});

test('what the network takes in another asset must be the operator’s own too, and is set aside with it', async () => {
  await fund(await openSender(gateway, '0'), 'USDC', '100');
  await stockTreasury(gateway, usdc, 100_0000000n);
  const receiver = Keypair.random();
  gateway.stellar.openAccount(receiver, '100', usdc);
  await close();
  const lumens = async (purpose: string): Promise<bigint> =>
    BigInt((await balancesOf(gateway, 'operator/'))[`${purpose}/XLM`] ?? 0);
  const withdraw = async (): Promise<string> => {
    const transferId = newId();
    const goal = { address: receiver.publicKey(), memo: null, memoType: null, holder: null };
    const payload = { transferId, network: 'STELLAR', asset: 'USDC', amount: '1', ...goal };
    const job = { name: 'withdrawal.request' as const, payload, runAt: gateway.clock.now() };
    await gateway.db.begin((tx) => enqueue(tx, [job]));
    await gateway.runUntilIdle();
    return transferId;
  };
  const own = (await Promise.all(['equity', 'fees', 'costs'].map(lumens))).reduce((sum, units) => sum + units, 0n);
  await stockTreasury(gateway, 'XLM:NATIVE', -own);
  assert.match(
    (await whyDeclined(gateway.db, await withdraw())) ?? '',
    /^The network takes up to 0\.0\d+ XLM for this, and only 0 XLM are the operator's own\.$/,
  );
  await stockTreasury(gateway, 'XLM:NATIVE', own < 1_0000000n ? 1_0000000n : own);
  const id = await withdraw();
  assert.ok((await lumens('reserved')) > 0n);
  for (let ledger = 0; ledger < 10; ledger += 1) await close();
  assert.equal((await findPayout(gateway.db, id))?.state, 'DONE');
  assert.equal(await lumens('reserved'), 0n);
});

test('nor can a refund be taken from what is elsewhere, by the shop or by its customer', async () => {
  const [shop, other] = [await openSender(gateway, '0'), await openSender(gateway, '0')];
  await fund(other, 'USDC', '100');
  const receiver = Keypair.random();
  gateway.stellar.openAccount(receiver, '100', usdc);
  await close();
  const checkout = await shop.open('600000.00 USD', 'BITCOIN', { settlementAsset: 'USDC' });
  gateway.bitcoin.pay(checkout);
  gateway.bitcoin.mine(100);
  await gateway.runUntilIdle();
  assert.deepEqual(await shop.balances(), { 'available/USDC': '5970000000000' });
  const refund = { checkoutId: checkout.id, amount: '500000' };
  const [refusal] = await shop.refused(422, 'POST', '/refund', { ...refund, address: receiver.publicKey() });
  assert.match(refusal ?? '', /^So much cannot be sent on Stellar at the moment: the most is \d+(\.\d+)? USDC\.$/);
  const { refund: claimable, claimUrl } = await shop.post('/refund', refund);
  const link = new URL(claimUrl.replace('https://pay.test', new URL(gateway.url).origin));
  const form = new URLSearchParams({ token: link.searchParams.get('token') ?? '', address: receiver.publicKey() });
  const reply = await fetch(`${link.origin}${link.pathname}`, { method: 'POST', body: form, redirect: 'manual' });
  assert.equal(reply.status, 422);
  assert.match(await reply.text(), /The refund cannot be sent at the moment/);
  assert.equal((await shop.get(`/refund?id=${claimable.id}`)).refund.state, 'CLAIMABLE', 'the link is good for later');

  const order = { network: 'STELLAR', asset: 'USDC', amount: '10', address: receiver.publicKey() };
  assert.equal((await closeUntilEnded(other, (await other.send(order)).id)).state, 'COMPLETED');
});

/** A merchant with more dollars in the books than are on Stellar, and what is there. */
async function richSender(settings: SettingsChange): Promise<{ shop: Sender; most: bigint; address: string }> {
  const shop = await openSender(gateway, '0', settings);
  const checkout = await shop.open('600000.00 USD', 'BITCOIN', { settlementAsset: 'USDC' });
  gateway.bitcoin.pay(checkout);
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  await fund(shop, 'USDC', '100');
  const receiver = Keypair.random();
  gateway.stellar.openAccount(receiver, '100', usdc);
  await close();
  const query = `network=STELLAR&asset=USDC&amount=500000&address=${receiver.publicKey()}`;
  const { body } = await shop.request('GET', `/transfer/estimate?${query}`);
  const most = /at the moment: the most is (\d+)/.exec(body.errors[0])?.[1];
  return { shop, most: BigInt(most ?? 0), address: receiver.publicKey() };
}

test('of transfers that waited together, only as many go as the network can send', async () => {
  const { shop, most, address } = await richSender({ destinationWaitMinutes: 60 });
  const order = { network: 'STELLAR', asset: 'USDC', amount: String(most - 5n), address };
  const [first, second] = [await shop.send(order), await shop.send(order)];
  assert.deepEqual([first.state, second.state], ['WAITING', 'WAITING']);
  gateway.clock.advance({ minutes: 61 });
  await gateway.app.pollRates();
  const ended = [await closeUntilEnded(shop, first.id), await closeUntilEnded(shop, second.id)];
  assert.ok(ended.some(({ state }) => state === 'COMPLETED'));
  assert.match(
    ended.find(({ state }) => state === 'FAILED')?.failure,
    /^So much cannot be sent on Stellar at the moment: the most is \d+(\.\d+)? USDC\.$/,
  );
  const other = await openSender(gateway, '0');
  await fund(other, 'USDC', '10');
  const little = await other.send({ ...order, amount: '1' });
  assert.equal((await closeUntilEnded(other, little.id)).state, 'COMPLETED', 'and nobody else is kept from it');
});

test('nor is one approved that the network cannot send by then; it can be approved later', async () => {
  const { shop, most, address } = await richSender({ transferApprovalAbove: '1' });
  const order = { network: 'STELLAR', asset: 'USDC', amount: String(most - 5n), address };
  const [first, second] = [await shop.send(order), await shop.send(order)];
  const as = await gateway.createKey(shop.merchant);
  const approve = (id: string) => shop.request('POST', '/transfer/approve', { id }, { as });
  assert.equal((await approve(first.id)).body.transfer.state, 'QUEUED');
  const refused = await approve(second.id);
  assert.match(refused.body.errors[0], /^So much cannot be sent on Stellar at the moment/);
  assert.equal((await shop.transfer(second.id)).state, 'AWAITING_APPROVAL');
  await shop.post('/transfer/cancel', { id: first.id });
  gateway.clock.advance({ seconds: 1 });
  assert.equal((await approve(second.id)).body.transfer.state, 'QUEUED');
  await shop.post('/transfer/cancel', { id: second.id });
});

test('of transfers that are ordered at the same moment, only as many are taken as the network can send', async () => {
  const { shop, most, address } = await richSender({});
  const order = { network: 'STELLAR', asset: 'USDC', amount: String(most - 5n), address };
  const replies = await Promise.all([1, 2, 3, 4].map(() => shop.order(order)));
  const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
  assert.deepEqual(statuses, [200, 422, 422, 422]);
});

/** More than there is anywhere, a hundred times: no merchant could order it. */
async function askForDollars(amount: bigint, address: string): Promise<string[]> {
  const transfers = Array.from({ length: 100 }, () => ({
    id: newId(),
    network: 'STELLAR',
    asset: usdc,
    units: amount * 10n ** 7n,
    address,
    memo: null,
    memoType: null,
    holder: null,
    purpose: 'withdrawal' as const,
    merchantId: 'operator',
  }));
  await gateway.db.begin((tx) => insertPayouts(tx, transfers, gateway.clock.now()));
  return transfers.map(({ id }) => id);
}

test('our own Stellar account is refused under all its names', async () => {
  const shop = await openSender(gateway, '0');
  const own = gateway.env['STELLAR_ACCOUNT'] as string;
  for (const address of [own, encodeMuxedAddress(own, 7n)]) {
    const { status } = await shop.order({ network: 'STELLAR', asset: 'XLM', amount: '1', address });
    assert.equal(status, 400, address);
  }
});

test('an invoice is paid over Lightning, in satoshis', async () => {
  const shop = await openSender(gateway, '0');
  const { depositInstructions: to } = await shop.post('/deposit-address', { network: 'LIGHTNING', amount: '0.02' });
  await gateway.lightning.pay({ address: to.address });
  await gateway.runUntilIdle();
  assert.deepEqual(await shop.balances(), { 'available/BTCLN': '1990000' });
  const { invoice: address, hash } = gateway.lightning.wallet.request({ sat: 100_000n });
  const wrong = await shop.send({ network: 'LIGHTNING', asset: 'SAT', amount: '90000', address });
  await gateway.runUntilIdle();
  assert.match((await shop.transfer(wrong.id)).failure, /asks for 100000 SAT/);
  const transfer = await shop.send({ network: 'LIGHTNING', asset: 'SAT', amount: '100000', address });
  assert.equal(transfer.amount, '0.001');
  await until('the invoice is paid', async () => {
    await gateway.runUntilIdle();
    return (await shop.transfer(transfer.id)).endTime !== null;
  });
  const completed = await shop.transfer(transfer.id);
  assert.equal(completed.state, 'COMPLETED', completed.failure);
  assert.equal(gateway.lightning.wallet.received(hash), 100_000_000n);
});
