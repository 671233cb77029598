/** How files of a bank come in: accepted whole or refused whole, once, and then they are what the network tells. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { forgetBytes } from '../src/bank-files/accept-store.ts';
import { bytesOf } from '../src/bank-files/bank-file-bytes.ts';
import { findBankOrder } from '../src/bank-files/bank-order-store.ts';
import { readDocuments } from '../src/bank-files/document-store.ts';
import { type ImportedFile, importBankFile } from '../src/bank-files/import-bank-file.ts';
import { orderImport } from '../src/bank-files/import-ordered.ts';
import { importLines } from '../src/bank-files/import-words.ts';
import { createFolderWatcher } from '../src/bank-files/watch-folder.ts';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { readConfig } from '../src/config.ts';
import type { Tx } from '../src/db/database.ts';
import { addMs } from '../src/lib/clock.ts';
import { createEncryption, type Encryption } from '../src/lib/encryption.ts';
import { formatFixed, fromUnits } from '../src/money/decimal.ts';
import type { Connector } from '../src/networks/port/connector.ts';
import { type DocumentReader, DocumentRefused } from '../src/networks/port/documents.ts';
import { type AccountWorld, accountsAt, type Visitor } from './account-world.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { meetAt } from './meet-at.ts';
import { type Booking, createFileBank, fileOf, type Statement, sumOf } from './networks/file-bank.ts';
import { openShop, type Shop } from './shop.ts';

let gateway: Gateway;
let shop: Shop;
let world: AccountWorld;
let encryption: Encryption;
let folder: string;
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin, hasAccount: true, furtherNetworks: () => [createFileBank()] });
  shop = await openShop(gateway);
  world = accountsAt(gateway);
  encryption = createEncryption(Buffer.from(gateway.env['MASTER_KEY'] ?? '', 'hex'));
  folder = await mkdtemp(join(tmpdir(), 'quittance-bank-'));
});
after(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true });
});

const deps = () => {
  const { db, clock, log, furtherNetworks } = gateway;
  const connectors = new Map(furtherNetworks.map((connector) => [connector.network.id, connector]));
  const assets = createAssetCatalog(readConfig(gateway.env).operator, []);
  return {
    db,
    clock,
    log,
    assets,
    encryption,
    connectors,
    bankFileBytesMax: 1_000_000,
    bankFolder: folder,
    pauseMs: 5_000,
  };
};

const importing = (bytes: Buffer, fileName = 'statement.json'): Promise<ImportedFile> => {
  const { begin } = gateway.db;
  return importBankFile(deps(), { network: 'SEPA', fileName, bytes, way: 'COMMAND', actor: 'operator', begin });
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
  assert.match(imported.fileId ?? '', /^[a-z0-9]{12}$/);
  assert.deepEqual(imported, {
    network: 'SEPA',
    fileId: imported.fileId,
    asset: { assetCode: 'EUR', scale: 2 },
    documents: [
      {
        name: '2026-02-01',
        kind: 'statement',
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
  assert.equal(
    await refusal(fileOf()),
    'There is no statement, report or answer in the file: get it from the bank again, for days on which something was booked.',
  );
  assert.match(await refusal(Buffer.alloc(1_000_001)), /^The file has 1000001 bytes, and at most 1000000 are taken/);
  const texts = ['NUL \0', 'a backslash: \\u0000'].map((text) => [{ id: `with ${text.length}`, text, cents: 0 }]);
  const [broken, odd] = texts.map((bookings) => fileOf({ name: next.name, opening: balance, bookings }));
  assert.match(await refusal(broken ?? fileOf()), /^There are characters in the file that no text has/);
  assert.deepEqual(await more(), before);
  await importing(odd ?? fileOf());
});

test('the same file at several processes at once is accepted once', async () => {
  const statement = nextDay({ text: 'a', cents: 7 }, { text: 'b', cents: 8 });
  const files = await Promise.all([1, 2, 3, 4].map(() => importing(fileOf(statement))));
  const positions = files.flatMap(({ documents }) => documents.map(({ position }) => position));
  assert.equal(positions.filter((position) => position !== null).length, 1);
  assert.deepEqual(await more(), [1, 1, 1, 2, 1]);
});

/** As PostgreSQL does with a session that is silent for too long. */
const loseTheTurn = () => gateway.db`
  select pg_terminate_backend(pid) from pg_locks
   where locktype = 'advisory' and classid = 7083 and granted
     and database = (select oid from pg_database where datname = current_database())`;

test('whoever was frozen and lost the turn meanwhile reads again what is known by then', async () => {
  const [first, second] = [nextDay({ text: 'a', cents: 9 }), nextDay({ text: 'b', cents: 1 })];
  let isFrozen = true;
  const begin: Parameters<typeof importBankFile>[1]['begin'] = async (work) => {
    if (isFrozen) {
      isFrozen = false;
      await loseTheTurn();
      await importing(fileOf(first));
    }
    return gateway.db.begin(work);
  };
  const brought = { network: 'SEPA', fileName: 'both.json', bytes: fileOf(first, second) };
  const { documents } = await importBankFile(deps(), { ...brought, way: 'COMMAND', actor: 'operator', begin });
  const [before] = await gateway.db<{ position: number }>`
    select position::integer from bank_document where network = 'SEPA' and name = ${first.name}`;
  assert.deepEqual(
    documents.map(({ name, position, recordCount }) => [name, position, recordCount]),
    [
      [first.name, null, 0],
      [second.name, (before?.position ?? 0) + 1, 1],
    ],
  );
  assert.deepEqual(await more(), [2, 2, 2, 2, 2]);
});

test('who lost the turn while it wrote and who took it write the same records, and one of them reads again', async () => {
  const statement = nextDay({ text: 'a', cents: 4 });
  const nobodyWritesRecords = (tx: Tx) => tx`lock table bank_record in share row exclusive mode`;
  const taking = async () => {
    await loseTheTurn();
    return importing(fileOf(statement));
  };
  const files = await meetAt(gateway.db, nobodyWritesRecords, [() => importing(fileOf(statement)), taking]);
  const accepted = files.filter(({ fileId }) => fileId !== null);
  assert.deepEqual(
    accepted.map(({ documents }) => documents.map(({ recordCount }) => recordCount)),
    [[1]],
    'one has accepted it, and the other passed over it',
  );
  assert.deepEqual(await more(), [1, 1, 1, 1, 1]);
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

test('after their time the bytes of a file go, and all that was in it stays', async () => {
  await importing(fileOf(nextDay({ text: 'kept', cents: 3 })));
  const [files, pieces, ...rest] = await stored();
  await forgetBytes(gateway.db, gateway.clock.now());
  assert.deepEqual(await stored(), [files, pieces, ...rest], 'not yet');
  await forgetBytes(gateway.db, addMs(gateway.clock.now(), 1));
  assert.deepEqual(await stored(), [files, 0, ...rest]);
  const [file] = await gateway.db<{ id: string }>`select id from bank_file limit 1`;
  assert.equal(await bytesOf(gateway.db, encryption, file?.id ?? ''), null);
});

/** As `bank import` does it: the running service reads the file. */
async function ordered(bytes: Buffer, network: string | null = null) {
  const id = await orderImport(
    { db: gateway.db, encryption },
    { network, fileName: 'a.json', bytes },
    gateway.clock.now(),
  );
  await gateway.runUntilIdle();
  const [left] = await gateway.db`select from bank_order_piece where order_id = ${id}`;
  assert.equal(left, undefined, 'its bytes wait no longer');
  return { id, outcome: (await findBankOrder(gateway.db, id))?.outcome };
}

test('a file that comes by command is read by the service, which says what became of it', async () => {
  const { id } = await shop.open('12.00 EUR', 'SEPA');
  const statement = nextDay({ text: id, cents: 1_200 }, { text: 'the month', cents: -20 });
  const { id: orderId, outcome } = await ordered(fileOf(statement));
  assert.ok(outcome && 'imported' in outcome);
  assert.deepEqual(importLines(outcome.imported), [
    'Accepted: 1 document.',
    `${statement.name}: 2 bookings, balance ${formatFixed(fromUnits(BigInt(balance), 2), 2)} EUR`,
    '  1 × fee: -0.20 EUR',
    '  1 × payment in: 12.00 EUR',
  ]);
  assert.equal(await shop.state(id), 'COMPLETED');
  const again = await ordered(fileOf(statement), 'SEPA');
  assert.ok(again.outcome && 'imported' in again.outcome);
  assert.deepEqual(importLines(again.outcome.imported), ['Nothing is new: all of it was accepted earlier.']);
  assert.deepEqual((await ordered(Buffer.from('?'))).outcome, { refused: 'This is no file of a bank.' });
  const unknown = 'Files are taken for SEPA, and not for "PIX".';
  assert.deepEqual((await ordered(fileOf(statement), 'PIX')).outcome, { refused: unknown });
  gateway.clock.advance({ hours: 25 });
  await gateway.app.cleanUp();
  assert.equal(await findBankOrder(gateway.db, orderId), undefined, 'and is forgotten a day later');
});

test('files in the folder are taken in order once they are whole, and each is put beside what became of it', async () => {
  const watcher = createFolderWatcher(deps());
  const at = (...path: string[]): string => join(folder, 'sepa', ...path);
  await mkdir(at(), { recursive: true });
  const listed = async (...path: string[]): Promise<string[]> => (await readdir(at(...path))).toSorted();
  const [first, second, third] = [
    nextDay({ text: 'a', cents: 40 }),
    nextDay({ text: 'c', cents: 1 }),
    nextDay({ text: 'b', cents: 2 }),
  ];
  await writeFile(at('1.json'), fileOf(first).subarray(0, 5));
  await writeFile(at('2.json'), fileOf(third));
  await writeFile(at('bad.json'), '%PDF');
  await writeFile(at('large.json'), Buffer.alloc(1_000_001));
  await writeFile(at('.hidden'), fileOf(second));
  await writeFile(at('later.part'), fileOf(second));
  await mkdir(at('old'));
  assert.equal(await watcher.tick(), 'idle', 'nobody knows yet whether they are whole');
  await writeFile(at('1.json'), fileOf(first));
  await writeFile(at('empty.json'), '');
  assert.equal(await watcher.tick(), 'progress', 'one has grown meanwhile, the bad ones are whole');
  assert.deepEqual(await listed('refused'), ['bad.json', 'bad.json.txt', 'large.json', 'large.json.txt']);
  assert.equal(await readFile(at('refused', 'bad.json.txt'), 'utf8'), 'This is no file of a bank.\n');
  assert.equal(
    await readFile(at('2.json.waits.txt'), 'utf8'),
    `The statement before ${third.name} is missing.\n`,
    'the one that is too early waits',
  );
  assert.equal(await watcher.tick(), 'progress', 'now that is whole too');
  assert.match(await readFile(at('done', '1.json.txt'), 'utf8'), /^Accepted: 1 document\./);
  await writeFile(at('3.json'), fileOf(second));
  assert.deepEqual([await watcher.tick(), await watcher.tick()], ['idle', 'progress']);
  assert.deepEqual([await watcher.tick(), await watcher.tick()], ['progress', 'idle'], 'what waited has had its turn');
  const rest = ['.hidden', 'done', 'empty.json', 'later.part', 'old', 'refused'];
  assert.deepEqual(await listed(), rest);
  const done = ['1.json', '1.json.txt', '2.json', '2.json.txt', '3.json', '3.json.txt'];
  assert.deepEqual(await listed('done'), done);
  // A program that writes another file in the place of one that is just being read loses nothing.
  const replaced = createFolderWatcher({
    ...deps(),
    connectors: new Map([['SEPA', replacing(at('daily.json'), 'the next one')]]),
  });
  await writeFile(at('daily.json'), fileOf(first));
  await replaced.tick();
  assert.equal(await replaced.tick(), 'idle');
  assert.equal(await readFile(at('daily.json'), 'utf8'), 'the next one');
  await rm(at('daily.json'));

  await writeFile(at('1.json'), fileOf(first));
  await Promise.all([watcher.tick(), createFolderWatcher(deps()).tick()]);
  await watcher.tick();
  assert.deepEqual(await listed('done'), [...done, '2-1.json', '2-1.json.txt'].toSorted());
  assert.deepEqual(await more(), [3, 3, 3, 3, 3]);
  await gateway.runUntilIdle();
});

/** The bank, but while it reads a file somebody writes another one there. */
function replacing(path: string, text: string): Connector & { readonly documents: DocumentReader } {
  const bank = createFileBank();
  const { read } = bank.documents as DocumentReader;
  return {
    ...bank,
    documents: {
      async read(bytes, known) {
        await writeFile(path, text);
        return read(bytes, known);
      },
    },
  };
}

/** As a browser sends the form. */
async function upload(person: Visitor, bytes: Buffer | null, fileName = 'march.json') {
  const body = new FormData();
  body.set('form', `form-${++numbers}`);
  if (bytes) body.set('file', new Blob([new Uint8Array(bytes)]), fileName);
  const answer = await fetch(new URL('/operator/bank', gateway.url), {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { cookie: `quittance-session=${person.cookie('quittance-session')}`, 'sec-fetch-site': 'same-origin' },
  });
  return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() };
}

test('staff bring a file at a page, see what was accepted, and read there why one is refused', async () => {
  const operator = await world.staff('operator', 'ops@operator.example');
  const viewer = await world.staff('viewer', 'eyes@operator.example');
  const statement = nextDay({ text: 'For <b>order</b> 7', cents: 123_456 }, { text: 'the month', cents: -5 });
  const answer = await upload(operator, fileOf(statement));
  assert.equal(answer.status, 303);
  assert.match(answer.location, /^\/operator\/bank\/SEPA\/brought\/[a-z0-9]{12}$/);
  await gateway.runUntilIdle();
  assert.match((await operator.get(answer.location)).text, /What march\.json brought.*Matched nobody.*Fees/s);
  const list = (await operator.get('/operator/bank')).text;
  assert.match(list, /1 × payment in: €1,234\.56/);
  assert.match(list, /<a href="\/operator\/bank" data-go="b"/);
  const link = /href="(\/operator\/bank\/SEPA\/\d+)">/.exec(list)?.[1] ?? '';
  const document = (await viewer.get(link)).text;
  assert.match(document, /For &lt;b&gt;order&lt;\/b&gt; 7/);
  assert.match(document, /march\.json<\/a>, uploaded here/);
  assert.match((await operator.get('/operator/audit')).text, /Imported march\.json: documents of SEPA/);

  const known = await upload(operator, fileOf(statement));
  assert.match((await operator.get(known.location)).text, /Nothing in the file is new/);
  const refused = await upload(operator, Buffer.from('%PDF'));
  assert.equal(refused.status, 422);
  assert.match(refused.text, /role="alert">.*This is no file of a bank\./s);
  assert.match((await upload(operator, null)).text, /Choose a file of the bank first: a statement/);
  assert.match((await upload(operator, Buffer.alloc(0))).text, /The file is empty: get it from the bank again\./);
  assert.equal((await upload(viewer, fileOf(nextDay()))).status, 403);
  days -= 1;
  assert.doesNotMatch((await viewer.get('/operator/bank')).text, /type="file"/);
  assert.equal((await upload(world.visitor(), Buffer.alloc(500_000)).catch(() => ({ status: 413 }))).status, 413);
  gateway.clock.advance({ minutes: 6 });
  assert.equal((await upload(operator, fileOf(statement))).status, 403, 'an old proof is not enough');
  assert.equal((await operator.get('/operator/bank/SEPA/999999')).status, 404);
  await gateway.runUntilIdle();
});

test('nobody changes what a bank told, and no position is left out', async () => {
  for (const table of ['bank_file', 'bank_document', 'bank_record'])
    await assert.rejects(gateway.db.script(`delete from ${table}`), /never changed/);
  await assert.rejects(
    gateway.db.script(
      `insert into bank_document select network, position + 100, digest || 'x', name || 'x', kind, document_time, told,
         file_id, record_count, kinds, asset_code, scale, closing_units from bank_document limit 1`,
    ),
    /next position/,
  );
});
