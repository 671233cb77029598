/** A statement that no bank wrote was accepted: the operator puts it right by hand, and the bank's own follow again. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { importBankFile } from '../src/bank-files/import-bank-file.ts';
import { readConfig } from '../src/config.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { writeCorrection } from '../src/networks/families/bank/correction.ts';
import type { Connector } from '../src/networks/port/connector.ts';
import { createConnectors } from '../src/networks/registry.ts';
import { listOpenMovements } from '../src/payments/movement-store.ts';
import { assignMovement } from '../src/watching/assign-movement.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { openStatementBank, ourIban, type StatementBank } from './networks/statement-bank.ts';
import { balancesOf, openShop, type Shop } from './shop.ts';

let gateway: Gateway;
let shop: Shop;
let bank: StatementBank;
let connectors: ReadonlyMap<string, Connector>;
const encryption = createEncryption(Buffer.alloc(32, 7));

before(async () => {
  const env = { ...withoutLitecoin, SEPA_IBAN: ourIban, SEPA_ACCOUNT_NAME: 'Shop AG' };
  gateway = await startGateway({ now: '2026-03-02T12:00:00.000Z', env });
  shop = await openShop(gateway, { feePercent: '0' });
  connectors = createConnectors(readConfig(gateway.env).networks, gateway.clock.now);
  bank = openStatementBank({ now: gateway.clock.now });
});
after(() => gateway.stop());

async function bring(bytes: Uint8Array): Promise<void> {
  const { db, clock } = gateway;
  const deps = { db, clock, encryption, connectors, bankFileBytesMax: 10_000_000 };
  const file = { network: 'SEPA', fileName: 'file', bytes, way: 'COMMAND', actor: 'operator' } as const;
  await importBankFile(deps, { ...file, begin: db.begin });
  await gateway.runUntilIdle();
}

async function nextDay(): Promise<void> {
  gateway.clock.advance({ hours: 24 });
  await gateway.app.pollRates();
  await gateway.runUntilIdle();
}

const held = async (): Promise<string | undefined> => (await balancesOf(gateway, 'operator/wallet-SEPA/'))['EUR'];

test('what was forged is taken back, what was missing is credited, and the next statement follows', async () => {
  const forged = await shop.open('90.00 EUR', 'SEPA');
  const missing = await shop.open('20.00 EUR', 'SEPA');
  await bring(bank.write('camt.053', [], 50_000n));
  await nextDay();
  await bring(bank.write('camt.053', [bank.entryOf({ cents: 9_000n, text: forged.id })], 50_000n));
  assert.equal(await shop.state(forged.id), 'COMPLETED');

  await nextDay();
  const late = await shop.open('30.00 EUR', 'SEPA');
  const next = bank.write('camt.053', [bank.entryOf({ cents: 3_000n, text: late.id })], 52_000n);
  await assert.rejects(bring(next), /opens with 520\.00 EUR, but the one before closed with 590\.00 EUR/);

  const correction = {
    id: 'byhand000001',
    balance: '520.00',
    day: null,
    came: [{ amount: '20.00', text: missing.id }],
    left: [{ amount: '90.00', text: `never came: ${forged.id}` }],
  };
  await bring(writeCorrection(correction));
  assert.equal(await shop.state(missing.id), 'COMPLETED');
  const [movement, ...others] = await listOpenMovements(gateway.db, null);
  assert.deepEqual([movement?.openUnits, others], [-900_000_000n, []]);
  const meaning = { as: 'REVERSAL', of: forged.id } as const;
  await assignMovement(gateway, movement?.id ?? '', meaning, { actor: 'operator', begin: gateway.db.begin });
  await gateway.runUntilIdle();
  assert.match(await shop.state(forged.id), /REORGED/);

  await bring(next);
  assert.equal(await shop.state(late.id), 'COMPLETED');
  assert.equal(await held(), String(-55_000n * 100_000n));
});
