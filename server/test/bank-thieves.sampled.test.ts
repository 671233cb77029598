/** Whoever wants money that is not theirs, through an account at a bank: payers, shops, staff, and a bank that is not careful. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { importBankFile } from '../src/bank-files/import-bank-file.ts';
import { readConfig } from '../src/config.ts';
import { present } from '../src/lib/assert.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { rfReference } from '../src/networks/families/bank/rf-reference.ts';
import type { Connector } from '../src/networks/port/connector.ts';
import { createConnectors } from '../src/networks/registry.ts';
import { arrivalsAtTargets } from '../src/payments/reversal-store.ts';
import { assignUnmatched } from '../src/watching/assign-unmatched.ts';
import { rewindNetwork } from '../src/watching/rewind-network.ts';
import { findUnmatched, listUnmatched, type UnmatchedPayment } from '../src/watching/unmatched-store.ts';
import { accountsAt, type PageAnswer, signed, type Visitor } from './account-world.ts';
import { deepTest } from './depth.ts';
import { type Gateway, startGateway, testIssuer, withoutLitecoin } from './gateway.ts';
import { meetAt, nobodyWrites } from './meet-at.ts';
import { type Booking, openStatementBank, ourIban, type StatementBank } from './networks/statement-bank.ts';
import { balancesOf, openShop, type Shop } from './shop.ts';
import { stockTreasury } from './stock-treasury.ts';
import { openSender, type Sender } from './transfer-story.ts';
import { until } from './until.ts';
import { closingOf } from './write-bank-statement.ts';

let gateway: Gateway;
let shop: Sender;
let other: Shop;
let operator: Visitor;
let connectors: ReadonlyMap<string, Connector>;
let bank: StatementBank;
let balance = 50_000n;
const mallory = { name: 'Mallory', iban: 'DE02120300000000202051' };

before(async () => {
  const env = { ...withoutLitecoin, SEPA_IBAN: ourIban, SEPA_ACCOUNT_NAME: 'Shop AG' };
  gateway = await startGateway({ now: '2026-03-02T12:00:00.000Z', hasAccount: true, env });
  shop = await openSender(gateway, '0', { feePercent: '0', destinationWaitMinutes: 0 });
  other = await openShop(gateway, { feePercent: '0' });
  operator = await accountsAt(gateway).staff('operator', 'ops@operator.example');
  connectors = createConnectors(readConfig(gateway.env).networks, gateway.clock.now);
  bank = openStatementBank({ now: gateway.clock.now });
});
after(() => gateway.stop());

const encryption = createEncryption(Buffer.alloc(32, 7));

/** It is accepted, and nobody has looked at it yet. */
async function accept(bytes: Uint8Array): Promise<void> {
  const { db, clock } = gateway;
  const deps = { db, clock, encryption, connectors, bankFileBytesMax: 10_000_000, onChange: () => undefined };
  const file = { network: 'SEPA', fileName: 'statement.xml', bytes, way: 'COMMAND', actor: 'operator' } as const;
  await importBankFile(deps, { ...file, begin: db.begin });
}

async function bring(bytes: Uint8Array): Promise<void> {
  await accept(bytes);
  await gateway.runUntilIdle();
}

/** The statement of a day with these bookings is brought. */
async function dayWith(...bookings: readonly Booking[]): Promise<void> {
  await nextDay();
  const entries = bookings.map(bank.entryOf);
  await bring(bank.write('camt.053', entries, balance));
  balance = closingOf({ id: '', sequence: 0, iban: '', currency: 'EUR', opening: balance, entries });
}

async function nextDay(): Promise<void> {
  gateway.clock.advance({ hours: 24 });
  await gateway.app.pollRates();
  await gateway.runUntilIdle();
}

const booksAreTheBanks = async (): Promise<void> =>
  assert.equal((await balancesOf(gateway, 'operator/wallet-SEPA/'))['EUR'], String(-balance * 100_000n));

async function waiting(text: string): Promise<UnmatchedPayment | undefined> {
  return (await listUnmatched(gateway.db)).find(({ memo }) => memo?.includes(text));
}

/** The watcher learns at its next write that its cursor was changed, and takes the new one once its old session has ended. */
async function readAgain(documents: number): Promise<void> {
  await rewindNetwork(gateway.db, 'SEPA', documents);
  gateway.clock.advance({ seconds: 6 });
  await gateway.runUntilIdle();
  for (const watcher of gateway.app.watchers)
    await until('it watches again', async () => (await watcher.tick()) !== 'follower');
  await gateway.runUntilIdle();
}

test('what was paid too early and is called back is not taken from somebody else who paid that checkout', async () => {
  const id = await shop.create('100.00 EUR');
  await dayWith({ cents: 10_000n, text: `order ${id}`, ...mallory });
  const stray = present(await waiting(id), 'what came before there was an account to pay to');
  await shop.commit(id, 'SEPA');
  await dayWith({ cents: 10_000n, text: rfReference(id) });
  assert.equal(await shop.state(id), 'COMPLETED');
  await dayWith({ cents: -10_000n, text: `order ${id}`, isReversal: true, code: '899', ...mallory });
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.equal(await waiting(id), undefined, stray.id);
  await booksAreTheBanks();
});

deepTest(
  'who names a second checkout later does not make of one payment two when documents are read again',
  async () => {
    const first = await shop.open('20.00 EUR', 'SEPA');
    const second = await other.create('20.00 EUR');
    await dayWith({ cents: 2_000n, text: `${first.id} ${second}`, ...mallory });
    assert.equal(await shop.state(first.id), 'COMPLETED');
    await other.commit(second, 'SEPA');
    await readAgain(1);
    assert.equal(await waiting(second), undefined);
    await booksAreTheBanks();
  },
);

test('what a report showed for one checkout and was then said to be for another is credited to that', async () => {
  const first = await shop.open('30.00 EUR', 'SEPA');
  const second = await other.create('30.00 EUR');
  await nextDay();
  const entry = bank.entryOf({ cents: 3_000n, text: `${first.id} ${second}`, ...mallory });
  await bring(bank.write('camt.052', [entry], balance));
  assert.equal(await shop.state(first.id), 'PROCESSING');
  await other.commit(second, 'SEPA');
  await bring(bank.write('camt.053', [entry], balance));
  balance += 3_000n;
  const payment = present(await waiting(second), 'what names two');
  await assignUnmatched(gateway, payment.id, second);
  await gateway.runUntilIdle();
  assert.equal(await other.state(second), 'COMPLETED');
  assert.notEqual(await shop.state(first.id), 'COMPLETED');
  await booksAreTheBanks();
});

/** What left and nobody can explain, of so many cents, as people say what it was at its page. */
async function explain(cents: bigint, as: string, of: string): Promise<PageAnswer> {
  const units = String(-cents * 100_000n);
  const [row] = await gateway.db<{ id: string }>`select id from network_movement where open_units = ${units}`;
  const answer = await sign(`/operator/suspense/movements/${row?.id}/assign`, { as, of });
  await gateway.runUntilIdle();
  return answer;
}

/** With a fresh proof: whoever was away for days signs in anew. */
async function press(path: string, form: Record<string, string> = {}): Promise<PageAnswer> {
  if ((await operator.prove()).status !== 200) await operator.signInWithPasskey();
  return operator.post(path, form);
}

async function sign(path: string, form: Record<string, string>): Promise<PageAnswer> {
  if ((await operator.prove()).status !== 200) await operator.signInWithPasskey();
  return signed(operator, path, form);
}

const makeFile = async (): Promise<string> => {
  const { location, text } = await press('/operator/bank/SEPA/files');
  return present(/files\/([a-z0-9]{12})\?did=/.exec(location)?.[1], `a file instead of ${text}`);
};

test('what shall be sent back at the moment at which it is taken back is in no file', async () => {
  await dayWith({ cents: 7_000n, text: 'sent by mistake', ...mallory });
  const stray = present(await waiting('sent by mistake'), 'what names nobody');
  await nextDay();
  const back = bank.entryOf({ cents: -7_000n, text: 'sent by mistake', isReversal: true, code: '899', ...mallory });
  const { db } = gateway;
  await accept(bank.write('camt.053', [back], balance));
  balance -= 7_000n;
  await operator.signInWithPasskey();
  const order = { address: '', fee: '0' };
  const path = `/operator/suspense/${stray.id}/return`;
  const asked = (await operator.post(path, order, { 'x-ask': 'passkey' })).json;
  const proof = operator.device.answer(asked);
  const [, answer] = await meetAt<unknown>(db, (tx) => tx`lock table network_movement in share row exclusive mode`, [
    () => gateway.runUntilIdle(),
    () => operator.post(path, { ...order, proof }),
  ]);
  assert.equal((answer as PageAnswer).location, '/operator/suspense?did=returned', (answer as PageAnswer).text);
  await gateway.runUntilIdle();
  const made = await press('/operator/bank/SEPA/files');
  assert.match(made.text, /No payment waits for a file of SEPA/, 'else it leaves twice');
  const returnId = (await findUnmatched(db, stray.id))?.returnId ?? '';
  assert.equal((await explain(7_000n, 'PAYOUT', returnId)).status, 303);
});

deepTest('what came back and is taken back once more can be said to be that', async () => {
  await dayWith({ cents: 5_100n, text: 'another mistake', ...mallory });
  const stray = present(await waiting('another mistake'), 'what names nobody');
  const asked = await sign(`/operator/suspense/${stray.id}/return`, { address: '', fee: '0' });
  assert.equal(asked.location, '/operator/suspense?did=returned', asked.text);
  const id = await makeFile();
  const bytes = (await press(`/operator/bank/SEPA/files/${id}/download`)).text;
  const order = present(/<EndToEndId>([^<]+)/.exec(bytes)?.[1], 'an order');
  await dayWith({ cents: -5_100n, endToEndId: order, ...mallory });
  for (let day = 1; day <= 7; day += 1) await dayWith();
  await dayWith({ cents: 5_100n, endToEndId: order, code: '159', text: 'account closed', ...mallory });
  const back = present(
    (await listUnmatched(gateway.db)).find(({ txHash }) => txHash.startsWith('comeback:')),
    'it is back',
  );
  await dayWith({
    cents: -5_100n,
    endToEndId: order,
    code: '899',
    isReversal: true,
    text: 'account closed',
    ...mallory,
  });
  const said = await explain(5_100n, 'REVERSAL', back.txHash);
  assert.equal(said.status, 303, said.text);
  assert.equal(
    (await listUnmatched(gateway.db)).some(({ txHash }) => txHash.startsWith('comeback:')),
    false,
  );
  await booksAreTheBanks();
});

deepTest(
  'a cent by bank does not make the account that it came from the one to which all of a checkout goes back',
  async () => {
    await stockTreasury(gateway, `EUR:${testIssuer}`, 10_000_0000000n);
    const { id } = await shop.open('60.00 EUR', 'SEPA', { settlementAsset: `EUR:${testIssuer}` });
    await dayWith({ cents: 1n, text: id, ...mallory });
    const coin = await shop.commit(id, 'BITCOIN');
    gateway.bitcoin.pay(coin);
    gateway.bitcoin.mine(6);
    await gateway.runUntilIdle();
    assert.match(await shop.state(id), /^COMPLETED/);
    assert.deepEqual(await shop.refused(422, 'POST', '/refund', { checkoutId: id }), [
      'Only 0.01 EUR of this can go back to the account that paid on SEPA: refund at most that there, and the rest in the asset and ' +
        'on the network in which it was paid.',
    ]);
    const { refund: cent } = await shop.post('/refund', { checkoutId: id, amount: '0.01' });
    assert.deepEqual([cent.holder, cent.amountSent], ['Mallory', '0.01']);
    gateway.clock.advance({ seconds: 1 });
    assert.equal(
      (await shop.request('POST', '/refund', { checkoutId: id, amount: '0.01' })).status,
      422,
      'it went back',
    );
  },
);

deepTest(
  'an order that waits goes to nobody when the holder of its account or the bank was changed meanwhile',
  async () => {
    const waits = await openSender(gateway, '0', { feePercent: '0', destinationWaitMinutes: 60 });
    const { id: checkout } = await waits.open('20.00 EUR', 'SEPA');
    await dayWith({ cents: 2_000n, text: checkout });
    const to = async (label: string) => {
      const { beneficiaryId } = await waits.post('/beneficiary', { beneficiary: { lastname: 'Wirt' } });
      const account = { label, network: 'SEPA', address: 'DE89370400440532013000', bic: 'COBADEFFXXX', beneficiaryId };
      const { targetAccountId: id } = await waits.post('/target-account', account);
      const order = await waits.send({ network: 'SEPA', asset: 'EUR', amount: '5', targetAccount: label });
      return { id, beneficiaryId, state: async () => (await waits.transfer(order.id)).state };
    };
    const [same, otherBank, otherName] = [await to('same'), await to('other bank'), await to('other name')];
    await waits.post('/target-account', { id: otherBank.id, bic: 'BYLADEM1001' });
    await waits.post('/beneficiary', { beneficiary: { id: otherName.beneficiaryId, lastname: 'Wicht' } });
    gateway.clock.advance({ minutes: 130 });
    await gateway.runUntilIdle();
    const states = [await same.state(), await otherBank.state(), await otherName.state()];
    assert.deepEqual(states, ['QUEUED', 'FAILED', 'FAILED']);
  },
);

test('a refund to who has had the payment back is not paid out of what somebody else pays', async () => {
  const { id } = await shop.open('90.00 EUR', 'SEPA');
  await dayWith({ cents: 9_000n, text: id, ...mallory });
  const { refund } = await shop.post('/refund', { checkoutId: id });
  const refundNow = async () => (await shop.get(`/refund?id=${refund.id}`)).refund;
  await dayWith({ cents: -9_000n, text: id, isReversal: true, code: '899', ...mallory });
  const { state, failure } = await refundNow();
  assert.deepEqual([state, failure], ['FAILED', 'The bank took back the payment that it gives back.']);
  await dayWith({ cents: 9_000n, text: id });
  const { id: another } = await shop.open('11.00 EUR', 'SEPA');
  await dayWith({ cents: 1_100n, text: another, ...mallory });
  await shop.post('/refund', { checkoutId: another });
  const others = (await press(`/operator/bank/SEPA/files/${await makeFile()}/download`)).text;
  assert.match(others, />11\.00</);
  assert.doesNotMatch(others, />90\.00</);
  assert.equal(await shop.state(id), 'COMPLETED REORGED');
});

deepTest(
  'what somebody paid later counts for what goes back to them, also where more was asked for meanwhile',
  async () => {
    const { id } = await shop.open('80.00 EUR', 'SEPA');
    await dayWith({ cents: 8_000n, text: id, ...mallory });
    const { refund: first } = await shop.post('/refund', { checkoutId: id });
    await dayWith({ cents: 500n, text: id, ...mallory });
    const { refund: second } = await shop.post('/refund', { checkoutId: id });
    await gateway.runUntilIdle();
    const file = (await press(`/operator/bank/SEPA/files/${await makeFile()}/download`)).text;
    for (const refund of [first, second]) assert.match(file, new RegExp(`${refund.id}-`, 'i'));
  },
);

deepTest('nor when it was in a file that nobody had', async () => {
  const { id } = await shop.open('70.00 EUR', 'SEPA');
  await dayWith({ cents: 7_000n, text: id, ...mallory });
  const { refund } = await shop.post('/refund', { checkoutId: id });
  await gateway.runUntilIdle();
  const file = await makeFile();
  const back = { cents: -7_000n, text: id, isReversal: true, code: '899', ...mallory };
  await dayWith(back, { cents: 7_000n, text: id });
  const answer = await press(`/operator/bank/SEPA/files/${file}/download`);
  assert.match(answer.text, new RegExp(refund.id));
  assert.equal(answer.status, 409, 'what others paid does not make it theirs');
  assert.equal((await press(`/operator/bank/SEPA/files/${file}/void`)).status, 303);
  await gateway.runUntilIdle();
  assert.match((await press('/operator/bank/SEPA/files')).text, /No payment waits for a file of SEPA/);
  assert.equal((await shop.get(`/refund?id=${refund.id}`)).refund.state, 'FAILED');
});

deepTest('nor when it waited for approval', async () => {
  const careful = await openSender(gateway, '0', { feePercent: '0', refundApprovalAbove: '1' });
  const { id } = await careful.open('60.00 EUR', 'SEPA');
  await dayWith({ cents: 6_000n, text: id, ...mallory });
  const { refund } = await careful.post('/refund', { checkoutId: id });
  assert.equal(refund.state, 'AWAITING_APPROVAL');
  const back = { cents: -6_000n, text: id, isReversal: true, code: '899', ...mallory };
  await dayWith(back, { cents: 6_000n, text: id });
  const chief = await gateway.createKey(careful.merchant);
  const approved = await careful.request('POST', '/refund/approve', { id: refund.id }, { as: chief });
  assert.equal(approved.status, 200, JSON.stringify(approved.body));
  await gateway.runUntilIdle();
  assert.equal((await careful.get(`/refund?id=${refund.id}`)).refund.state, 'FAILED');
});

test('a refund of what a bank takes back fails, though more stands of who paid that', async () => {
  const own = await openSender(gateway, '0', { feePercent: '0' });
  const { id } = await own.open('90.00 EUR', 'SEPA');
  await dayWith({ cents: 9_000n, text: id, ...mallory });
  await dayWith({ cents: 300n, text: id, ...mallory });
  const { refund } = await own.post('/refund', { checkoutId: id });
  assert.equal(refund.context, 'OVERPAID_CHECKOUT');
  await dayWith({ cents: -300n, text: id, isReversal: true, code: '899', ...mallory });
  const { state, failure } = (await own.get(`/refund?id=${refund.id}`)).refund;
  assert.deepEqual([state, failure], ['FAILED', 'The bank took back the payment that it gives back.']);
  assert.deepEqual(await own.balances(), { 'available/EUR': '900000000' });
});

deepTest('a refund of what a bank takes back in part fails once less is left than it gives back', async () => {
  const own = await openSender(gateway, '0', { feePercent: '0' });
  const { id } = await own.open('90.00 EUR', 'SEPA');
  await dayWith({ cents: 9_000n, text: id, ...mallory });
  await dayWith({ cents: 500n, text: id, ...mallory });
  const { refund } = await own.post('/refund', { checkoutId: id, amount: '2' });
  const [five] = await gateway.db<{ name: string }>`
    select tx_hash || ':' || tx_index as name from payment where owner_id = ${id} and units = 50000000`;
  const takeBack = async (cents: bigint): Promise<string> => {
    await dayWith({ cents: -cents, text: id, isReversal: true, code: '899', ...mallory });
    const said = await explain(cents, 'REVERSAL', present(five, 'the second payment').name);
    assert.equal(said.status, 303, said.text);
    return (await own.get(`/refund?id=${refund.id}`)).refund.state;
  };
  assert.equal(await takeBack(300n), 'SENDING', 'two are left');
  assert.equal(await takeBack(100n), 'FAILED');
  assert.deepEqual(await own.balances(), { 'available/EUR': '900000000', 'suspense/EUR': '10000000' });
});

test('of two equal payments the one is taken back that the bank names, and only what gives back that fails', async () => {
  const { id } = await shop.open('95.00 EUR', 'SEPA');
  const paid = { cents: 9_500n, text: id, ...mallory };
  await dayWith({ ...paid, endToEndId: 'ORDER-A' });
  await dayWith({ ...paid, endToEndId: 'ORDER-B' });
  const { refund } = await shop.post('/refund', { checkoutId: id });
  await dayWith({ ...paid, cents: -9_500n, endToEndId: 'ORDER-B', isReversal: true, code: '899' });
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.equal((await shop.get(`/refund?id=${refund.id}`)).refund.state, 'FAILED', 'else it leaves twice');
});

/** Both have looked, neither sees what the other does. */
async function whileTakenBack(id: string, cents: bigint, act: () => Promise<unknown>): Promise<void> {
  await nextDay();
  const back = bank.entryOf({ cents: -cents, text: id, isReversal: true, code: '899', ...mallory });
  await accept(bank.write('camt.053', [back], balance));
  balance -= cents;
  await meetAt<unknown>(gateway.db, nobodyWrites.refunds, [act, () => gateway.runUntilIdle()]);
  await gateway.runUntilIdle();
}

test('a refund that is asked for in the moment in which its payment is taken back fails too', async () => {
  const { id } = await shop.open('50.00 EUR', 'SEPA');
  await dayWith({ cents: 5_000n, text: id, ...mallory });
  await whileTakenBack(id, 5_000n, () => shop.post('/refund', { checkoutId: id }));
  const { refunds } = await shop.get(`/refunds?checkoutId=${id}`);
  assert.deepEqual(
    refunds.map(({ state }: { state: string }) => state),
    ['FAILED'],
  );
});

deepTest('and one that is approved then', async () => {
  const careful = await openSender(gateway, '0', { feePercent: '0', refundApprovalAbove: '1' });
  const { id } = await careful.open('50.00 EUR', 'SEPA');
  await dayWith({ cents: 5_000n, text: id, ...mallory });
  const { refund } = await careful.post('/refund', { checkoutId: id });
  const chief = await gateway.createKey(careful.merchant);
  const approve = () => careful.request('POST', '/refund/approve', { id: refund.id }, { as: chief });
  await whileTakenBack(id, 5_000n, approve);
  assert.equal((await careful.get(`/refund?id=${refund.id}`)).refund.state, 'FAILED');
});

test('what a bank has taken back is not paid out to who owes it, though it was ordered before', async () => {
  const owing = await openSender(gateway, '0', { feePercent: '0', destinationWaitMinutes: 0 });
  const { id } = await owing.open('110.00 EUR', 'SEPA');
  await dayWith({ cents: 11_000n, text: id, ...mallory });
  const { beneficiaryId } = await owing.post('/beneficiary', { beneficiary: { lastname: 'Wirt' } });
  const address = 'DE89370400440532013000';
  await owing.post('/target-account', { label: 'landlord', network: 'SEPA', address, beneficiaryId });
  const pay = async (amount: string): Promise<string> =>
    (await owing.send({ network: 'SEPA', asset: 'EUR', amount, targetAccount: 'landlord' })).id;
  const first = await pay('30');
  const file = await makeFile();
  const second = await pay('80');
  await dayWith({ cents: -11_000n, text: id, isReversal: true, code: '899', ...mallory });
  assert.equal((await owing.balances())['receivable/EUR'], '-1100000000');

  const refusal = await press(`/operator/bank/SEPA/files/${file}/download`);
  assert.match(refusal.text, new RegExp(`must not be made now \\(${first}\\).*owes what was taken back`));
  assert.equal((await press(`/operator/bank/SEPA/files/${file}/void`)).status, 303);
  assert.match((await press('/operator/bank/SEPA/files')).text, /No payment waits for a file of SEPA/);
  assert.match((await operator.get('/operator/sending')).text, /Its account owes money/);

  assert.equal((await owing.request('POST', '/transfer/cancel', { id: second })).status, 200);
  const { id: rest } = await owing.open('30.00 EUR', 'SEPA');
  await dayWith({ cents: 3_000n, text: rest });
  assert.deepEqual(await owing.balances(), { 'reserved/EUR': '300000000' });
  assert.match((await press(`/operator/bank/SEPA/files/${await makeFile()}/download`)).text, />30\.00</);
});

test('who pays a checkout in thousands of cents makes nobody read them more than once', async () => {
  const { id } = await shop.open('40.00 EUR', 'SEPA');
  await dayWith({ cents: 100n, text: id, ...mallory });
  const undone = new Error('nothing of this stays');
  const measured = gateway.db.begin(async (tx) => {
    const [key] = await tx<{ target: string }>`
      insert into payment
      select (jsonb_populate_record(payment, jsonb_build_object('id', 'p' || n, 'tx_hash', 'paid again ' || n))).*
        from payment, generate_series(1, 3000) n where owner_id = ${id}
      returning target_key as target`;
    await tx`analyze payment`;
    const read = async (): Promise<number> => {
      const [row] = await tx<{ rows: number }>`
        select (coalesce(sum(seq_tup_read), 0) + coalesce(sum(idx_tup_fetch), 0))::integer as rows
          from pg_stat_xact_user_tables where relname = 'payment'`;
      return present(row, 'rows').rows;
    };
    const before = await read();
    const arrivals = await arrivalsAtTargets(tx, 'SEPA', [present(key, 'target').target]);
    assert.equal(arrivals.length, 3_001);
    assert.ok((await read()) - before < 10 * 3_001, `${(await read()) - before} rows read`);
    throw undone;
  });
  await assert.rejects(measured, undone);
});
