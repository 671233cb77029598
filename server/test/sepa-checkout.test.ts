/**
 * From a bank's file to a credit: SEPA as it is configured, with statements as banks write them. After each story the books
 * are compared with the last closing balance, as the books of every network are.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { importBankFile } from '../src/bank-files/import-bank-file.ts';
import { readConfig } from '../src/config.ts';
import { askForTarget } from '../src/deposits/ask-for-target.ts';
import { insertDepositTargets, type NewDepositTarget, TargetTaken } from '../src/deposits/deposit-target-store.ts';
import { present } from '../src/lib/assert.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { rfReference } from '../src/networks/families/bank/rf-reference.ts';
import type { Connector } from '../src/networks/port/connector.ts';
import { createConnectors } from '../src/networks/registry.ts';
import { assignUnmatched } from '../src/watching/assign-unmatched.ts';
import { rewindNetwork } from '../src/watching/rewind-network.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { type Booking, openStatementBank, ourIban, type StatementBank } from './networks/statement-bank.ts';
import { plainText } from './payment-file-world.ts';
import { balancesOf, type Shop } from './shop.ts';
import { openSender } from './transfer-story.ts';
import { until } from './until.ts';
import { closingOf } from './write-bank-statement.ts';

let gateway: Gateway;
let shop: Shop;
let connectors: ReadonlyMap<string, Connector>;
let bank: StatementBank;
let balance = 50_000n; // What lay there before we came is the operator's own.
before(async () => {
  const env = { ...withoutLitecoin, SEPA_IBAN: 'DE67 5005 0201 1234 5678 90', SEPA_ACCOUNT_NAME: 'Shop AG' };
  gateway = await startGateway({ env });
  shop = await openSender(gateway, '0');
  connectors = createConnectors(readConfig(gateway.env).networks, gateway.clock.now);
  bank = openStatementBank({ now: gateway.clock.now });
});
after(() => gateway.stop());

const encryption = createEncryption(Buffer.alloc(32, 7));

async function bring(bytes: Uint8Array): Promise<void> {
  const { db, clock } = gateway;
  const deps = { db, clock, encryption, connectors, bankFileBytesMax: 10_000_000, onChange: () => undefined };
  const file = { network: 'SEPA', fileName: 'statement.xml', bytes, way: 'COMMAND', actor: 'operator' } as const;
  await importBankFile(deps, { ...file, begin: db.begin });
  await gateway.runUntilIdle();
}

/** The statement of a day with these bookings is brought. */
async function dayWith(...bookings: readonly Booking[]): Promise<void> {
  const entries = bookings.map(bank.entryOf);
  await bring(bank.write('camt.053', entries, balance));
  balance = closingOf({ id: '', sequence: 0, iban: '', currency: 'EUR', opening: balance, entries });
}

const suspense = async (): Promise<string | undefined> => (await balancesOf(gateway, 'operator/suspense/'))['EUR'];

test('who transfers with the reference has paid when the statement is brought, and the books are the bank’s', async () => {
  const { id, address, reply } = await shop.open('25.00 EUR', 'SEPA');
  assert.equal(address, ourIban);
  const { memo, holder, bic } = reply.depositInstructions;
  assert.deepEqual({ memo, holder, bic }, { memo: rfReference(id), holder: 'Shop AG', bic: null });
  const entry = bank.entryOf({ cents: 2_500n, text: `Bestellung 7 ${rfReference(id)}` });
  await bring(bank.write('camt.052', [entry], balance));
  assert.equal(await shop.state(id), 'PROCESSING', 'a report shows that it is under way');
  assert.deepEqual(shop.eventsOf(id), []);
  await bring(bank.write('camt.053', [entry], balance));
  balance += 2_500n;
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.deepEqual(shop.eventsOf(id), ['CHECKOUT_COMPLETED COMPLETED']);
  assert.equal((await balancesOf(gateway, 'operator/wallet-SEPA/'))['EUR'], String(-balance * 100_000n), 'to the cent');
});

test('the page offers a bank transfer, and the receipt names the reference and not a mark of ours', async () => {
  const { id } = await shop.post('/checkout/hosted', {
    charge: { billingCurrency: 'EUR', lineItems: [{ description: 'Mug', netAmount: '25.00' }] },
  });
  const open = async (path = ''): Promise<string> =>
    (await fetch(new URL(`/en/checkout/${id}${path}`, gateway.url))).text();
  const choice = await open();
  assert.match(choice, /<b>Bank transfer<\/b><span class="small">SEPA, seconds to one banking day/);
  assert.match(choice, /Pay by bank transfer/);
  await shop.commit(id, 'SEPA');
  assert.doesNotMatch(await open(), /Exchange rate|wallet adds/);
  await dayWith({ cents: 2_500n, text: rfReference(id) });
  for (const page of [await open(), await open('/receipt')]) {
    assert.match(page, new RegExp(`Reference.*${rfReference(id)}`, 's'));
    assert.doesNotMatch(page, /Transaction/);
    assert.doesNotMatch(page, /[0-9a-f]{64}/);
  }
});

test('fees, interest, strangers and what nobody asked for are in the books to the cent', async () => {
  const { id } = await shop.open('10.00 EUR', 'SEPA');
  await dayWith(
    { cents: 1_000n, text: `order ${id}` },
    { cents: 333n, text: 'thank you' },
    { cents: -390n, text: 'Entgelt', code: '808' },
    { cents: 12n, text: 'Zinsen', code: '814' },
  );
  assert.equal(await shop.state(id), 'COMPLETED', 'by the id of the checkout too');
  assert.equal(await suspense(), '33300000');
});

test('a report that was wrong shows nothing any more when the statement is there', async () => {
  gateway.clock.advance({ hours: 24 }); // Of the days before, statements have said all.
  await gateway.app.pollRates();
  await gateway.runUntilIdle();
  const { id } = await shop.open('10.00 EUR', 'SEPA');
  await bring(bank.write('camt.052', [bank.entryOf({ cents: 1_000n, text: id })], balance));
  assert.equal(await shop.state(id), 'PROCESSING');
  await dayWith();
  assert.equal(await shop.state(id), 'PENDING');
});

/** Hours of days on which nothing is told. */
async function passHours(hours: number): Promise<void> {
  gateway.clock.advance({ hours });
  await gateway.app.pollRates();
  await gateway.runUntilIdle();
}

test('who was booked on the last day of the time to pay was in time, whenever the statement comes', async () => {
  const [booked, reported, late, forgetful] = [
    await shop.open('10.00 EUR', 'SEPA'),
    await shop.open('20.00 EUR', 'SEPA'),
    await shop.open('30.00 EUR', 'SEPA'),
    await shop.open('40.00 EUR', 'SEPA'),
  ];
  const [first, second, third] = [
    { cents: 1_100n, text: booked.id },
    { cents: 2_000n, text: reported.id },
    { cents: 3_000n, text: late.id },
  ];
  await passHours(7 * 24 + 1);
  assert.equal(await shop.state(booked.id), 'EXPIRED', 'an hour after the end nothing is known');
  const onTheLastDay = [first, second, { cents: 4_000n, text: 'no reference' }].map(bank.entryOf);
  await bring(bank.write('camt.052', onTheLastDay.slice(1, 2), balance));
  assert.equal(await shop.state(reported.id), 'PROCESSING', 'a report of that day shows it, and it is not late');
  await passHours(23);
  const entries = [...onTheLastDay, bank.entryOf(third)];
  await bring(bank.write('camt.053', entries, balance));
  balance += 10_100n;
  assert.equal(await shop.state(booked.id), 'COMPLETED OVERPAID');
  assert.deepEqual(shop.eventsOf(booked.id), ['CHECKOUT_COMPLETED COMPLETED']);
  assert.equal(await shop.state(reported.id), 'COMPLETED');
  assert.equal(await shop.state(late.id), 'DELAYED_COMPLETED LATE', 'booked on the day after the end');

  const [unmatched] = await gateway.db<{ id: string }>`select id from unmatched_payment where units = 400000000`;
  await assignUnmatched(gateway, present(unmatched, 'what came without a reference').id, forgetful.id);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(forgetful.id), 'COMPLETED', 'it came on that day, whenever somebody says whose it is');
  await dayWith({ cents: -100n, text: booked.id, isReversal: true, code: '899' });
  assert.equal(await shop.state(booked.id), 'COMPLETED REORGED', 'so did what a correction leaves of it');
});

test('a part that a report showed in time keeps the checkout waiting until a statement says what became of it', async () => {
  const { id } = await shop.open('10.00 EUR', 'SEPA');
  await passHours(7 * 24 - 1);
  const entry = bank.entryOf({ cents: 400n, text: id });
  await bring(bank.write('camt.052', [entry], balance));
  await passHours(12);
  assert.equal(await shop.state(id), 'PENDING PARTIAL');
  await passHours(12);
  await bring(bank.write('camt.053', [entry], balance));
  balance += 400n;
  assert.equal(await shop.state(id), 'UNDERPAID PARTIAL');
});

test('whoever sends hundreds of cents to one reference holds up nobody, and not a cent is lost', async () => {
  const { id } = await shop.open('25.00 EUR', 'SEPA');
  const cents = Array.from({ length: 520 }, () => ({ cents: 1n, text: id }));
  await dayWith(...cents);
  assert.equal(await shop.state(id), 'PENDING PARTIAL');
  const totalsOf = async () => (await shop.checkout(id)).paymentTotals.map(({ count, amount }: any) => [count, amount]);
  assert.deepEqual(await totalsOf(), [[500, '5']], 'the others are crumbs');
  await gateway.count();
  await dayWith({ cents: 2_000n, text: id }, { cents: -1n, text: id, isReversal: true, code: '899' });
  assert.equal(await shop.state(id), 'COMPLETED', 'the rest is large, whatever came before');
  await passHours(15 * 24);
  await dayWith();
  assert.deepEqual(await totalsOf(), [[501, '25.19']], 'when they are final they are one payment');
  await booksAreTheBanks();
  await gateway.count();
});

test('a correction takes the payment back, weeks after it was final', async () => {
  const { id } = await shop.open('40.00 EUR', 'SEPA');
  await dayWith({ cents: 4_000n, text: rfReference(id) });
  assert.equal(await shop.state(id), 'COMPLETED');
  gateway.clock.advance({ hours: 24 * 20 });
  await gateway.app.pollRates();
  await gateway.runUntilIdle();
  await dayWith({ cents: -4_000n, text: rfReference(id), isReversal: true, code: '899' });
  assert.deepEqual(shop.eventsOf(id).slice(0, 2), ['CHECKOUT_COMPLETED COMPLETED', 'CHECKOUT_REVERSED PROCESSING']);
});

const booksAreTheBanks = async (): Promise<void> =>
  assert.equal((await balancesOf(gateway, 'operator/wallet-SEPA/'))['EUR'], String(-balance * 100_000n));

/** The watcher learns at its next write that its cursor was changed, and takes the new one once its old session has ended. */
async function readAgain(documents: number): Promise<void> {
  await rewindNetwork(gateway.db, 'SEPA', documents);
  gateway.clock.advance({ seconds: 6 });
  await gateway.runUntilIdle();
  for (const watcher of gateway.app.watchers)
    await until('it watches again', async () => (await watcher.tick()) !== 'follower');
  await gateway.runUntilIdle();
  await booksAreTheBanks();
}

test('what is read again is booked once: payments, corrections in part and whole, fees, and what nobody explains', async () => {
  const { id } = await shop.open('50.00 EUR', 'SEPA');
  await dayWith({ cents: 5_000n, text: id }, { cents: 77n, text: 'nobody' });
  const correction = { text: id, isReversal: true, code: '899' };
  await dayWith({ cents: -2_000n, ...correction }, { cents: -390n, text: 'Entgelt', code: '808' });
  await dayWith({ cents: -3_000n, ...correction }, { cents: -1n, text: 'who knows' }, { cents: -10n, ...correction });
  await booksAreTheBanks();
  for (const documents of [1, 3]) await readAgain(documents);
  await dayWith();
  await readAgain(1); // It has no bookings, and is read all the same.
  assert.equal(shop.eventsOf(id).filter((event) => event.startsWith('CHECKOUT_REVERSED')).length, 1);
});

test('a statement that is downloaded anew credits nothing, whatever it is called, also where as much left as came', async () => {
  const { id } = await shop.open('30.00 EUR', 'SEPA');
  const entries = [
    { cents: 3_000n, text: id },
    { cents: -3_000n, text: 'swept' },
  ].map(bank.entryOf);
  const first = Buffer.from(bank.write('camt.053', entries, balance)).toString();
  await bring(Buffer.from(first));
  const anew = first.replace('MESSAGE', 'MADE-ANEW');
  await bring(Buffer.from(anew));
  await assert.rejects(bring(Buffer.from(anew.replace('<Id>camt', '<Id>renamed-camt'))), /tells bookings again/);
  await dayWith({ cents: 100n, text: 'somebody' });
  await bring(Buffer.from(anew.replace('<Id>camt', '<Id>renamed-camt')));
  assert.deepEqual(shop.eventsOf(id), ['CHECKOUT_COMPLETED COMPLETED']);
});

test('a reference that people take for another owner’s is not given out', async () => {
  const connector = present(connectors.get('SEPA'), 'SEPA');
  const times = { requestedAt: gateway.clock.now(), expiresAt: gateway.clock.now() };
  const request = { targetId: 'x', index: 1, amount: { asset: 'EUR', units: 1n }, assetCode: 'EUR', ...times };
  const target = await connector.createTarget({ ...request, reference: 'oooooooooooo' });
  const owned = (ownerId: string): NewDepositTarget => {
    const { merchantId } = shop.merchant;
    return { ...target, id: ownerId, network: 'SEPA', purpose: 'checkout', merchantId, ownerId, index: 1 };
  };
  const insert = (...ids: string[]) =>
    gateway.db.begin((tx) => insertDepositTargets(tx, ids.map(owned), gateway.clock.now()));
  await insert('oooooooooooo', 'oooooooooooo');
  await insert('oooooooooooo');
  await assert.rejects(insert('000000000000'), TargetTaken);
  const asked = { db: gateway.db, merchantId: shop.merchant.merchantId };
  const other = await askForTarget(asked, connector, { ...request, reference: '000000000000' });
  assert.notEqual(other.key, target.key, 'it gets another name');
  const same = await askForTarget(asked, connector, { ...request, reference: 'oooooooooooo' });
  assert.equal(same.key, target.key, 'and its owner keeps it');
});

test('what cannot go back says what is missing, and who can mend it', async () => {
  const refusedAfter = async (payer: Omit<Booking, 'cents'>): Promise<string> => {
    const { id } = await shop.open('10.00 EUR', 'SEPA');
    await dayWith({ cents: 1_000n, text: rfReference(id), ...payer });
    return (await shop.refused(422, 'POST', '/refund', { checkoutId: id, amount: '5' })).join();
  };
  const british = { iban: 'GB29NWBK60161331926819' };
  const told = [
    await refusedAfter({ ...british, bic: 'NWBKGB2LXXX' }),
    await refusedAfter({ ...british, bic: '' }),
    await refusedAfter({ name: '王伟' }),
    await refusedAfter({ name: '' }),
  ];
  assert.deepEqual(told, [
    'What was paid cannot go back yet. An account in GB can only be paid once the operator of this service has set its own address: SEPA_ACCOUNT_TOWN and SEPA_ACCOUNT_COUNTRY. Ask the operator to set it, and refund it then.',
    'The bank did not say the BIC of the account that this was paid from on SEPA, without which it cannot be paid: ask the customer for it, and send it by a transfer to a target account.',
    'The account that this was paid from on SEPA cannot be paid as the bank told it: ask the customer for an account, and send it by a transfer to a target account. Banks take names in Latin letters: write the name of who holds the account as their bank writes it.',
    'It is not known from whose account this was paid on SEPA: send it by a transfer to a target account.',
  ]);
});

test('whoever comes back while a refund is under way reads that it was ordered, where to, and nothing that may be false', async () => {
  const { id } = await shop.post('/checkout/hosted', {
    charge: { billingCurrency: 'EUR', lineItems: [{ description: 'Mug', netAmount: '25.00' }] },
  });
  await shop.commit(id, 'SEPA');
  await dayWith({ cents: 2_500n, text: rfReference(id) });
  const page = async (language = 'en'): Promise<string> =>
    plainText(await (await fetch(new URL(`/${language}/checkout/${id}`, gateway.url))).text());
  assert.match(await page(), /Paid\. Thank you!/);
  const { refund } = await shop.post('/refund', { checkoutId: id, amount: '20' });
  await gateway.runUntilIdle();
  const ordered = await page();
  assert.match(
    ordered,
    /A refund of 20\.00 EUR was ordered.*Refund ordered To this account DE22 2004 1111 0123 4567 89/,
  );
  assert.match(ordered, /Ordered on \w+ \d+, 2026, and not there yet\. It usually takes two to five banking days/);
  assert.match(ordered, /If a bank does not carry it out, the shop learns of it/);
  assert.doesNotMatch(ordered, /Thank you|was sent back|Refunded/);
  assert.match(await page('de'), /Eine Erstattung von 20,00 EUR ist beauftragt/);
  await shop.post('/refund/cancel', { id: refund.id });
  await gateway.runUntilIdle();
  assert.match(await page(), /Paid\. Thank you!/, 'it does not go back after all');
});

test('what is wrong with the account is said at the start, with what would be right', () => {
  const problems = (env: Record<string, string>): string => {
    try {
      readConfig({ ...gateway.env, ...env });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.match(problems({ SEPA_IBAN: 'DE67500502011234567891' }), /SEPA_IBAN is wrong. The check digits/);
  assert.match(problems({ SEPA_ACCOUNT_NAME: '' }), /SEPA_ACCOUNT_NAME must be set, because SEPA_IBAN is/);
  assert.match(problems({ SEPA_BIC: 'BNPAFRPP' }), /SEPA_BIC must be that of the bank of SEPA_IBAN/);
  assert.match(problems({ SEPA_CREDITS_FROM: 'camt' }), /SEPA_CREDITS_FROM must be camt.053 or mt940/);
  const abroad = { SWIFT_IBAN: ourIban, SWIFT_BIC: 'HELADEF1822', SWIFT_ACCOUNT_NAME: 'Shop AG' };
  assert.equal(problems({ ...abroad, SWIFT_CURRENCY: 'USD' }), '', 'its statements are others');
  assert.match(problems({ ...abroad, SWIFT_CURRENCY: 'EUR' }), /SWIFT_IBAN must be another account than SEPA_IBAN/);
  assert.match(problems({ SEPA_IBAN: 'CH9300762011623852957' }), /can only be paid with the BIC/);
});

test('what a report showed while statements credited is credited when it is brought again after reports do', async () => {
  gateway.clock.advance({ hours: 24 });
  await gateway.app.pollRates();
  await gateway.runUntilIdle();
  const { id } = await shop.open('30.00 EUR', 'SEPA');
  const shown = bank.write('camt.052', [bank.entryOf({ cents: 3_000n, text: rfReference(id) })], balance);
  await bring(shown);
  assert.equal(await shop.state(id), 'PROCESSING');
  connectors = createConnectors(
    readConfig({ ...gateway.env, SEPA_CREDITS_FROM: 'camt.052' }).networks,
    gateway.clock.now,
  );
  const next = bank.write('camt.052', [bank.entryOf({ cents: 1n, text: 'nobody' })], balance + 3_000n);
  await assert.rejects(
    bring(next),
    /only shown, because .* credited then: “camt\.052 .*”\. Import again what is named/,
  );
  for (const each of [shown, next, shown]) await bring(each);
  balance += 3_001n;
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.equal((await balancesOf(gateway, 'operator/wallet-SEPA/'))['EUR'], String(-balance * 100_000n), 'to the cent');
});
