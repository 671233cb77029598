/** A transfer from abroad: offered in the currency of the account, with fourteen days, and short of what banks on the way took. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { downloadPaymentFile } from '../src/bank-files/download-payment-file.ts';
import { importBankFile } from '../src/bank-files/import-bank-file.ts';
import { makePaymentFile } from '../src/bank-files/make-payment-file.ts';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { readConfig } from '../src/config.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { rfReference } from '../src/networks/families/bank/rf-reference.ts';
import { createConnectors } from '../src/networks/registry.ts';
import { accountsAt } from './account-world.ts';
import { aCharge, type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { type Booking, openStatementBank, ourIban, payerIban, type StatementBank } from './networks/statement-bank.ts';
import { openSender, type Sender } from './transfer-story.ts';

const home = { SWIFT_ACCOUNT_TOWN: 'Frankfurt', SWIFT_ACCOUNT_COUNTRY: 'DE' };
let gateway: Gateway;
let shop: Sender;
let bank: StatementBank;
let balance = 0n;
before(async () => {
  const account = { SWIFT_IBAN: ourIban, SWIFT_ACCOUNT_NAME: 'Shop AG', SWIFT_BIC: 'HELADEF1822', ...home };
  gateway = await startGateway({
    hasAccount: true,
    env: { ...withoutLitecoin, ...account, UNFINAL_CEILINGS: 'SWIFT=110' },
  });
  shop = await openSender(gateway, '0', { destinationWaitMinutes: 0 });
  bank = openStatementBank({ swiftCurrency: 'USD', now: gateway.clock.now });
});
after(() => gateway.stop());

const encryption = createEncryption(Buffer.alloc(32, 7));

async function dayWith(booking: Booking): Promise<void> {
  const { db, clock } = gateway;
  const connectors = createConnectors(readConfig(gateway.env).networks, clock.now);
  const deps = { db, clock, encryption, connectors, bankFileBytesMax: 10_000_000, onChange: () => undefined };
  const bytes = bank.write('camt.053', [bank.entryOf(booking)], balance);
  const file = { network: 'SWIFT', fileName: 'statement.xml', bytes, way: 'COMMAND', actor: 'operator' } as const;
  await importBankFile(deps, { ...file, begin: db.begin });
  balance += booking.cents;
  await gateway.runUntilIdle();
}

test('it takes deposits where it is configured, and charges in the currency of its account', async () => {
  const { networks } = await gateway.get('/networks');
  const swift = networks.find(({ id }: { id: string }) => id === 'SWIFT');
  assert.deepEqual([swift.deposits, swift.transfers, swift.type], [true, true, 'BANK']);
  const offered = async (total: string): Promise<string[]> => {
    const { paymentMethods } = await shop.post('/checkout', aCharge(total));
    return paymentMethods.map(({ network }: { network: string }) => network);
  };
  assert.deepEqual(await offered('100.00 USD'), ['BITCOIN', 'SWIFT']);
  assert.deepEqual(await offered('100.00 EUR'), ['BITCOIN']);
});

test('what banks on the way took is missing, and the timeline says what was ordered', async () => {
  const { id, address, reply } = await shop.open('100.00 USD', 'SWIFT');
  const { holder, bic } = reply.depositInstructions;
  assert.deepEqual({ address, holder, bic }, { address: ourIban, holder: 'Shop AG', bic: 'HELADEF1822' });
  const days = (Date.parse(reply.expirationTime) - gateway.clock.now().getTime()) / 86_400_000;
  assert.equal(Math.round(days), 14);
  await dayWith({ cents: 8_500n, text: rfReference(id), instructedCents: 10_000n });
  assert.equal(await shop.state(id), 'PENDING PARTIAL');
  const [noted] = await gateway.db<{ why: { instructed?: string } }>`
    select why from timeline where checkout_id = ${id} and what = 'payment_seen'`;
  assert.equal(noted?.why.instructed, '100.00 USD');
  const owner = await accountsAt(gateway).member('owner', 'owner@shop.example', shop.merchant.merchantId);
  assert.match((await owner.get(`/account/checkouts/${id}`)).text, /The payer ordered 100\.00 USD: banks on the way/);

  await dayWith({ cents: 1_500n, text: rfReference(id) });
  assert.equal((await shop.state(id)).split(' ')[0], 'COMPLETED');
});

/** All that waits, in a file as the bank gets it. */
async function fileOfAll(): Promise<string> {
  const { db, clock, log } = gateway;
  const { networks, operator } = readConfig(gateway.env);
  const connectors = createConnectors(networks, clock.now);
  const deps = { db, clock, log, assets: createAssetCatalog(operator, []), encryption, connectors };
  const by = { actor: 'operator', begin: db.begin } as const;
  const { id } = await makePaymentFile(deps, { network: 'SWIFT', ...by, begin: db.begin });
  const { bytes } = await downloadPaymentFile(deps, { id, isAgain: false, ...by, begin: db.begin });
  return bytes.toString();
}

test('dollars are paid out to an account with a number, once all is known that its bank wants to know', async () => {
  const account = { label: 'supplier', network: 'SWIFT', address: '0012 3456-789', bic: 'CHASUS33' };
  const { beneficiaryId } = await shop.post('/beneficiary', { beneficiary: { company: 'Parts Inc.' } });
  const refusedWith = async (more: Record<string, unknown>): Promise<string> =>
    (await shop.refused(400, 'POST', '/target-account', { ...account, beneficiaryId, ...more })).join();
  assert.match(await refusedWith({}), /An account in US can only be paid with the town and country/);
  assert.match(await refusedWith({ bic: 'HELADEF1822' }), /An account in DE has an IBAN: give that/);
  assert.match(await refusedWith({ address: 'DE89370400440532013001' }), /check digits of the IBAN are wrong/);
  assert.match(await refusedWith({ address: '12#4' }), /The number of an account has 1 to 34 letters and digits/);
  assert.match(await refusedWith({ bic: '' }), /must be known of whoever holds the account: bic/);
  const lives = { townName: 'New York', country: 'US', streetName: 'Main Street', buildingNumber: '1' };
  await shop.request('PUT', '/beneficiary', { beneficiary: { id: beneficiaryId, ...lives } });
  await shop.post('/target-account', { ...account, beneficiaryId });

  const order = { network: 'SWIFT', asset: 'USD', amount: '40.25', targetAccount: 'supplier' };
  const { id } = await shop.send(order);
  const tooMuch = await shop.refused(422, 'POST', '/transfer', { ...order, amount: '30' });
  assert.match(tooMuch.join(), /what came in by SWIFT can still be taken back/);
  await gateway.runUntilIdle();
  const file = await fileOfAll();
  const told = [
    '<InstdAmt Ccy="USD">40.25</InstdAmt>',
    '<BICFI>CHASUS33</BICFI>',
    '<Nm>Parts Inc.</Nm>',
    '<TwnNm>New York</TwnNm>',
    '<Othr><Id>00123456789</Id></Othr>',
  ];
  for (const each of told) assert.ok(file.includes(each), `${each} in ${file}`);
  const [, endToEndId = ''] = /<EndToEndId>([^<]+)</.exec(file) ?? [];
  gateway.clock.advance({ hours: 24 });
  await dayWith({ cents: -4_025n, endToEndId });
  assert.equal((await shop.transfer(id)).state, 'SENT');
  gateway.clock.advance({ hours: 24 * 20 });
  await dayWith({ cents: -100n, code: '808' });
  assert.equal((await shop.transfer(id)).state, 'COMPLETED');
});

test('a refund goes back to the account that it came from, by its number too, where the bank says where its holder lives', async () => {
  const paidBy = async (more: Omit<Booking, 'cents'>): Promise<string> => {
    const { id } = await shop.open('20.00 USD', 'SWIFT');
    gateway.clock.advance({ hours: 24 });
    await dayWith({ cents: 2_000n, text: rfReference(id), ...more });
    assert.equal(await shop.state(id), 'COMPLETED');
    return id;
  };
  const payer = { name: `Parts ${'and more '.repeat(9)}Inc.`, number: '00123456789', bic: 'CHASUS33' };
  const unknown = await paidBy(payer);
  assert.match(
    (await shop.refused(422, 'POST', '/refund', { checkoutId: unknown, amount: '5' })).join(),
    /The bank did not say in which town and country whoever paid this on SWIFT lives/,
  );
  const address = { street: 'Main Street', town: 'New York', country: 'US' };
  const known = await paidBy({ ...payer, address });
  const fromGermany = await paidBy({});
  for (const checkoutId of [known, fromGermany]) await shop.post('/refund', { checkoutId, amount: '5' });
  await gateway.runUntilIdle();
  const file = await fileOfAll();
  assert.match(file, /<BICFI>CHASUS33<.*<TwnNm>New York<.*<Othr><Id>00123456789<\/Id><\/Othr>/s);
  assert.match(file, new RegExp(`<IBAN>${payerIban}</IBAN>`));
});

const number = '00987654321';
const lives = { street: 'Main Street', town: 'New York', country: 'US' };
const mallory = { name: 'Mallory', number, bic: 'CHASUS33', address: lives };

test('what came from a number goes back to no other bank, where somebody else may have that number', async () => {
  gateway.clock.advance({ hours: 24 * 20 });
  await dayWith({ cents: -1n, code: '808' }); // What came before is final, and may leave.
  const paidBy = async (...payers: readonly Omit<Booking, 'cents'>[]): Promise<string> => {
    const { id } = await shop.open(`${payers.length}.00 USD`, 'SWIFT');
    gateway.clock.advance({ hours: 24 });
    for (const payer of payers) await dayWith({ cents: 100n, text: rfReference(id), ...payer });
    assert.equal(await shop.state(id), 'COMPLETED');
    return id;
  };
  for (const bic of [null, 'CITIUS33']) {
    const checkoutId = await paidBy({ ...mallory, name: 'Ada', bic }, mallory);
    assert.match((await shop.refused(422, 'POST', '/refund', { checkoutId })).join(), /from several accounts/);
  }
  const branches = await paidBy(mallory, { ...mallory, bic: 'CHASUS33XXX' });
  assert.equal((await shop.post('/refund', { checkoutId: branches })).refund.amountSent, '2');
});

test('who has had a payment back is not paid again out of that of the same number at another bank', async () => {
  const { id } = await shop.open('3.00 USD', 'SWIFT');
  for (const payer of [mallory, { ...mallory, name: 'Ada', bic: 'CITIUS33' }]) {
    gateway.clock.advance({ hours: 24 });
    await dayWith({ cents: 300n, text: rfReference(id), ...payer });
  }
  const { refund: ofAda } = await shop.post('/refund', { checkoutId: id });
  assert.equal(ofAda.holder, 'Ada');
  await shop.post('/refund/cancel', { id: ofAda.id });
  const { refund } = await shop.post('/refund', { checkoutId: id, context: 'COMPLETED_CHECKOUT' });
  assert.equal(refund.holder, 'Mallory');
  gateway.clock.advance({ hours: 24 });
  await dayWith({ cents: -300n, text: rfReference(id), isReversal: true, code: '899', ...mallory });
  assert.equal(await shop.state(id), 'COMPLETED REORGED', 'by what came from the other');
  assert.equal((await shop.get(`/refund?id=${refund.id}`)).refund.state, 'FAILED');
});

test('what is wrong with the account is said at the start', () => {
  const problems = (env: Record<string, string>): string => {
    try {
      readConfig({ ...gateway.env, ...env });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.match(problems({ SWIFT_BIC: '' }), /SWIFT_BIC must be that of the bank of SWIFT_IBAN\. Banks abroad/);
  assert.match(problems({ SWIFT_CURRENCY: 'GBP' }), /SWIFT_CURRENCY must be USD or EUR/);
  assert.equal(problems({ SWIFT_CURRENCY: 'EUR' }), '');
});
