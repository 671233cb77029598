/** Money leaves: to an address, for good, with a fee that was told before. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { merchantAccount } from '../src/ledger/chart-of-accounts.ts';
import { postEntries } from '../src/ledger/ledger-store.ts';
import { type Gateway, startGateway, testIssuer } from './gateway.ts';
import { balancesOf } from './shop.ts';
import { madeUp } from './subject-problems.ts';
import { mine, openSender, receivedAt, somewhere } from './transfer-story.ts';

const elsewhere = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';
const litecoinAddress = 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k693xs3';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.stop());

test('a transfer is estimated, set aside, sent, confirmed and announced', async () => {
  const shop = await openSender(gateway, '0.01');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '995000' });
  const query = new URLSearchParams({ network: 'BITCOIN', asset: 'BTC', amount: '0.004', address: somewhere });
  const estimate = await shop.get(`/transfer/estimate?${query.toString()}`);
  assert.deepEqual(estimate, {
    network: 'BITCOIN',
    assetId: `BTC:${testIssuer}`,
    assetCode: 'BTC',
    amount: '0.004',
    fee: estimate.networkFee,
    networkFee: estimate.networkFee,
    serviceFee: '0',
    total: estimate.total,
    minimum: '0.00005',
    available: '0.00995',
    needsApproval: false,
    usableFrom: '2026-03-01T12:00:00+00:00',
  });

  const transfer = await shop.send({ amount: '0.004', address: somewhere, meta: { invoice: 7.1 } });
  assert.deepEqual(transfer, {
    id: transfer.id,
    timestamp: '2026-03-01T12:00:00+00:00',
    state: 'QUEUED',
    network: 'BITCOIN',
    networkName: 'Bitcoin',
    assetId: `BTC:${testIssuer}`,
    assetCode: 'BTC',
    amount: '0.004',
    fee: estimate.fee,
    networkFee: estimate.fee,
    serviceFee: '0',
    total: estimate.total,
    targetAccount: null,
    targetAccountId: null,
    address: somewhere,
    memo: null,
    memoType: null,
    holder: null,
    usableFrom: '2026-03-01T12:00:00+00:00',
    createdBy: shop.merchant.apiKey,
    approvedBy: null,
    txHash: null,
    failure: null,
    failureCost: null,
    endTime: null,
    meta: { invoice: 7.1 },
  });
  const feeUnits = BigInt(Math.round(Number(estimate.fee) * 1e8));
  assert.ok(feeUnits > 0n);
  const reserved = 400_000n + feeUnits;
  assert.deepEqual(await shop.balances(), {
    'available/BTC': String(995_000n - reserved),
    'reserved/BTC': String(reserved),
  });

  await gateway.runUntilIdle();
  const sent = await shop.transfer(transfer.id);
  assert.equal(sent.state, 'SENT');
  assert.match(sent.txHash, /^[0-9a-f]{64}$/);
  assert.deepEqual(shop.eventsOf(transfer.id), []);
  await mine(gateway, 1);
  const completed = await shop.transfer(transfer.id);
  assert.deepEqual([completed.state, completed.txHash], ['COMPLETED', sent.txHash]);
  assert.equal(await receivedAt(gateway, somewhere), 400_000n);
  assert.deepEqual(await shop.balances(), { 'available/BTC': String(995_000n - reserved) });
  assert.deepEqual(shop.eventsOf(transfer.id), ['TRANSFER_COMPLETED COMPLETED']);
  const [event] = shop.webhooksOf(transfer.id);
  assert.deepEqual(event?.data, { transfer: completed });

  const operator = await balancesOf(gateway, 'operator/');
  assert.equal(BigInt(operator['fees/BTC'] ?? 0), 5_000n + feeUnits, 'the settlement fee, and the fee as quoted');
  assert.ok(BigInt(operator['costs/BTC'] ?? 0) < 0n, 'what the network really took');
});

test('a target account says where the money goes, and on which network', async () => {
  const shop = await openSender(gateway, '0.002');
  const { targetAccountId } = await shop.post('/target-account', {
    label: 'Cold storage',
    network: 'BITCOIN',
    address: elsewhere,
  });
  for (const targetAccount of ['Cold storage', targetAccountId]) {
    const transfer = await shop.send({ network: undefined, amount: '0.0005', targetAccount, memo: '' });
    assert.deepEqual(
      [transfer.network, transfer.address, transfer.targetAccount, transfer.targetAccountId],
      ['BITCOIN', elsewhere, 'Cold storage', targetAccountId],
    );
  }
  await gateway.runUntilIdle();
  await mine(gateway, 1);
  assert.equal(await receivedAt(gateway, elsewhere), 100_000n);
});

test('everything that is wrong with an order is told at once, and nothing is written', async () => {
  const shop = await openSender(gateway, '0');
  const refused = async (order: Record<string, unknown>) => {
    const { status, body } = await shop.order(order);
    assert.equal(status, 400, JSON.stringify(body));
    return body.errors;
  };
  assert.deepEqual(await refused({ network: 'DOGECOIN', amount: 'much', asset: undefined }), [
    'asset is missing.',
    'amount must be a number or a numeric string such as "49.99", but is "much".',
    'targetAccount or address is missing: say where the money goes.',
    'network must be one of BITCOIN, LITECOIN, but is "DOGECOIN".',
  ]);
  const misspelt = somewhere.replace(/0$/, '2');
  const errors = await refused({ amount: '0.000000001', asset: 'USDC', address: misspelt, webhook: 'nowhere' });
  assert.equal(errors.length, 3, errors.join('\n'));
  assert.deepEqual(await refused({ amount: '0.000049', address: somewhere }), [
    'amount must be at least 0.00005 of BTC on BITCOIN: less costs more to send than it is worth.',
  ]);
  assert.deepEqual(await refused({ amount: '0.000500001', address: somewhere }), [
    'amount must have at most 8 decimals on BITCOIN, but is 0.000500001.',
  ]);
  assert.deepEqual(await refused({ amount: '1', targetAccount: 'Nobody' }), [
    'There is no target account with the label or id "Nobody".',
  ]);
  assert.match((await refused({ amount: '1', targetAccount: 'Nobody', address: somewhere }))[0], /not both/);
  await shop.post('/target-account', { label: 'Litecoins', network: 'LITECOIN', address: litecoinAddress });
  assert.deepEqual(await refused({ amount: '1', targetAccount: 'Litecoins' }), [
    'The target account "Litecoins" is on LITECOIN, not on BITCOIN.',
  ]);
  assert.deepEqual((await shop.get('/transfers')).transfers, []);
  assert.deepEqual(await shop.balances(), {});
});

test('a target account for some assets takes no others', async () => {
  const shop = await openSender(gateway, '0');
  const account = { label: 'Coins', network: 'BITCOIN', address: somewhere, assets: ['BTC'] };
  await shop.post('/target-account', account);
  await gateway.db`update target_account set assets = '{"LTC:X"}' where merchant_id = ${shop.merchant.merchantId}`;
  const [problem] = (await shop.order({ amount: '1', targetAccount: 'Coins' })).body.errors;
  assert.equal(problem, 'BTC must not be sent to the target account "Coins": it is only for LTC:X.');
});

test('more than there is cannot be sent, and the fee counts', async () => {
  const shop = await openSender(gateway, '0.001');
  const { status, body } = await shop.order({ amount: '0.000995', address: somewhere });
  assert.equal(status, 422);
  assert.match(
    body.errors[0],
    /^The balance has 0.000995 BTC available, too little for 0.000995 BTC and the fee of 0.0000\d+ BTC.$/,
  );
  const { networkFee } = await shop.get(
    `/transfer/estimate?network=BITCOIN&asset=BTC&amount=0.0005&address=${somewhere}`,
  );
  const most = (99_500n - BigInt(Math.round(Number(networkFee) * 1e8))).toString().padStart(9, '0');
  const transfer = await shop.send({ amount: `0.${most.slice(1)}`, address: somewhere });
  assert.deepEqual(await shop.balances(), { 'reserved/BTC': '99500' });
  await shop.post('/transfer/cancel', { id: transfer.id });
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
});

test('nothing is sent to an address of our own, whoever it was given to', async () => {
  const shop = await openSender(gateway, '0.001');
  const other = await openSender(gateway, '0');
  for (const owner of [shop, other]) {
    const { depositInstructions } = await owner.post('/deposit-address', { network: 'BITCOIN' });
    for (const address of [depositInstructions.address, depositInstructions.address.toUpperCase()]) {
      const { status, body } = await shop.order({ amount: '0.0005', address });
      assert.equal(status, 400);
      assert.match(body.errors[0], /^This address belongs to this service/);
    }
  }
  const checkout = await other.open('25.00 USD', 'BITCOIN');
  assert.equal((await shop.order({ amount: '0.0005', address: checkout.address })).status, 400);
});

test('a transfer can be cancelled until it is signed', async () => {
  const shop = await openSender(gateway, '0.002');
  const first = await shop.send({ amount: '0.0005', address: somewhere });
  const canceled = (await shop.post('/transfer/cancel', { id: first.id })).transfer;
  assert.deepEqual([canceled.state, canceled.failure, canceled.txHash], ['CANCELED', null, null]);
  assert.deepEqual(await shop.balances(), { 'available/BTC': '199000' });
  assert.match(
    (await shop.refused(409, 'POST', '/transfer/cancel', { id: first.id, again: 1 }))[0] ?? '',
    /is CANCELED/,
  );

  const second = await shop.send({ amount: '0.0005', address: somewhere });
  await gateway.runUntilIdle();
  assert.deepEqual(await shop.refused(409, 'POST', '/transfer/cancel', { id: second.id }), [
    'This transfer is signed and on its way: it can no longer be cancelled.',
  ]);
  await mine(gateway, 1);
  assert.equal((await shop.transfer(second.id)).state, 'COMPLETED');
  assert.equal((await shop.transfer(first.id)).state, 'CANCELED');
  assert.deepEqual(shop.eventsOf(first.id), []);
  assert.match(
    (await shop.refused(409, 'POST', '/transfer/cancel', { id: second.id, again: 1 }))[0] ?? '',
    /COMPLETED/,
  );
});

test('what the network refuses fails, and everything is available again', async () => {
  const shop = await openSender(gateway, '0.001');
  const { id } = await shop.send({ amount: '0.0005', address: somewhere });
  // As if the rules of the network had changed since the order was taken.
  await gateway.db`update outgoing_transfer set address = 'bcrt1qnothing' where id = ${id}`;
  await gateway.runUntilIdle();
  const failed = await shop.transfer(id);
  assert.equal(failed.state, 'FAILED');
  assert.ok(failed.failure.length > 10);
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
  assert.deepEqual(shop.eventsOf(id), ['TRANSFER_FAILED FAILED']);
  assert.equal(shop.webhooksOf(id)[0]?.data.transfer.failure, failed.failure);
});

test('a debt that came up while a transfer waited is repaid first when it fails', async () => {
  const shop = await openSender(gateway, '0.001');
  const { id } = await shop.send({ amount: '0.0009', address: somewhere });
  const asset = `BTC:${testIssuer}`;
  const account = (purpose: 'receivable' | 'pending') => merchantAccount(shop.merchant.merchantId, purpose, asset);
  const lines = [
    { account: account('receivable'), units: -60_000n },
    { account: account('pending'), units: 60_000n },
  ];
  const subject = { kind: 'checkout', id: madeUp('reversed') } as const;
  const debt = { reference: 'debt', kind: 'settlement_reversed', merchantId: null, subject, lines } as const;
  await gateway.db.begin((tx) => postEntries(tx, [debt], gateway.clock.now()));
  await shop.post('/transfer/cancel', { id });
  assert.deepEqual(await shop.balances(), { 'available/BTC': '39500', 'pending/BTC': '60000' });
});

test('transfers are listed newest first, page by page, and by state, network and asset', async () => {
  const shop = await openSender(gateway, '0.01');
  const ids: string[] = [];
  for (const amount of ['0.0001', '0.0002', '0.0003', '0.0004', '0.0005']) {
    ids.unshift((await shop.send({ amount, address: somewhere })).id);
    gateway.clock.advance({ seconds: 1 });
  }
  await shop.post('/transfer/cancel', { id: ids[1] });
  const pages: string[][] = [];
  for (let next: string | null = ''; next !== null; ) {
    const page: any = await shop.get(`/transfers?limit=2${next === '' ? '' : `&cursor=${next}`}`);
    pages.push(page.transfers.map(({ id }: any) => id));
    next = page.next;
  }
  assert.deepEqual(pages, [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  const listed = async (query: string) => (await shop.get(`/transfers?${query}`)).transfers.map(({ id }: any) => id);
  const others = ids.filter((id) => id !== ids[1]);
  assert.deepEqual(await listed('state=CANCELED'), [ids[1]]);
  assert.deepEqual(await listed('state=QUEUED&network=BITCOIN&asset=BTC'), others);
  assert.deepEqual(await listed('network=LITECOIN'), []);
  assert.deepEqual(await listed('asset=LTC'), []);
  await gateway.runUntilIdle();
  assert.deepEqual(await listed('state=QUEUED'), []);
  assert.deepEqual(await listed('state=SENT'), others);
  await mine(gateway, 1);
  assert.deepEqual(await listed('state=COMPLETED'), others);
  const stranger = await openSender(gateway, '0');
  assert.deepEqual((await stranger.get('/transfers')).transfers, []);
  assert.deepEqual(await stranger.refused(404, 'GET', `/transfer?id=${ids[0]}`), [
    `There is no transfer with the id "${ids[0]}".`,
  ]);
});

test("the fee of the service is on top of that of the network, and both are the operator's", async () => {
  const dear = await startGateway({ env: { TRANSFER_FEE_PERCENT: '1', TRANSFER_FEE_MINIMUM_USD: '3' } });
  try {
    const shop = await openSender(dear, '0.1');
    const least = await shop.send({ amount: '0.001', address: somewhere });
    const share = await shop.send({ amount: '0.05', address: somewhere });
    assert.equal(share.serviceFee, '0.0005');
    assert.ok(Number(least.serviceFee) > 0.00001, 'three dollars are more than a hundredth of it');
    await dear.runUntilIdle();
    await mine(dear, 6);
    const units = (text: string) => BigInt(Math.round(Number(text) * 1e8));
    assert.equal(
      (await balancesOf(dear, 'operator/'))['fees/BTC'],
      String(50_000n + units(least.fee) + units(share.fee)),
    );
  } finally {
    await dear.stop();
  }
});
