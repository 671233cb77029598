/** A bank that sends a notice of each payment sends a hundred thousand: none of them is read to take the next message. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownDocuments } from '../src/bank-files/document-store.ts';
import { importBankFile } from '../src/bank-files/import-bank-file.ts';
import type { Tx } from '../src/db/database.ts';
import { present } from '../src/lib/assert.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import type { Connector } from '../src/networks/port/connector.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { type MessageKind, openStatementBank, ourIban } from './networks/statement-bank.ts';

const notices = 5_000;

async function accept({ db, clock }: Gateway, connector: Connector, bytes: Uint8Array): Promise<void> {
  const connectors = new Map([['SEPA', connector]]);
  const encryption = createEncryption(Buffer.alloc(32, 7));
  const deps = { db, clock, encryption, connectors, bankFileBytesMax: 10_000_000 };
  const file = { network: 'SEPA', fileName: 'bank.xml', bytes, way: 'COMMAND', actor: 'operator' } as const;
  await importBankFile(deps, { ...file, begin: db.begin });
}

/** As many more like the last one, each with a number of its own, of which PostgreSQL knows. */
async function multiply(tx: Tx): Promise<void> {
  await tx`
    insert into bank_document
    select (jsonb_populate_record(bank_document, jsonb_build_object('position', position + n, 'digest', digest || n, 'name', name || n,
             'told', told::jsonb || jsonb_build_object('sequence', (1000 + n)::text, 'content', 'content ' || n)))).*
      from bank_document, generate_series(1, ${notices}) n
     where position = (select max(position) from bank_document) order by n`;
  await tx`analyze bank_document`;
}

async function rowsRead(tx: Tx): Promise<number> {
  const [row] = await tx<{ rows: number }>`
    select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::integer as rows
      from pg_stat_xact_user_tables where relname = 'bank_document'`;
  return present(row, 'the table').rows;
}

for (const [what, from, next] of [
  ['a notice where notices credit', 'camt.054', 'camt.054'],
  ['a statement where notices were only shown', 'camt.053', 'camt.053'],
  ['a statement that credits after thousands of notices did', 'camt.054', 'camt.053'],
] as const)
  test(`of thousands of notices few are read to take ${what}`, async (t) => {
    const env = { ...withoutLitecoin, SEPA_IBAN: ourIban, SEPA_ACCOUNT_NAME: 'Shop AG' };
    const gateway = await startGateway({ now: '2026-03-02T12:00:00.000Z', env });
    t.after(() => gateway.stop());
    const bank = openStatementBank({ now: gateway.clock.now });
    const told = (kind: MessageKind, opening = 0n): Uint8Array =>
      bank.write(kind, [bank.entryOf({ cents: 1_000n, text: 'nobody' })], opening);
    const hasStatement = from === 'camt.053';
    if (hasStatement) await accept(gateway, bank.createConnector(from), told('camt.053'));
    await accept(gateway, bank.createConnector(from), told('camt.054'));
    const undone = new Error('nothing of this stays');
    const measured = gateway.db.begin(async (tx) => {
      await multiply(tx);
      gateway.clock.advance({ hours: 24 });
      const { documents } = bank.createConnector(next);
      const bytes = told(next, hasStatement ? 1_000n : 0n);
      // Often enough for PostgreSQL to plan without looking at what is asked for.
      for (let time = 1; time <= 8; time += 1) {
        const before = await rowsRead(tx);
        const read = (await documents?.read(bytes, knownDocuments(tx, 'SEPA'))) ?? [];
        for (const document of read) for await (const _ of document.records());
        assert.equal(read.length, 1);
        const rows = (await rowsRead(tx)) - before;
        assert.ok(rows < 50, `${rows} rows read at the ${time}. time`);
      }
      throw undone;
    });
    await assert.rejects(measured, undone);
  });
