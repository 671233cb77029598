/** Two who change the same thing at the same moment: the second sees what the first did. Nothing depends on luck. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDatabase } from '../src/db/database.ts';
import { findFundingTarget } from '../src/deposits/deposit-target-store.ts';
import { enqueue, type NewJob } from '../src/jobs/enqueue.ts';
import { present } from '../src/lib/assert.ts';
import { newId } from '../src/lib/ids.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { insertTransaction, type NewTransaction } from '../src/sending/outgoing-transaction-store.ts';
import { withdrawPayout } from '../src/sending/payout-store.ts';
import { rewindNetwork } from '../src/watching/rewind-network.ts';
import { type Gateway, type Reply, startGateway, testIssuer } from './gateway.ts';
import { meetAt, nobodyWrites, startTwin, type Twin } from './meet-at.ts';
import { openShop } from './shop.ts';
import { patience } from './test-database.ts';
import { freshAddress, mine, openSender } from './transfer-story.ts';
import { untilRested } from './until.ts';

let gateway: Gateway;
let twin: Twin;
before(async () => {
  gateway = await startGateway();
  twin = await startTwin(gateway);
});
after(async () => {
  await twin.stop();
  await gateway.stop();
});

const statuses = (replies: readonly Reply[]): number[] => replies.map(({ status }) => status);

/** The job that is due is done by one process, and once more by another. */
const twice = (job: Pick<NewJob, 'name' | 'payload'>): (() => Promise<void>)[] => [
  async () => void (await Promise.all(gateway.app.runners.map((runner) => runner.runDue()))),
  async () => {
    await gateway.db.begin((tx) => enqueue(tx, [{ ...job, runAt: gateway.clock.now() } as NewJob]));
    await Promise.all(twin.app.runners.map((runner) => runner.runDue()));
  },
];

async function assertNothingFailed(): Promise<void> {
  assert.deepEqual(await gateway.db`select name, last_error from job where last_error is not null`, []);
}

async function watchAll(): Promise<void> {
  for (const watcher of gateway.app.watchers) await untilRested(watcher);
}

test('two processes commit a checkout to the same network: there is one place to pay to', async () => {
  const shop = await openShop(gateway);
  const checkoutId = await shop.create('60.00 USD');
  const wish = { checkoutId, network: 'BITCOIN' };
  const replies = await meetAt(gateway.db, (tx) => tx`select from checkout where id = ${checkoutId} for update`, [
    () => shop.request('POST', '/checkout/commit', wish),
    () => twin.post(shop.merchant, '/checkout/commit', wish),
  ]);
  assert.deepEqual(statuses(replies), [200, 200]);
  assert.deepEqual(replies[1]?.body, replies[0]?.body);
  assert.equal((await gateway.db`select from commitment where checkout_id = ${checkoutId}`).length, 1);
});

test('of two refunds of one checkout at once the second may have what is left', async () => {
  const shop = await openSender(gateway, '0');
  const paid = await shop.open('60.00 USD', 'BITCOIN');
  gateway.clock.advance({ minutes: 61 });
  gateway.bitcoin.pay({ address: paid.address, amount: '0.0005' });
  await mine(gateway, 100); // What is not final has a lock of its own.
  assert.equal(await shop.state(paid.id), 'UNDERPAID PARTIAL');
  const refund = (amount: string) => () =>
    shop.request('POST', '/refund', { checkoutId: paid.id, amount, address: freshAddress() });
  const replies = await meetAt(gateway.db, nobodyWrites.refunds, [refund('0.0003'), refund('0.00029')]);
  assert.deepEqual(statuses(replies), [200, 422]);
  assert.match(replies[1]?.body.errors[0], /^At most 0\.0002 BTC can be refunded/);
});

test('a transfer is cancelled once', async () => {
  const shop = await openSender(gateway, '0.02', { destinationWaitMinutes: 60 });
  const { id } = await shop.send({ amount: '0.001', address: freshAddress() });
  const cancel = (again: number) => () => shop.request('POST', '/transfer/cancel', { id, again });
  const gate = (tx: any) => tx`select from transfer where id = ${id} for update`;
  const replies = await meetAt(gateway.db, gate, [cancel(1), cancel(2)]);
  assert.deepEqual(statuses(replies), [200, 409]);
  assert.match(replies[1]?.body.errors[0], /CANCELED/);
});

test('what is being signed cannot be cancelled, and what is being cancelled cannot be signed', async () => {
  const shop = await openSender(gateway, '0.02');
  const { clock } = gateway;
  const signed = (id: string, name: string): NewTransaction => ({
    id: newId(),
    network: 'BITCOIN',
    txHash: name,
    raw: '00',
    uses: [`${name}:0`],
    payoutIds: [id],
    feeAsset: `BTC:${testIssuer}`,
    feeUnits: 1n,
    confirmationsRequired: 1,
    trace: {},
    note: 'test',
  });
  const first = await shop.send({ amount: '0.001', address: freshAddress() });
  const [reply] = await meetAt(gateway.db, (tx) => insertTransaction(tx, signed(first.id, 'first'), clock.now()), [
    () => shop.request('POST', '/transfer/cancel', { id: first.id }),
  ]);
  assert.equal(reply?.status, 409);
  await forget('first', first.id);

  const second = await shop.send({ amount: '0.001', address: freshAddress() });
  const isStored = await meetAt(gateway.db, (tx) => withdrawPayout(tx, second.id, clock.now()), [
    () => gateway.db.begin((tx) => insertTransaction(tx, signed(second.id, 'second'), clock.now())),
  ]);
  assert.deepEqual(isStored, [false]);
  await gateway.db`update outgoing_transfer set state = 'QUEUED', failure = null, ended_at = null where id = ${second.id}`;
});

/** As if it had never been signed. */
async function forget(txHash: string, transferId: string): Promise<void> {
  await gateway.db`update outgoing_transfer set state = 'QUEUED', transaction_id = null where id = ${transferId}`;
  await gateway.db`delete from outgoing_claim where claim = ${`${txHash}:0`}`;
  await gateway.db`delete from outgoing_transaction where tx_hash = ${txHash}`;
}

test('a replacement is not stored when another version is just being seen in a block', async () => {
  const version = (txHash: string): NewTransaction => ({
    id,
    network: 'BITCOIN',
    txHash,
    raw: '00',
    uses: ['version:0'],
    payoutIds: [],
    feeAsset: `BTC:${testIssuer}`,
    feeUnits: 1n,
    confirmationsRequired: 1,
    trace: {},
    note: 'test',
  });
  const id = newId();
  const store = (txHash: string): Promise<boolean> =>
    gateway.db.begin((tx) => insertTransaction(tx, version(txHash), gateway.clock.now()));
  assert.equal(await store('version'), true);
  const [isStored] = await meetAt(
    gateway.db,
    (tx) => tx`update outgoing_transaction set state = 'INCLUDED', block_hash = 'b', block_height = 1 where id = ${id}`,
    [() => store('replacement')],
  );
  assert.equal(isStored, false);
  await forget('version', '');
});

test('a deposit that two processes look at is credited once, and neither fails', async () => {
  const shop = await openShop(gateway);
  const { id: depositId, depositInstructions } = await shop.post('/deposit-address', { network: 'BITCOIN' });
  gateway.bitcoin.pay({ address: depositInstructions.address, amount: '0.001' });
  gateway.bitcoin.mine(6);
  await watchAll();
  const job = { name: 'deposit.advance' as const, payload: { merchantId: shop.merchant.merchantId, depositId } };
  await meetAt(gateway.db, (tx) => tx`select from deposit where id = ${depositId} for update`, twice(job));
  await assertNothingFailed();
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
});

test('a checkout that two processes look at is credited once, and neither fails', async () => {
  const shop = await openShop(gateway);
  const paid = await shop.open('60.00 USD', 'BITCOIN');
  gateway.bitcoin.pay(paid);
  gateway.bitcoin.mine(1);
  await watchAll();
  const payload = { merchantId: shop.merchant.merchantId, checkoutId: paid.id };
  const gate = (tx: any) => tx`select from checkout where id = ${paid.id} for update`;
  await meetAt(gateway.db, gate, twice({ name: 'checkout.advance', payload }));
  await assertNothingFailed();
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
});

test('what the operator brings in is booked once, and nobody fails', async () => {
  const targetId = newId();
  const payload = { network: 'BITCOIN', targetId, amount: null };
  const asked = { name: 'funding.address' as const, payload, runAt: gateway.clock.now() };
  await gateway.db.begin((tx) => enqueue(tx, [asked]));
  await gateway.runUntilIdle();
  const { address } = present(await findFundingTarget(gateway.db, 'BITCOIN', targetId), 'the target');
  gateway.bitcoin.pay({ address, amount: '0.01' });
  gateway.bitcoin.mine(6);
  await watchAll();
  await meetAt(
    gateway.db,
    (tx) => tx`select from payment where purpose = 'funding' and place = 'none' for update`,
    twice({ name: 'funding.book', payload: { network: 'BITCOIN' } }),
  );
  await assertNothingFailed();
  const booked = await gateway.db`select from ledger_entry where kind = 'funding_received'`;
  assert.equal(booked.length, 1);
});

test('two changes of one account at once are both made', async () => {
  const { merchant } = await openShop(gateway);
  const change = (settings: object) => () => changeSettings(gateway, merchant.merchantId, settings, 'operator');
  const gate = (tx: any) => tx`select from merchant where id = ${merchant.merchantId} for update`;
  await meetAt(gateway.db, gate, [change({ name: 'Renamed' }), change({ extraConfirmations: 7 })]);
  assert.deepEqual(await gateway.db`select name, extra_confirmations from merchant where id = ${merchant.merchantId}`, [
    { name: 'Renamed', extra_confirmations: 7 },
  ]);
});

test('two changes of one target account at once are both made', async () => {
  const shop = await openShop(gateway);
  const at = { label: 'Exchange', network: 'BITCOIN', address: freshAddress() };
  const { targetAccount } = await shop.post('/target-account', at);
  const { id } = targetAccount;
  const change = (more: object) => () => shop.request('POST', '/target-account', { id, ...more });
  const replies = await meetAt(gateway.db, (tx) => tx`select from target_account where id = ${id} for update`, [
    change({ label: 'Cold' }),
    change({ assets: ['BTC'] }),
  ]);
  assert.deepEqual(statuses(replies), [200, 200], JSON.stringify(replies));
  assert.deepEqual(await gateway.db`select label, assets from target_account where id = ${id}`, [
    { label: 'Cold', assets: [`BTC:${testIssuer}`] },
  ]);
});

test('a beneficiary that is being deleted is not named, and one that is being named is not deleted', async () => {
  const shop = await openShop(gateway);
  const create = async (): Promise<string> =>
    (await shop.post('/beneficiary', { beneficiary: { lastname: 'Lovelace' } })).beneficiaryId;
  const name = (beneficiaryId: string, label: string) => () =>
    shop.request('POST', '/target-account', { label, network: 'BITCOIN', address: freshAddress(), beneficiaryId });
  const remove = (id: string) => () => shop.request('DELETE', '/beneficiary', { id });
  const gate = (id: string) => (tx: any) => tx`select from beneficiary where id = ${id} for update`;
  const [deleted, named] = [await create(), await create()];
  assert.deepEqual(
    statuses(await meetAt(gateway.db, gate(deleted), [remove(deleted), name(deleted, 'A')])),
    [200, 400],
  );
  assert.deepEqual(statuses(await meetAt(gateway.db, gate(named), [name(named, 'B'), remove(named)])), [200, 409]);
});

test('a watcher that writes at this moment is rewound from where it comes to', async () => {
  const heightOf = async (): Promise<number> => {
    const [row] = await gateway.db<{ height: number }>`
      select (cursor ->> 'height')::integer as height from network_cursor where network = 'LITECOIN'`;
    return present(row, 'the cursor').height;
  };
  gateway.litecoin.mine(20);
  await watchAll();
  const height = await heightOf();
  const [first] = await meetAt(
    gateway.db,
    (tx) => tx`
      update network_cursor set cursor = jsonb_set(cursor, '{height}', to_jsonb(${height - 5}::integer))
       where network = 'LITECOIN'`,
    [() => rewindNetwork(gateway.db, 'LITECOIN', 3)],
  );
  assert.equal(first, height - 5 - 2);
});

test('two processes that migrate an empty database at once do not disturb each other', async () => {
  const { migrate } = await import('../src/db/migrate.ts');
  const name = `empty_${newId()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')}`;
  await gateway.db.script(`create database ${name} template template0`);
  const url = new URL(gateway.databaseUrl);
  url.pathname = `/${name}`;
  const db = openDatabase({ url: url.href, poolSize: 4, ...patience });
  await db.script(
    'create table schema_migration (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  );
  const applied = await meetAt(db, (tx) => tx`lock table schema_migration in share row exclusive mode`, [
    () => migrate(db),
    () => migrate(db),
  ]);
  assert.deepEqual(applied[1], []);
  assert.ok((applied[0]?.length ?? 0) > 20);
  await db.close();
  await gateway.db.script(`drop database ${name} with (force)`);
});
