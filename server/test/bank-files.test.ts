/** How files of a bank come in: accepted whole or refused whole, once, and then they are what the network tells. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { bytesOf } from '../src/bank-files/bank-file-bytes.ts';
import { readDocuments } from '../src/bank-files/document-store.ts';
import { type ImportedFile, importBankFile } from '../src/bank-files/import-bank-file.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { DocumentRefused } from '../src/networks/port/documents.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { type Booking, createFileBank, fileOf, type Statement, sumOf } from './networks/file-bank.ts';
import { openShop, type Shop } from './shop.ts';

let gateway: Gateway;
let shop: Shop;
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin, furtherNetworks: () => [createFileBank()] });
  shop = await openShop(gateway);
});
after(() => gateway.stop());

const encryption = createEncryption(Buffer.alloc(32, 7));

const importing = (bytes: Buffer, fileName = 'statement.json'): Promise<ImportedFile> => {
  const { db, clock, furtherNetworks } = gateway;
  const connectors = new Map(furtherNetworks.map((connector) => [connector.network.id, connector]));
  const deps = { db, clock, encryption, connectors, bankFileBytesMax: 1_000_000, onChange: () => undefined };
  return importBankFile(deps, { network: 'SEPA', fileName, bytes, way: 'COMMAND', actor: 'operator', begin: db.begin });
};

/** The next day, after all that was imported. */
let [days, balance] = [0, 0];
let numbers = 0;
function nextDay(...booked: readonly (Omit<Booking, 'id'> & { readonly id?: string })[]): Statement {
  days += 1;
  const bookings = booked.map(({ id = `booking-${++numbers}`, text, cents }) => ({ id, text, cents }));
  const statement = { name: `2026-02-${String(days).padStart(2, '0')}`, opening: balance, bookings };
  balance += sumOf(bookings);
  return statement;
}

const stored = async (): Promise<number[]> => {
  const [row] = await gateway.db<{ counts: number[] }>`
    select array[(select count(*) from bank_file), (select count(*) from bank_file_piece),
                 (select count(*) from bank_document), (select count(*) from bank_record),
                 (select count(*) from audit_log where action = 'bank.imported')]::integer[] as counts`;
  return row?.counts ?? [];
};

let atFirst: number[];
beforeEach(async () => {
  atFirst = await stored();
});
const more = async (): Promise<number[]> => (await stored()).map((count, index) => count - (atFirst[index] ?? 0));

const refusal = async (bytes: Buffer): Promise<string> => {
  const error = await importing(bytes).catch((failure: unknown) => failure);
  assert.ok(error instanceof DocumentRefused, String(error));
  return error.problem.sentence;
};

test('a statement is imported, its bookings are payments, and what it says is told in sums', async () => {
  const { id } = await shop.open('25.00 EUR', 'SEPA');
  const statement = nextDay({ text: id, cents: 2_500 }, { text: 'the month', cents: -300 }, { text: 'x', cents: -50 });
  const imported = await importing(fileOf(statement));
  assert.deepEqual(imported, {
    network: 'SEPA',
    documents: [
      {
        name: '2026-02-01',
        position: 1,
        recordCount: 3,
        knownCount: 0,
        kinds: [
          { kind: 'fee', count: 2, units: -350n },
          { kind: 'payment-in', count: 1, units: 2_500n },
        ],
        closingUnits: 2_150n,
      },
    ],
  });
  await gateway.runUntilIdle();
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.deepEqual(await more(), [1, 1, 1, 3, 1]);
  const [file] = await gateway.db<{ id: string }>`select id from bank_file`;
  assert.deepEqual(await bytesOf(gateway.db, encryption, file?.id ?? ''), fileOf(statement), 'as it came');

  const again = await importing(fileOf(statement), 'the same under another name.json');
  assert.deepEqual(
    again.documents.map(({ name, position, recordCount }) => [name, position, recordCount]),
    [['2026-02-01', null, 0]],
  );
  assert.deepEqual(await more(), [1, 1, 1, 3, 1], 'nothing more was kept');
});

test('what of a file is known is passed over, and the rest of it is taken', async () => {
  const [first, second] = [nextDay({ text: 'a', cents: 100 }), nextDay()];
  await importing(fileOf(first));
  const imported = await importing(fileOf(first, second, second));
  assert.deepEqual(
    imported.documents.map(({ name, position }) => [name, position === null]),
    [
      [first.name, true],
      [second.name, false],
    ],
  );
});

test('a booking that one document told is not kept a second time for another, nor twice for one', async () => {
  const { id } = await shop.open('10.00 EUR', 'SEPA');
  const early = { id: 'told-early', text: id, cents: 1_000 };
  await importing(fileOf({ name: '2026-02-27', opening: null, bookings: [early, early] }));
  await gateway.runUntilIdle();
  assert.equal(await shop.state(id), 'COMPLETED');
  const [told] = (await importing(fileOf(nextDay(early, { text: 'c', cents: 10 })))).documents;
  assert.deepEqual([told?.recordCount, told?.knownCount], [1, 1]);
  assert.deepEqual(await more(), [2, 2, 2, 2, 2]);
  await gateway.runUntilIdle();
});

test('the same name with other bytes is refused, and nothing of its file is taken', async () => {
  const statement = nextDay({ text: 'a', cents: 5 });
  await importing(fileOf(statement));
  const before = await more();
  const other = { name: statement.name, opening: statement.opening, bookings: [] };
  const next = { name: '2026-03-01', opening: balance, bookings: [] };
  assert.match(await refusal(fileOf(other, next)), /There is a document 2026-02-0\d already, and this one differs/);
  const twins = [next, { name: next.name, opening: balance, bookings: [{ id: 'z', text: 'z', cents: 0 }] }];
  assert.match(await refusal(fileOf(...twins)), /There is a document 2026-03-01 already/);
  assert.equal(await refusal(Buffer.from('%PDF')), 'This is no file of a bank.');
  assert.equal(await refusal(fileOf()), 'There is no document in the file.');
  assert.match(await refusal(Buffer.alloc(1_000_001)), /^The file has 1000001 bytes, and at most 1000000 are taken/);
  assert.deepEqual(await more(), before);
});

test('the same file at several processes at once is accepted once', async () => {
  const statement = nextDay({ text: 'a', cents: 7 }, { text: 'b', cents: 8 });
  const files = await Promise.all([1, 2, 3, 4].map(() => importing(fileOf(statement))));
  const positions = files.flatMap(({ documents }) => documents.map(({ position }) => position));
  assert.equal(positions.filter((position) => position !== null).length, 1);
  assert.deepEqual(await more(), [1, 1, 1, 2, 1]);
});

test('what was accepted is read in pieces, in order, whatever their size, and each piece says where it ends', async () => {
  const statements = [nextDay(), nextDay({ text: 'a', cents: 1 }, { text: 'b', cents: 2 }), nextDay(), nextDay()];
  await importing(fileOf(...statements));
  const all = await readDocuments(gateway.db, 'SEPA', { after: { position: 0, number: 0 }, recordsMost: 1_000 });
  assert.ok(all.isWhole);
  assert.equal(all.end.position, all.newest);
  for (const recordsMost of [1, 2, 3, 5]) {
    const [documents, records] = [new Set<number>(), [] as string[]];
    let after = { position: 0, number: 0 };
    for (let looks = 0; after.position < all.newest || looks === 0; looks += 1) {
      assert.ok(looks < 100);
      const piece = await readDocuments(gateway.db, 'SEPA', { after, recordsMost });
      for (const { position } of piece.documents) documents.add(position);
      assert.ok(piece.records.every(({ position }) => piece.documents.some((each) => each.position === position)));
      records.push(...piece.records.map(({ identity }) => identity));
      assert.equal(
        piece.isWhole,
        piece.end.number === all.records.filter((each) => each.position === piece.end.position).length,
      );
      after = piece.end;
    }
    assert.deepEqual(
      [...documents],
      all.documents.map(({ position }) => position),
    );
    assert.deepEqual(
      records,
      all.records.map(({ identity }) => identity),
    );
    const rest = await readDocuments(gateway.db, 'SEPA', { after, recordsMost });
    assert.deepEqual([rest.documents, rest.records, rest.end, rest.isWhole], [[], [], after, true]);
  }
});

test('nobody changes what a bank told, and no position is left out', async () => {
  for (const table of ['bank_file', 'bank_document', 'bank_record'])
    await assert.rejects(gateway.db.script(`delete from ${table}`), /never changed/);
  await assert.rejects(
    gateway.db.script(
      `insert into bank_document select network, position + 100, digest || 'x', name || 'x', kind, document_time, told,
         file_id, record_count, kinds, closing_units from bank_document limit 1`,
    ),
    /next position/,
  );
});
