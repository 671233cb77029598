/** Two who want the same money at the same moment: one gets it, and the other is told so. Nothing depends on luck. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { enqueue } from '../src/jobs/enqueue.ts';
import { merchantAccount, operatorAccount } from '../src/ledger/chart-of-accounts.ts';
import type { Line } from '../src/ledger/entry.ts';
import { postEntries } from '../src/ledger/ledger-store.ts';
import { newId } from '../src/lib/ids.ts';
import type { SettingsChange } from '../src/merchants/change-settings.ts';
import { whyDeclined } from '../src/wallets/withdraw-own-money.ts';
import { type Gateway, type Reply, startGateway, testIssuer } from './gateway.ts';
import { accountIsLocked, type Gate, meetAt, nobodyWrites, startTwin, type Twin } from './meet-at.ts';
import { litecoinCoin } from './networks/utxo-coins.ts';
import { openShop } from './shop.ts';
import { madeUp } from './subject-problems.ts';
import { freshAddress, mine, openSender, type Sender } from './transfer-story.ts';
import { untilRested } from './until.ts';

const btc = `BTC:${testIssuer}`;
const ltc = `LTC:${testIssuer}`;

let gateway: Gateway;
let twin: Twin;
before(async () => {
  gateway = await startGateway({ env: { UNFINAL_CEILINGS: 'BITCOIN=2', OPEN_DEPOSITS_PER_MERCHANT: '3' } });
  twin = await startTwin(gateway);
});
after(async () => {
  await twin.stop();
  await gateway.stop();
});

/** It has 0.0199 bitcoins that nothing can take away any more: orders that take what is not final wait for each other. */
async function openFinalSender(settings: SettingsChange = {}): Promise<Sender> {
  const shop = await openSender(gateway, '0.02', settings);
  await mine(gateway, 100);
  return shop;
}

const availableOf = ({ merchant }: Sender, asset = btc): string =>
  merchantAccount(merchant.merchantId, 'available', asset);
const statuses = (replies: readonly Reply[]): number[] => replies.map(({ status }) => status);
const bodies = (replies: readonly Reply[]): string => JSON.stringify(replies.map(({ body }) => body));
const swapOf = (shop: Sender, sourceAmount: string): Promise<Reply> =>
  shop.request('POST', '/swap', { sourceAsset: 'BTC', targetAsset: 'LTC', sourceAmount });

/** A booking that is made while others come to the gate. The account `rounding` is the other side. */
const booking =
  (account: string, units: bigint, asset = btc): Gate =>
  (tx) => {
    const lines: Line[] = [
      { account, units },
      { account: operatorAccount('rounding', asset), units: -units },
    ];
    const reference = `gate:${newId()}`;
    const subject = { kind: 'funding', id: madeUp(reference) } as const;
    const entry = { reference, kind: 'funding_received', merchantId: null, subject, lines } as const;
    return postEntries(tx, [entry], gateway.clock.now());
  };

test('a swap and a transfer want the same balance: the first has it', async () => {
  const shop = await openFinalSender();
  const replies = await meetAt(gateway.db, accountIsLocked(availableOf(shop)), [
    () => swapOf(shop, '0.0101'),
    () => shop.order({ amount: '0.0101', address: freshAddress() }),
  ]);
  assert.deepEqual(statuses(replies), [200, 422], bodies(replies));
  assert.match(replies[1]?.body.errors[0], /too little/);
});

test('a transfer and a swap want the same balance: the first has it', async () => {
  const shop = await openFinalSender();
  const replies = await meetAt(gateway.db, accountIsLocked(availableOf(shop)), [
    () => shop.order({ amount: '0.0101', address: freshAddress() }),
    () => swapOf(shop, '0.0101'),
  ]);
  assert.deepEqual(statuses(replies), [200, 422], bodies(replies));
  assert.match(replies[1]?.body.errors[0], /^There is not enough to swap: /);
});

/**
 * What was credited is given back while somebody swaps it. Orders and refunds wait for each other before, at the lock of what leaves
 * without a second approval; a swap leaves nothing, so that the balance itself is all that keeps these two apart.
 */
async function refundAndSwap(isSwapFirst: boolean): Promise<Reply[]> {
  const shop = await openSender(gateway, '0');
  const paid = await shop.open('600.00 USD', 'BITCOIN');
  gateway.bitcoin.pay(paid);
  await mine(gateway, 100);
  const refund = (): Promise<Reply> =>
    shop.request('POST', '/refund', { checkoutId: paid.id, amount: '0.006', address: freshAddress() });
  const swap = (): Promise<Reply> => swapOf(shop, '0.006');
  return meetAt(gateway.db, accountIsLocked(availableOf(shop)), isSwapFirst ? [swap, refund] : [refund, swap]);
}

test('a refund and a swap want the same balance: the first has it', async () => {
  const replies = await refundAndSwap(false);
  assert.deepEqual(statuses(replies), [200, 422], bodies(replies));
  assert.match(replies[1]?.body.errors[0], /^There is not enough to swap: /);
});

test('a swap and a refund want the same balance: the first has it', async () => {
  const replies = await refundAndSwap(true);
  assert.deepEqual(statuses(replies), [200, 422], bodies(replies));
});

test('what is being credited repays a debt that is being booked', async () => {
  const shop = await openFinalSender();
  const debt = merchantAccount(shop.merchant.merchantId, 'receivable', ltc);
  const [reply] = await meetAt(gateway.db, booking(debt, -100_000_000n, ltc), [() => swapOf(shop, '0.015')]);
  assert.equal(reply?.status, 200);
  const balances = await shop.balances();
  assert.equal(balances['receivable/LTC'], undefined, 'an account that nobody had used can be waited for');
});

test('two credits at once repay a debt once', async () => {
  const shop = await openSender(gateway, '0');
  const debt = merchantAccount(shop.merchant.merchantId, 'receivable', btc);
  await gateway.db.begin(booking(debt, -150_000n));
  await gateway.db.begin(booking(availableOf(shop), 1n));
  const paid = [await shop.open('60.00 USD', 'BITCOIN'), await shop.open('60.00 USD', 'BITCOIN')];
  for (const each of paid) gateway.bitcoin.pay(each);
  gateway.bitcoin.mine(1);
  for (const watcher of gateway.app.watchers) await untilRested(watcher);
  const jobOf = (id: string | undefined, by: string) =>
    gateway.db`update job set run_at = run_at + ${by}::interval where payload ->> 'checkoutId' = ${id}`;
  await jobOf(paid[1]?.id, '1 hour');
  await meetAt(gateway.db, accountIsLocked(debt), [
    async () => void (await Promise.all(gateway.app.runners.map((runner) => runner.runDue()))),
    async () => {
      await jobOf(paid[1]?.id, '-1 hour');
      await Promise.all(twin.app.runners.map((runner) => runner.runDue()));
    },
  ]);
  assert.deepEqual(await shop.balances(), { 'available/BTC': '49001' });
});

test('two orders in different assets want what one of them may take without approval', async () => {
  const shop = await openFinalSender({ transferApprovalAbove: '700', accountCurrency: 'USD' });
  const { depositInstructions } = await shop.post('/deposit-address', { network: 'LITECOIN' });
  gateway.litecoin.pay({ address: depositInstructions.address, amount: '10' });
  gateway.litecoin.mine(200);
  await gateway.runUntilIdle();
  const replies = await meetAt(gateway.db, nobodyWrites.transfers, [
    () => shop.order({ amount: '0.01', address: freshAddress() }), // 600 dollars
    () => shop.order({ network: 'LITECOIN', asset: 'LTC', amount: '5', address: freshAddress(litecoinCoin) }),
  ]);
  assert.deepEqual(statuses(replies), [200, 200], bodies(replies));
  assert.deepEqual(
    replies.map(({ body }) => body.transfer.state),
    ['QUEUED', 'AWAITING_APPROVAL'],
  );
});

test('an order and a refund want what one of them may take without approval', async () => {
  const shop = await openSender(gateway, '0', { transferApprovalAbove: '700', accountCurrency: 'USD' });
  const paid = await shop.open('1500.00 USD', 'BITCOIN');
  gateway.bitcoin.pay(paid);
  await mine(gateway, 100);
  const replies = await meetAt(gateway.db, nobodyWrites.transfers, [
    () => shop.order({ amount: '0.01', address: freshAddress() }),
    () => shop.request('POST', '/refund', { checkoutId: paid.id, amount: '0.01', address: freshAddress() }),
  ]);
  assert.deepEqual(statuses(replies), [200, 200], bodies(replies));
  assert.deepEqual([replies[0]?.body.transfer.state, replies[1]?.body.refund.state], ['QUEUED', 'AWAITING_APPROVAL']);
});

test('two merchants want what the ceiling of the house has room for', async () => {
  const [first, second, third] = [
    await openSender(gateway, '0'),
    await openSender(gateway, '0'),
    await openSender(gateway, '0'),
  ];
  for (const shop of [first, second, third]) gateway.bitcoin.pay(await shop.open('540.00 USD', 'BITCOIN'));
  await mine(gateway, 1);
  // 0.02 bitcoins for blocks that are one deep.
  assert.equal((await first.order({ amount: '0.0085', address: freshAddress() })).status, 200);
  const replies = await meetAt(gateway.db, nobodyWrites.entries, [
    () => swapOf(second, '0.0085'),
    () => third.order({ amount: '0.0085', address: freshAddress() }),
  ]);
  assert.deepEqual(statuses(replies), [200, 422], bodies(replies));
  assert.match(replies[1]?.body.errors[0], /all accounts together/);
});

test('a merchant at the limit of open deposits opens one more, not two', async () => {
  const shop = await openShop(gateway);
  const open = (): Promise<Reply> => shop.request('POST', '/deposit-address', { network: 'BITCOIN', reusable: true });
  assert.deepEqual(statuses([await open(), await open()]), [200, 200]);
  const replies = await meetAt(gateway.db, nobodyWrites.deposits, [open, open]);
  assert.deepEqual(statuses(replies), [200, 422], bodies(replies));
});

test('what a merchant comes to owe at this moment is not taken out by the operator', async () => {
  const debtor = await openShop(gateway);
  const debt = merchantAccount(debtor.merchant.merchantId, 'receivable', btc);
  await gateway.db.begin(booking(debt, -1n));
  await gateway.db.begin(booking(operatorAccount('equity', btc), 100_000_000n));
  /** Why not; undefined: it is on its way. */
  const withdraw = async (amount: string): Promise<string | undefined> => {
    const transferId = newId();
    const order = { network: 'BITCOIN', asset: 'BTC', amount, address: freshAddress(), memo: null, memoType: null };
    const job = { name: 'withdrawal.request' as const, payload: { transferId, ...order }, runAt: gateway.clock.now() };
    await gateway.db.begin((tx) => enqueue(tx, [job]));
    await Promise.all(gateway.app.runners.map((runner) => runner.runDue()));
    return whyDeclined(gateway.db, transferId);
  };
  const most = /^Only (\S+) BTC are the operator's own/.exec((await withdraw('1000')) ?? '')?.[1] ?? '';
  const [refusal] = await meetAt(gateway.db, booking(debt, -1n), [() => withdraw(most)]);
  assert.match(refusal ?? 'it is on its way', /^Only \S+ BTC are the operator's own/);
});
