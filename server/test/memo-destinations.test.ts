/**
 * On networks with memos a memo says whose money it is: at an exchange everybody has the same address. So it is part of
 * the destination wherever destinations are compared, and another memo is as new as another address.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sandboxPassphrase } from '@quittance/sandbox/stellar/stellar-network';
import { Account, Asset, Keypair, Memo, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { encodeMuxedAddress } from '../src/lib/strkey.ts';
import { decimal, toUnits } from '../src/money/decimal.ts';
import { aCharge, type Gateway, startGateway, withoutBitcoin, withoutLitecoin } from './gateway.ts';
import { openSender, type Sender } from './transfer-story.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ hasStellar: true, env: { ...withoutBitcoin, ...withoutLitecoin } });
});
after(() => gateway.stop());

async function close(): Promise<void> {
  gateway.stellar.close();
  await gateway.runUntilIdle();
}

/** With lumens, and an hour to wait before money goes where none has gone before. */
async function patientSender(): Promise<Sender> {
  const shop = await openSender(gateway, '0', { destinationWaitMinutes: 60 });
  const { depositInstructions: to } = await shop.post('/deposit-address', { network: 'STELLAR', asset: 'XLM' });
  gateway.stellar.pay(to.memo, { address: to.address, units: toUnits(decimal('1000'), 7, 'down'), asset: 'native' });
  await close();
  return shop;
}

async function anExchange(): Promise<string> {
  const exchange = Keypair.random();
  gateway.stellar.openAccount(exchange, '100');
  await close();
  return exchange.publicKey();
}

async function wait(shop: Sender, id: string): Promise<any> {
  gateway.clock.advance({ minutes: 60 });
  await gateway.runUntilIdle();
  for (let ledger = 0; ledger < 10 && (await shop.transfer(id)).endTime === null; ledger += 1) await close();
  return shop.transfer(id);
}

test('the same address with another memo waits like another address', async () => {
  const [shop, address] = [await patientSender(), await anExchange()];
  const order = { network: 'STELLAR', asset: 'XLM', amount: '10', address };
  const first = await shop.send({ ...order, memo: '1001', memoType: 'id' });
  assert.equal(first.state, 'WAITING');
  const arrived = await wait(shop, first.id);
  assert.equal(arrived.state, 'COMPLETED', arrived.failure);

  const known = { ...order, memo: '1001', memoType: 'id' };
  const others = [
    { ...order, memo: '1002', memoType: 'id' },
    { ...order, memo: '1001', memoType: 'text' },
    order,
    { ...order, address: encodeMuxedAddress(address, 1001n) },
  ];
  const usableAt = async (to: Record<string, string>): Promise<number> => {
    const { usableFrom } = await shop.get(`/transfer/estimate?${new URLSearchParams(to).toString()}`);
    return (Date.parse(usableFrom) - gateway.clock.now().getTime()) / 60_000;
  };
  assert.equal(await usableAt(known), 0);
  for (const other of others) assert.equal(await usableAt(other), 60, JSON.stringify(other));
  assert.equal((await shop.send(known)).state, 'QUEUED');
  for (const other of others) {
    const { id, state } = await shop.send(other);
    assert.equal(state, 'WAITING', JSON.stringify(other));
    await shop.post('/transfer/cancel', { id });
  }
});

test('a target account whose memo changes waits again, and what was on its way there is not sent', async () => {
  const [shop, address] = [await patientSender(), await anExchange()];
  const saved = async (label: string) => {
    const account = { label, network: 'STELLAR', address };
    const { targetAccountId } = await shop.post('/target-account', { ...account, memo: '1001', memoType: 'id' });
    const again = await shop.post('/target-account', { ...account, memo: '1001', memoType: 'id' });
    assert.equal(again.targetAccountId, targetAccountId, 'a client retries');
    for (const other of [{ memo: '1002', memoType: 'id' }, { memo: '1001', memoType: 'text' }, {}])
      await shop.refused(409, 'POST', '/target-account', { ...account, ...other });
    return targetAccountId;
  };
  for (const change of [{ memo: '1002' }, { memoType: 'text' }, { memo: '' }]) {
    const label = JSON.stringify(change);
    const accountId = await saved(label);
    const order = { network: 'STELLAR', asset: 'XLM', amount: '10', targetAccount: label };
    const { id, state } = await shop.send(order);
    assert.equal(state, 'WAITING');
    gateway.clock.advance({ minutes: 10 });
    const { targetAccount } = await shop.post('/target-account', { id: accountId, ...change });
    assert.equal(Date.parse(targetAccount.usableFrom), gateway.clock.now().getTime() + 3_600_000, label);
    const ended = await wait(shop, id);
    assert.deepEqual([ended.state, ended.txHash], ['FAILED', null], label);
    assert.match(ended.failure, /target account was changed/);
  }
});

test("a wallet's payment with the memo of another checkout is not handed on from the page of this one", async () => {
  const shop = await openSender(gateway, '0');
  const payer = Keypair.random();
  gateway.stellar.openAccount(payer, '1000');
  await close();
  const opened = [];
  for (const _ of [1, 2]) {
    const { id } = await shop.post('/checkout/hosted', aCharge('5.00 USD'));
    const { depositInstructions } = await shop.post('/checkout/commit', {
      checkoutId: id,
      network: 'STELLAR',
      asset: 'XLM',
    });
    opened.push({ id, ...depositInstructions });
  }
  const [mine, theirs] = opened;
  assert.equal(mine.address, theirs.address);
  assert.notEqual(mine.memo, theirs.memo);
  async function submit(checkoutId: string, memo: Memo): Promise<number> {
    const origin = new URL(gateway.url).origin;
    const reply = await fetch(
      `${new URL(gateway.env['STELLAR_HORIZON_URL'] ?? '').href.replace(/\/$/, '')}/accounts/${payer.publicKey()}`,
    );
    const { sequence } = (await reply.json()) as { sequence: string };
    const transaction = new TransactionBuilder(new Account(payer.publicKey(), sequence), {
      fee: '100',
      networkPassphrase: sandboxPassphrase,
      timebounds: { minTime: 0, maxTime: 0 },
      memo,
    })
      .addOperation(Operation.payment({ destination: mine.address, asset: Asset.native(), amount: mine.amount }))
      .build();
    transaction.sign(payer);
    const body = new URLSearchParams({ signed: transaction.toXDR() });
    return (await fetch(`${origin}/ajax/checkout/${checkoutId}/stellar`, { method: 'POST', body })).status;
  }
  assert.equal(await submit(mine.id, Memo.text(theirs.memo)), 422);
  assert.equal(await submit(mine.id, Memo.none()), 422);
  let isOver = false;
  const answer = submit(mine.id, Memo.text(mine.memo)).finally(() => {
    isOver = true;
  });
  // Horizon answers when a ledger has it, and ledgers close when they are told to.
  while (!isOver) {
    gateway.stellar.close();
    await sleep(20);
  }
  assert.equal(await answer, 200);
  await close();
  assert.equal(await shop.state(mine.id), 'COMPLETED');
  assert.equal(await shop.state(theirs.id), 'PENDING');
});
