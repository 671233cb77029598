/**
 * Death at any point while a file of a bank is read, accepted and told to the shop it paid (see die-everywhere); and a file with as
 * many bookings as a large shop has in a day.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findBankOrder } from '../src/bank-files/bank-order-store.ts';
import { readDocuments } from '../src/bank-files/document-store.ts';
import { importBankFile } from '../src/bank-files/import-bank-file.ts';
import { orderImport } from '../src/bank-files/import-ordered.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { assertHappenedOnce, dieEverywhere, watchAll, workAll } from './die-everywhere.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { createFileBank, fileOf, sumOf } from './networks/file-bank.ts';
import { openShop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin, furtherNetworks: () => [createFileBank({ recordsMost: 2 })] });
});
after(() => gateway.stop());

test('a file is accepted once and paid for once, whoever dies', async () => {
  const encryption = createEncryption(Buffer.from(gateway.env['MASTER_KEY'] ?? '', 'hex'));
  let [files, balance] = [0, 0];
  await dieEverywhere(
    gateway,
    {
      async begin() {
        const shop = await openShop(gateway);
        const { id } = await shop.open('60.00 EUR', 'SEPA');
        files += 1;
        const name = new Date(Date.UTC(2025, 0, files)).toISOString().slice(0, 10);
        const fees = [1, 2, 3].map((each) => ({ id: `fee-${files}-${each}`, text: 'fee', cents: -each }));
        const bookings = [{ id: `paid-${files}`, text: id, cents: 6_000 }, ...fees];
        const bytes = fileOf({ name, opening: balance, bookings });
        balance += 5_994;
        const order = { network: 'SEPA', fileName: name, bytes };
        const orderId = await orderImport({ db: gateway.db, encryption }, order, gateway.clock.now());
        return { shop, id, orderId, name };
      },
      live: [workAll, watchAll, workAll],
      async end({ shop, id, orderId, name }) {
        await gateway.runUntilIdle();
        gateway.clock.advance({ seconds: 30 }); // What a dead worker was sending may still arrive.
        await gateway.runUntilIdle();
        const outcome = (await findBankOrder(gateway.db, orderId))?.outcome;
        assert.ok(outcome && 'imported' in outcome);
        const told = outcome.imported.documents.map((document) => [
          document.name,
          document.position,
          document.bookings,
        ]);
        assert.deepEqual(told, [[name, files, 4]], 'whoever asked is told what became of it, not that it was known');
        assert.equal(await shop.state(id), 'COMPLETED');
        await assertHappenedOnce(gateway, id, {
          entries: ['payment_received', 'settlement'],
          events: ['CHECKOUT_COMPLETED'],
        });
        const [stored] = await gateway.db<{ counts: number[] }>`
          select array[(select count(*) from bank_file), (select count(*) from bank_file_piece),
                       (select count(*) from bank_document), (select count(*) from bank_record),
                       (select count(*) from bank_order_piece)]::integer[] as counts`;
        assert.deepEqual(stored?.counts, [files, files, files, 4 * files, 0]);
      },
    },
    { atLeast: 5 },
  );
});

test('a hundred thousand bookings are imported at once, and read in pieces', async () => {
  const { db, clock } = gateway;
  const encryption = createEncryption(Buffer.alloc(32, 1));
  const network = { ...createFileBank().network, id: 'SWIFT' };
  const connectors = new Map([['SWIFT', { ...createFileBank(), network }]]);
  const bookings = Array.from({ length: 100_000 }, (_, each) => ({
    id: `many-${each}`,
    text: `order ${each}`,
    cents: 7,
  }));
  const bytes = fileOf({ name: '2026-01-31', opening: 0, bookings });
  const deps = { db, clock, encryption, connectors, bankFileBytesMax: bytes.length };
  const brought = { network: 'SWIFT', fileName: 'many.json', bytes, way: 'FOLDER', actor: 'operator' } as const;
  const [document] = (await importBankFile(deps, { ...brought, begin: db.begin })).documents;
  const kinds = [{ kind: 'payment-in', count: 100_000, units: BigInt(sumOf(bookings)) }];
  assert.deepEqual([document?.recordCount, document?.kinds], [100_000, kinds]);
  let [after, read] = [{ position: 0, number: 0 }, 0];
  for (let isWhole = false; !isWhole; ) {
    const piece = await readDocuments(db, 'SWIFT', { after, recordsMost: 5_000 });
    assert.equal(piece.records[0]?.number, read + 1);
    read += piece.records.length;
    ({ end: after, isWhole } = piece);
  }
  assert.equal(read, 100_000);
});
