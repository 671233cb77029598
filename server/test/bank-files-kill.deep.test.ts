/**
 * Death at any point while a file of a bank is brought by command, by the folder or at a page, is read, accepted and told to the
 * shop it paid (see die-everywhere); and a file with as many bookings as a large shop has in a day.
 */
import assert from 'node:assert/strict';
import fs, { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import { newFormName } from '../src/account/frame/send-once.ts';
import type { App } from '../src/app.ts';
import { findBankOrder } from '../src/bank-files/bank-order-store.ts';
import { readDocuments } from '../src/bank-files/document-store.ts';
import { importBankFile } from '../src/bank-files/import-bank-file.ts';
import { orderImport } from '../src/bank-files/import-ordered.ts';
import type { Db } from '../src/db/database.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { accountsAt, sessionCookie } from './account-world.ts';
import { assertHappenedOnce, dieEverywhere, noteMovedOutside, type Step, watchAll, workAll } from './die-everywhere.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { createFileBank, fileOf, sumOf } from './networks/file-bank.ts';
import { openShop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({
    env: withoutLitecoin,
    hasAccount: true,
    furtherNetworks: () => [createFileBank({ recordsMost: 2 })],
  });
});
after(() => gateway.stop());

/** So many files were brought, and so much lies there. */
let [brought, balance] = [0, 0];

/** A checkout, and a statement that pays for it and has fees, which nobody has brought yet. */
async function statementThatPays() {
  const shop = await openShop(gateway);
  const { id } = await shop.open('60.00 EUR', 'SEPA');
  brought += 1;
  const name = new Date(Date.UTC(2025, 0, brought)).toISOString().slice(0, 10);
  const fees = [1, 2, 3].map((each) => ({ id: `fee-${brought}-${each}`, text: 'fee', cents: -each }));
  const bookings = [{ id: `paid-${brought}`, text: id, cents: 6_000 }, ...fees];
  const bytes = fileOf({ name, opening: balance, bookings });
  balance += 5_994;
  return { shop, id, name, bytes };
}

async function isPaidOnce({ shop, id }: Awaited<ReturnType<typeof statementThatPays>>): Promise<void> {
  await gateway.runUntilIdle();
  gateway.clock.advance({ seconds: 30 }); // What a dead worker was sending may still arrive.
  await gateway.runUntilIdle();
  assert.equal(await shop.state(id), 'COMPLETED');
  await assertHappenedOnce(gateway, id, {
    entries: ['payment_received', 'settlement'],
    events: ['CHECKOUT_COMPLETED'],
  });
  const [stored] = await gateway.db<{ counts: number[] }>`
    select array[(select count(*) from bank_file), (select count(*) from bank_file_piece),
                 (select count(*) from bank_document), (select count(*) from bank_record),
                 (select count(*) from bank_order_piece)]::integer[] as counts`;
  assert.deepEqual(stored?.counts, [brought, brought, brought, 4 * brought, 0]);
}

test('a file that is brought by command is accepted once and paid for once, whoever dies', async () => {
  const encryption = createEncryption(Buffer.from(gateway.env['MASTER_KEY'] ?? '', 'hex'));
  await dieEverywhere(
    gateway,
    {
      async begin() {
        const statement = await statementThatPays();
        const order = { network: 'SEPA', fileName: statement.name, bytes: statement.bytes };
        const orderId = await orderImport({ db: gateway.db, encryption }, order, gateway.clock.now());
        return { ...statement, orderId, position: brought };
      },
      live: [workAll, watchAll, workAll],
      async end(told) {
        await isPaidOnce(told);
        const outcome = (await findBankOrder(gateway.db, told.orderId))?.outcome;
        assert.ok(outcome && 'imported' in outcome);
        const documents = outcome.imported.documents.map(({ name, position, bookings }) => [name, position, bookings]);
        const accepted = [[told.name, told.position, 4]];
        assert.deepEqual(documents, accepted, 'whoever asked is told what became of it, not that it was known');
      },
    },
    { atLeast: 5 },
  );
});

test('a file in the folder is accepted once, paid for once and put aside, whoever dies', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-bank-'));
  context.after(() => rm(folder, { recursive: true }));
  // What it did on the disk is a point to die at as well: before its next deed there it asks the database for something.
  let dying: Db | null = null;
  for (const deed of ['rename', 'writeFile', 'rm'] as const) {
    const done = fs[deed] as (...args: unknown[]) => Promise<unknown>;
    mock.method(fs, deed, async (...args: unknown[]) => {
      const result = await done(...args);
      noteMovedOutside();
      if (dying) await dying`select`;
      return result;
    });
  }
  syncBuiltinESMExports();
  context.after(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
  });
  const at = (...path: string[]): string => join(folder, 'sepa', ...path);
  const look = async ({ followers }: App): Promise<void> => {
    for (const each of followers) await each.tick();
  };
  const lookAndDie: Step<unknown> = async (app, _, { db }) => {
    dying = db;
    await look(app);
  };
  const env = { BANK_FOLDER: folder };
  await gateway.restart(undefined, env);
  await dieEverywhere(
    gateway,
    {
      async begin() {
        const statement = await statementThatPays();
        await look(gateway.app);
        await writeFile(at(`${statement.name}.json`), statement.bytes);
        return statement;
      },
      live: [lookAndDie, lookAndDie, watchAll, workAll, lookAndDie],
      async end(told) {
        dying = null;
        await isPaidOnce(told);
        assert.deepEqual(await readdir(at()), ['done']);
        const done = await readdir(at('done'));
        assert.deepEqual(
          done.filter((each) => each.includes(told.name)),
          [`${told.name}.json`, `${told.name}.json.txt`],
        );
        assert.deepEqual(await readFile(at('done', `${told.name}.json`)), told.bytes);
      },
    },
    { atLeast: 11, env },
  );
});

test('a file that is uploaded is accepted once and paid for once, whoever dies, and however often it is sent', async () => {
  const world = accountsAt(gateway);
  const operator = await world.staff('operator', 'ops@operator.example');
  const upload = async (origin: string, { name, bytes, form }: { name: string; bytes: Buffer; form: string }) => {
    const body = new FormData();
    body.set('form', form);
    body.set('file', new Blob([new Uint8Array(bytes)]), name);
    const cookie = `${sessionCookie}=${operator.cookie(sessionCookie)}`;
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    return fetch(new URL('/operator/bank', origin), { method: 'POST', body, redirect: 'manual', headers });
  };
  await dieEverywhere(
    gateway,
    {
      async begin() {
        if ((await operator.prove()).status !== 200) await operator.signInWithPasskey();
        return { ...(await statementThatPays()), form: newFormName(gateway.clock.now()) };
      },
      live: [
        async ({ server }, told) => {
          const origin = await server.listen({ host: '127.0.0.1', port: 0 });
          try {
            assert.equal((await upload(origin, told)).status, 303);
          } finally {
            await server.close();
          }
        },
        watchAll,
        workAll,
      ],
      async end(told) {
        const again = await upload(gateway.url, told);
        assert.equal(again.status, 303);
        await isPaidOnce(told);
        const brought = await operator.get(again.headers.get('location') ?? '');
        assert.match(brought.text, new RegExp(`What ${told.name} brought|Nothing in the file is new`));
      },
    },
    { atLeast: 5, env: { ACCOUNT_URL: world.accountUrl } },
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
