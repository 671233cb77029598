/** Custom deposits: money that comes without a charge. The fee is half a percent. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { merchantAccount, operatorAccount } from '../src/ledger/chart-of-accounts.ts';
import { postEntries } from '../src/ledger/ledger-store.ts';
import { type Gateway, startGateway, testIssuer } from './gateway.ts';
import { balancesOf, openShop, type Shop } from './shop.ts';
import { madeUp } from './subject-problems.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.stop());

async function mine(blocks: number): Promise<void> {
  gateway.bitcoin.mine(blocks);
  gateway.litecoin.mine(blocks);
  await gateway.runUntilIdle();
}

/** A second later than whatever was before: payments are told apart by when they were seen. */
async function pay(to: Opened, amount: string): Promise<string> {
  gateway.clock.advance({ seconds: 1 });
  const tx = gateway[to.network === 'LITECOIN' ? 'litecoin' : 'bitcoin'].pay({ address: to.address, amount });
  await gateway.runUntilIdle();
  return tx;
}

async function reorganise(depth: number, options?: { keepTransactions: boolean }): Promise<void> {
  gateway.bitcoin.chain.reorganise(depth, options);
  await gateway.runUntilIdle();
}

type Opened = { id: string; address: string; network: string };

async function open(shop: Shop, more: Record<string, unknown> = {}): Promise<Opened> {
  const body = { network: 'BITCOIN', webhook: gateway.webhookUrl, ...more };
  const { id, depositInstructions } = await shop.post('/deposit-address', body);
  return { id, address: depositInstructions.address, network: body.network };
}

const show = async (shop: Shop, { id }: { id: string }) => (await shop.get(`/deposit?id=${id}`)).deposit;

async function state(shop: Shop, deposit: { id: string }): Promise<string> {
  const { state: current, exceptions } = await show(shop, deposit);
  return [current, ...exceptions.toSorted()].join(' ');
}

test('a deposit is seen, confirmed, credited less the fee, and announced', async () => {
  const shop = await openShop(gateway);
  const reply = await shop.post('/deposit-address', {
    network: 'BITCOIN',
    webhook: gateway.webhookUrl,
    meta: { order: 1.1 },
  });
  const { depositInstructions: to } = reply;
  assert.match(to.address, /^bcrt1/);
  assert.deepEqual(reply, {
    id: reply.id,
    depositInstructions: {
      assetCode: 'BTC',
      blockchain: 'Bitcoin',
      network: 'BITCOIN',
      amount: null,
      address: to.address,
      holder: null,
      bic: null,
      memo: null,
      memoType: null,
    },
    expirationTime: null,
  });
  const deposit = { id: reply.id, address: to.address, network: 'BITCOIN' };
  assert.equal(await state(shop, deposit), 'CREATED');

  const tx = await pay(deposit, '0.001');
  assert.equal(await state(shop, deposit), 'PENDING');
  assert.deepEqual(await shop.balances(), {}, 'nothing is credited before it is confirmed');
  await mine(1);
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
  assert.deepEqual(shop.eventsOf(deposit.id), ['DEPOSIT_PENDING PENDING', 'DEPOSIT_COMPLETED COMPLETED']);

  const record = await show(shop, deposit);
  const [payment] = record.payments;
  assert.deepEqual(payment, {
    id: payment.id,
    tx,
    network: 'BITCOIN',
    networkName: 'Bitcoin',
    timestamp: payment.timestamp,
    state: 'COMPLETED',
    amount: '0.001',
    amountAssetCode: 'BTC',
    amountAssetId: `BTC:${testIssuer}`,
    fee: '0.000005',
    netAmount: '0.000995',
    exception: null,
  });
  assert.deepEqual(record, {
    id: deposit.id,
    timestamp: '2026-03-01T12:00:00+00:00',
    state: 'COMPLETED',
    exceptions: [],
    reusable: false,
    network: 'BITCOIN',
    networkName: 'Bitcoin',
    assetId: `BTC:${testIssuer}`,
    assetCode: 'BTC',
    amountExpected: null,
    amountReceived: '0.001',
    amountCredited: '0.000995',
    amountFeePaid: '0.000005',
    depositAddress: to.address,
    memo: null,
    memoType: null,
    expirationTime: null,
    closedTime: null,
    payments: [payment],
    paymentTotals: [
      {
        network: 'BITCOIN',
        assetId: record.assetId,
        assetCode: 'BTC',
        count: 1,
        amount: '0.001',
        crumbCount: 0,
        crumbAmount: '0',
      },
    ],
    meta: { order: 1.1 },
  });
  const [pending, completed] = shop.webhooksOf(deposit.id);
  assert.equal(pending?.data.payment.state, 'PENDING');
  assert.deepEqual(completed?.data, { deposit: record, payment });
  const { deliveries } = await shop.get(`/webhook-deliveries?depositId=${deposit.id}`);
  assert.deepEqual(
    deliveries.map(({ eventType }: any) => eventType),
    ['DEPOSIT_COMPLETED', 'DEPOSIT_PENDING'],
  );
});

test('a second payment to a single-use deposit is credited and flagged', async () => {
  const shop = await openShop(gateway);
  const deposit = await open(shop, { network: 'LITECOIN' });
  await pay(deposit, '1');
  await mine(6);
  await pay(deposit, '2');
  assert.equal(await state(shop, deposit), 'PENDING DUPLICATE');
  await mine(6);
  assert.equal(await state(shop, deposit), 'COMPLETED DUPLICATE');
  assert.deepEqual(await shop.balances(), { 'available/LTC': '298500000' });
  const { payments, amountReceived } = await show(shop, deposit);
  assert.equal(amountReceived, '3');
  assert.deepEqual(
    payments.map(({ amount, exception }: any) => [amount, exception]),
    [
      ['1', null],
      ['2', 'DUPLICATE'],
    ],
  );
});

test('a reusable deposit takes any number of payments', async () => {
  const shop = await openShop(gateway);
  const deposit = await open(shop, { reusable: true });
  for (const amount of ['0.001', '0.002', '0.003']) {
    await pay(deposit, amount);
    assert.equal(await state(shop, deposit), 'PENDING');
    await mine(1);
  }
  assert.equal(await state(shop, deposit), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '597000' });
  assert.equal(shop.eventsOf(deposit.id).length, 6);
  assert.equal(shop.webhooksOf(deposit.id).at(-1)?.data.payment.amount, '0.003');
});

test('an announcement of one payment never takes the place of that of another', async () => {
  const shop = await openShop(gateway);
  const deposit = await open(shop, { reusable: true });
  const delivered = () =>
    shop
      .webhooksOf(deposit.id)
      .filter(({ eventType }) => eventType === 'DEPOSIT_COMPLETED')
      .map(({ data }) => data.payment.amount);
  await pay(deposit, '0.001');
  const refusals = Array.from({ length: 5 }, () => 500);
  gateway.webhookAnswers.push(...refusals);
  await mine(1);
  for (let tries = 0; gateway.webhookAnswers.length > 1 && tries < 20; tries += 1) {
    gateway.clock.advance({ hours: 1 });
    await gateway.runUntilIdle();
  }
  assert.deepEqual([gateway.webhookAnswers.length, delivered()], [1, []], 'refused often enough to be overtaken');
  gateway.webhookAnswers.length = 0;
  await pay(deposit, '0.002');
  await mine(1);
  gateway.clock.advance({ hours: 6 });
  await gateway.runUntilIdle();
  assert.deepEqual(
    delivered().toSorted((a, b) => a.localeCompare(b)),
    ['0.001', '0.002'],
  );
  const { deliveries } = await shop.get(`/webhook-deliveries?checkoutId=${deposit.id}`);
  assert.equal(deliveries.length, 4);
  assert.ok(deliveries.every((delivery: { state: string }) => delivery.state === 'DELIVERED'));
});

test('a reusable deposit that is paid very often is credited whole and shows what came last', async () => {
  const shop = await openShop(gateway);
  const { id, depositInstructions } = await shop.post('/deposit-address', { network: 'BITCOIN', reusable: true });
  const { address } = depositInstructions;
  const hashes = Array.from({ length: 130 }, () => gateway.bitcoin.pay({ address, amount: '0.0001' }));
  gateway.bitcoin.mine(3); // As deep as their sum needs.
  await gateway.runUntilIdle();
  const { deposit } = await shop.get(`/deposit?id=${id}`);
  assert.deepEqual([deposit.state, deposit.amountReceived, deposit.amountCredited], ['COMPLETED', '0.013', '0.012935']);
  assert.equal(deposit.payments.length, 100);
  assert.deepEqual([deposit.paymentTotals[0].count, deposit.paymentTotals[0].amount], [130, '0.013']);
  assert.deepEqual(await shop.balances(), { 'available/BTC': '1293500' });
  const events = await gateway.db<{ body: string }>`
    select body from event
     where merchant_id = ${shop.merchant.merchantId} and type = 'DEPOSIT_COMPLETED' order by sequence`;
  const told = events.map(({ body }) => JSON.parse(body).data);
  assert.equal(told.length, hashes.length, 'each was announced once');
  assert.deepEqual(new Set(told.map(({ payment }) => payment.tx)), new Set(hashes));
  assert.ok(told.every((data) => data.deposit.payments.length <= 10));
});

test('the totals of deposits from before there were any are counted as those since then are', async () => {
  const totals = () => gateway.db`select * from deposit_total where payments > 0 order by deposit_id, asset`;
  const counted = await totals();
  assert.ok(counted.length > 0);
  const migration = await readFile(new URL('../src/db/migrations/0023_crumbs.sql', import.meta.url), 'utf8');
  const [count = ''] = /^insert into deposit_total \([^;]*;/m.exec(migration) ?? [];
  await gateway.db`truncate deposit_total`; // As the migration finds them.
  await gateway.db.script(count);
  assert.deepEqual(await totals(), counted);
});

test('less and more than expected is credited and flagged', async () => {
  const shop = await openShop(gateway);
  const deposit = await open(shop, { amount: '0.002' });
  await pay(deposit, '0.001');
  await mine(1);
  assert.equal(await state(shop, deposit), 'COMPLETED PARTIAL');
  await pay(deposit, '0.0015');
  await mine(1);
  assert.equal(await state(shop, deposit), 'COMPLETED DUPLICATE OVERPAID');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '248750' });
});

test('a replacement is another payment, and only it is credited', async () => {
  const shop = await openShop(gateway);
  const deposit = await open(shop);
  const original = await pay(deposit, '0.001');
  const replacement = gateway.bitcoin.chain.replace(original);
  await gateway.runUntilIdle();
  await mine(1);
  assert.equal(await state(shop, deposit), 'COMPLETED');
  assert.deepEqual(
    (await show(shop, deposit)).payments.map(({ tx }: any) => tx),
    [replacement],
  );
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
});

test('a dropped payment leaves the deposit as it was', async () => {
  const shop = await openShop(gateway);
  const deposit = await open(shop);
  gateway.bitcoin.chain.drop(await pay(deposit, '0.001'));
  await gateway.runUntilIdle();
  assert.equal(await state(shop, deposit), 'CREATED');
  assert.deepEqual((await show(shop, deposit)).payments, []);
});

test('a reorganisation takes the credit back, says so, and it is credited again when it is confirmed again', async () => {
  const shop = await openShop(gateway);
  const deposit = await open(shop);
  await pay(deposit, '0.001');
  await mine(1);
  await reorganise(1);
  assert.equal(await state(shop, deposit), 'PENDING REORGED');
  assert.deepEqual(await shop.balances(), {});
  await mine(1);
  assert.equal(await state(shop, deposit), 'COMPLETED REORGED');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
  await reorganise(1, { keepTransactions: false });
  assert.equal(await state(shop, deposit), 'CREATED REORGED');
  assert.deepEqual(await shop.balances(), {});
  assert.deepEqual(shop.eventsOf(deposit.id), [
    'DEPOSIT_PENDING PENDING',
    'DEPOSIT_COMPLETED COMPLETED',
    'DEPOSIT_REVERSED PENDING',
    'DEPOSIT_COMPLETED COMPLETED',
    'DEPOSIT_REVERSED PENDING',
  ]);
});

test('money that was spent before it vanished is owed, and repaid first from the next deposit', async () => {
  const shop = await openShop(gateway);
  const { merchantId } = shop.merchant;
  const deposit = await open(shop, { reusable: true });
  await pay(deposit, '0.001');
  await mine(1);
  const btc = `BTC:${testIssuer}`;
  const lines = [
    { account: merchantAccount(merchantId, 'available', btc), units: -80_000n },
    { account: operatorAccount('equity', btc), units: 80_000n },
  ];
  const subject = { kind: 'transfer', id: madeUp(deposit.id) } as const;
  const spent = { kind: 'transfer_sent', reference: `test:spent:${deposit.id}`, merchantId, subject } as const;
  await gateway.db.begin((tx) => postEntries(tx, [{ ...spent, lines }], gateway.clock.now()));
  await reorganise(1, { keepTransactions: false });
  assert.deepEqual(await shop.balances(), { 'receivable/BTC': '-80000' });
  const { wallet } = await shop.get('/wallet?assetCode=BTC');
  assert.deepEqual([wallet.available, wallet.receivable], ['0', '0.0008']);

  await pay(deposit, '0.001');
  await mine(1);
  assert.deepEqual(await shop.balances(), { 'available/BTC': '19500' });
});

test('a merchant who wants more confirmations waits for them', async () => {
  const shop = await openShop(gateway, { extraConfirmations: 2 });
  const deposit = await open(shop);
  await pay(deposit, '0.001');
  await mine(2);
  assert.equal(await state(shop, deposit), 'PENDING');
  await mine(1);
  assert.equal(await state(shop, deposit), 'COMPLETED');
});

test('a payment in many blocks at once is booked once, however often the job runs', async () => {
  const shop = await openShop(gateway);
  const deposit = await open(shop);
  await pay(deposit, '0.001');
  await mine(1);
  await gateway.db`
    insert into job (name, payload, run_at)
    select 'deposit.advance', ${JSON.stringify({ merchantId: shop.merchant.merchantId, depositId: deposit.id })}::jsonb,
           ${gateway.clock.now()} from generate_series(1, 5)`;
  await gateway.runUntilIdle();
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
  assert.equal(shop.eventsOf(deposit.id).length, 2);
});

test('bad input is refused with all problems at once, and nothing is written', async () => {
  const shop = await openShop(gateway, { isWebhookHttpsRequired: true });
  assert.deepEqual(await shop.refused(400, 'POST', '/deposit-address', {}), ['network is missing.']);
  assert.deepEqual(
    await shop.refused(400, 'POST', '/deposit-address', {
      network: 'BITCOIN',
      asset: 'LTC',
      reusable: 'yes',
      amount: 'much',
      webhook: 'http://shop.example/hook',
    }),
    [
      'reusable must be true or false, but is "yes".',
      'amount must be a number or a numeric string such as "49.99", but is "much".',
      'asset must be one of BTC on BITCOIN, but is "LTC".',
      'webhook must be an https URL: this account requires it.',
    ],
  );
  for (const [body, problem] of [
    [{ network: 'DOGECOIN' }, /^network must be one of BITCOIN, LITECOIN, but is "DOGECOIN"\.$/],
    [{ network: 'SEPA' }, /^network must be one of/],
    [{ network: 'BITCOIN', amount: 0 }, /^amount must be greater than zero\.$/],
    [{ network: 'BITCOIN', amount: '0.000000001' }, /^amount must have at most 8 decimals on BITCOIN/],
    [{ network: 'BITCOIN', amount: '0.00000001' }, /^amount must be at least .* of BTC on BITCOIN: less costs more/],
  ] as const)
    assert.match((await shop.refused(400, 'POST', '/deposit-address', body)).join(), problem);
  assert.deepEqual((await shop.get('/deposits')).deposits, []);
});

test('deposits are listed newest first, page by page, and by state, network and time', async () => {
  const shop = await openShop(gateway);
  const ids: string[] = [];
  for (const network of ['BITCOIN', 'LITECOIN', 'BITCOIN', 'BITCOIN']) {
    gateway.clock.advance({ minutes: 1 });
    ids.unshift((await open(shop, { network })).id);
  }
  const listed = async (query: string) => (await shop.get(`/deposits?${query}`)).deposits.map(({ id }: any) => id);
  const first = await shop.get('/deposits?limit=3');
  assert.deepEqual(
    first.deposits.map(({ id }: any) => id),
    ids.slice(0, 3),
  );
  assert.deepEqual(await listed(`limit=3&cursor=${first.next}`), ids.slice(3));
  assert.deepEqual(await listed('network=LITECOIN'), [ids[2]]);
  assert.deepEqual(await listed('state=PENDING'), []);
  const newest = await show(shop, { id: ids[0] as string });
  assert.deepEqual(await listed(`from=${encodeURIComponent(newest.timestamp)}`), [ids[0]]);
  assert.deepEqual(await listed(`to=${encodeURIComponent(newest.timestamp)}`), ids.slice(1));
  assert.match((await shop.refused(400, 'GET', '/deposits?cursor=nonsense')).join(), /^cursor must be/);
});

test("another merchant's deposit is answered like an unknown one", async () => {
  const [owner, other] = [await openShop(gateway), await openShop(gateway)];
  const deposit = await open(owner);
  const unknown = await other.refused(404, 'GET', '/deposit?id=abcdefghijkl');
  assert.deepEqual(
    await other.refused(404, 'GET', `/deposit?id=${deposit.id}`),
    unknown.map((sentence) => sentence.replace('abcdefghijkl', deposit.id)),
  );
  assert.deepEqual((await other.get('/deposits')).deposits, []);
});

test('without a rate the credit waits when the fee has a minimum in dollars', async () => {
  const poor = await startGateway({ env: { FEE_MINIMUM_USD: '0.60' }, ratesAreKept: true });
  try {
    const shop = await openShop(poor);
    const { id, depositInstructions } = await shop.post('/deposit-address', { network: 'BITCOIN' });
    poor.bitcoin.pay({ address: depositInstructions.address, amount: '0.001' });
    poor.bitcoin.mine(1);
    await poor.runUntilIdle();
    assert.equal(await state(shop, { id }), 'PENDING NO_MARKET');
    assert.deepEqual(await shop.balances(), { 'pending/BTC': '100000' });
    await poor.app.pollRates();
    poor.clock.advance({ minutes: 1 });
    await poor.runUntilIdle();
    assert.equal(await state(shop, { id }), 'COMPLETED');
    assert.deepEqual(await balancesOf(poor, `merchant/${shop.merchant.merchantId}/`), { 'available/BTC': '99000' });
  } finally {
    await poor.stop();
  }
});

test('a merchant has only so many deposits open, is told what to do, and may close those it no longer needs', async () => {
  const few = await startGateway({ env: { OPEN_DEPOSITS_PER_MERCHANT: '3' } });
  try {
    const [shop, other] = [await openShop(few), await openShop(few)];
    const order = { network: 'BITCOIN', reusable: true };
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, at) => shop.request('POST', '/deposit-address', { ...order, meta: { at } })),
    );
    assert.deepEqual(
      replies.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 200, 200, 422, 422, 422],
    );
    const [sentence] = await shop.refused(422, 'POST', '/deposit-address', order);
    assert.match(sentence ?? '', /at most 3 open deposits.*use a reusable one again.*POST \/deposit\/close\.$/);
    await other.post('/deposit-address', order);

    const { id, depositInstructions } = replies.filter(({ status }) => status === 200).map(({ body }) => body)[0];
    await other.refused(404, 'POST', '/deposit/close', { id });
    const { deposit } = await shop.post('/deposit/close', { id });
    assert.equal((await shop.post('/deposit/close', { id })).deposit.closedTime, deposit.closedTime);
    await shop.post('/deposit-address', order);
    // Money that comes there all the same is the merchant's.
    few.bitcoin.pay({ address: depositInstructions.address, amount: '0.001' });
    few.bitcoin.mine(1);
    await few.runUntilIdle();
    assert.equal((await shop.get(`/deposit?id=${id}`)).deposit.state, 'COMPLETED');
  } finally {
    await few.stop();
  }
});
