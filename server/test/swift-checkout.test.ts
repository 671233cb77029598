/** A transfer from abroad: offered in the currency of the account, with fourteen days, and short of what banks on the way took. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { importBankFile } from '../src/bank-files/import-bank-file.ts';
import { readConfig } from '../src/config.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { rfReference } from '../src/networks/families/bank/rf-reference.ts';
import { createConnectors } from '../src/networks/registry.ts';
import { aCharge, type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { type Booking, openStatementBank, ourIban, type StatementBank } from './networks/statement-bank.ts';
import { openShop, type Shop } from './shop.ts';

let gateway: Gateway;
let shop: Shop;
let bank: StatementBank;
let balance = 0n;
before(async () => {
  const account = { SWIFT_IBAN: ourIban, SWIFT_ACCOUNT_NAME: 'Shop AG', SWIFT_BIC: 'HELADEF1822' };
  gateway = await startGateway({ env: { ...withoutLitecoin, ...account } });
  shop = await openShop(gateway);
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
  assert.equal(address, ourIban);
  const days = (Date.parse(reply.expirationTime) - gateway.clock.now().getTime()) / 86_400_000;
  assert.equal(Math.round(days), 14);
  await dayWith({ cents: 8_500n, text: rfReference(id), instructedCents: 10_000n });
  assert.equal(await shop.state(id), 'PENDING PARTIAL');
  const [noted] = await gateway.db<{ why: { instructed?: string } }>`
    select why from timeline where checkout_id = ${id} and what = 'payment_seen'`;
  assert.equal(noted?.why.instructed, '100.00 USD');

  await dayWith({ cents: 1_500n, text: rfReference(id) });
  assert.equal((await shop.state(id)).split(' ')[0], 'COMPLETED');
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
