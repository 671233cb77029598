/** Whatever statement a bank could write is read back as it was; whatever bytes there are, nothing but a refusal comes of them. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { bankFileLimits } from '../src/networks/families/bank/bank-file-limits.ts';
import type { BankEntry } from '../src/networks/families/bank/bank-statement.ts';
import { checkStatements } from '../src/networks/families/bank/check-statement.ts';
import { countOrdinals, identityOf, likenessOf } from '../src/networks/families/bank/detail-identity.ts';
import { type BankFile, readBankFile } from '../src/networks/families/bank/read-bank-file.ts';
import { DocumentRefused } from '../src/networks/port/documents.ts';
import { startCpuStopwatch } from './cpu-stopwatch.ts';
import {
  type CamtForm,
  closingOf,
  entryUnits,
  type WrittenDetail,
  type WrittenEntry,
  type WrittenStatement,
  writeCamt,
  writeMt940,
} from './write-bank-statement.ts';

const iban = 'DE67500502011234567890';
const payers = ['DE22200411110123456789', 'AT611904300234573201', 'NL91ABNA0417164300'];

/** Texts without spaces at their ends, which banks trim. */
const text = (chars: string, maxLength: number) =>
  fc
    .string({ unit: fc.constantFrom(...Array.from(chars)), minLength: 1, maxLength })
    .map((each) => `x${each.replaceAll(/\s/g, ' ')}y`);
const anyText = text('abcXYZ012 <>&"\'äß€ч?+/-:😀', 60);
const id = text('ABC012-', 20).map((each) => each.toUpperCase());

const detail = (written: fc.Arbitrary<string>): fc.Arbitrary<WrittenDetail> =>
  fc.record({
    units: fc.bigInt({ min: 1n, max: 10n ** 12n }),
    endToEndId: fc.option(id),
    txId: fc.option(id),
    name: written,
    iban: fc.constantFrom(...payers),
    bic: fc.constant('COBADEFFXXX'),
    references: fc.array(id, { maxLength: 2 }),
    texts: fc.array(written, { maxLength: 3 }),
  });

const day = fc.constantFrom('2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02');
const entry = (details: fc.Arbitrary<readonly WrittenDetail[]>): fc.Arbitrary<WrittenEntry> =>
  fc.record({
    direction: fc.constantFrom('credit', 'debit'),
    isReversal: fc.boolean(),
    status: fc.constantFrom('BOOK', 'BOOK', 'PDNG', 'INFO'),
    bookingDay: day,
    valueDay: day,
    servicerRef: fc.option(id),
    text: fc.option(anyText),
    details,
  });
const statementOf = (entries: fc.Arbitrary<WrittenEntry>): fc.Arbitrary<WrittenStatement> =>
  fc.record({
    id,
    sequence: fc.integer({ min: 1, max: 999 }),
    iban: fc.constant(iban),
    currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
    opening: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
    entries: fc.array(entries, { maxLength: 6 }),
  });
const anyStatement = statementOf(entry(fc.array(detail(anyText), { minLength: 1, maxLength: 3 })));
const form: fc.Arbitrary<CamtForm> = fc.record({
  kind: fc.constantFrom('camt.052', 'camt.053', 'camt.054'),
  version: fc.integer({ min: 2, max: 13 }),
  prefix: fc.constantFrom('', 'ns:', 'Doc:'),
  isPretty: fc.boolean(),
  reversalsAreTurned: fc.boolean(),
});

async function entriesOf(file: BankFile): Promise<BankEntry[]> {
  const entries: BankEntry[] = [];
  for await (const each of file.entries()) entries.push(each.entry);
  return entries;
}

/** What must be the same on both sides. */
const asWritten = (each: WrittenEntry) => ({
  direction: each.direction,
  units: entryUnits(each),
  isReversal: each.isReversal,
  status: each.status,
  days: [each.bookingDay, each.valueDay],
  details: each.details.map((one) => [one.units, one.endToEndId, one.name, one.iban, one.bic, one.texts]),
});
const asRead = (each: BankEntry) => ({
  direction: each.direction,
  units: each.units,
  isReversal: each.isReversal,
  status: each.status,
  days: [each.bookingDay, each.valueDay],
  details: each.details.map((one) => {
    const party = one.payer.iban === null ? one.payee : one.payer;
    return [one.units, one.endToEndId, party.name, party.iban, party.bic, one.texts];
  }),
});

const reversedSum = ({ entries }: WrittenStatement): bigint =>
  entries
    .filter(({ isReversal, status }) => isReversal && status === 'BOOK')
    .reduce((sum, each) => sum + (each.direction === 'credit' ? entryUnits(each) : -entryUnits(each)), 0n);

test('a statement in any version of camt reads back as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(anyStatement, form, async (statement, written) => {
      // Without balances nobody knows what the mark of a reversal means.
      const isProven = written.kind !== 'camt.054' && reversedSum(statement) !== 0n;
      const used = isProven ? written : { ...written, reversalsAreTurned: false };
      const file = await readBankFile(Buffer.from(writeCamt(statement, used)));
      assert.deepEqual((await entriesOf(file)).map(asRead), statement.entries.map(asWritten));
      const [read] = file.statements;
      const account = { iban, others: [], currency: statement.currency };
      checkStatements(file.statements, account, { units: statement.opening, day: null });
      if (written.kind === 'camt.054') return;
      assert.deepEqual([read?.opening?.units, read?.closing?.units], [statement.opening, closingOf(statement)]);
      const wrong = file.statements.map((each) => ({ ...each, booked: each.booked + 1n }));
      assert.throws(() => checkStatements(wrong, account, null), /bookings are missing or there twice/);
    }),
    { numRuns: 60 },
  );
});

test('so does an MT940, bare or in an envelope', async () => {
  const plain = text('abcXYZ012 +-/.', 40);
  const one = detail(plain).map((each) => ({ ...each, references: [], txId: null, texts: each.texts.slice(0, 1) }));
  const statements = statementOf(
    entry(fc.tuple(one)).map((each) => ({ ...each, status: 'BOOK' as const, text: null })),
  );
  await fc.assert(
    fc.asyncProperty(statements, fc.boolean(), async (statement, isInEnvelope) => {
      const file = await readBankFile(Buffer.from(writeMt940(statement, isInEnvelope)));
      assert.deepEqual((await entriesOf(file)).map(asRead), statement.entries.map(asWritten));
      checkStatements(file.statements, { iban, others: [], currency: statement.currency }, null);
    }),
    { numRuns: 60 },
  );
});

/** Identities of documents that are read one after another, as they are accepted. */
function identitiesOf(documents: readonly (readonly BankEntry[])[]): string[] {
  const known = new Map<string, number>();
  return documents.flatMap((entries) => {
    const next = countOrdinals(known);
    const likenesses = entries.flatMap((each) => each.details.map((one) => likenessOf(iban, each, one)));
    const identities = likenesses.map((likeness) => identityOf(likeness, next(likeness)));
    assert.deepEqual(
      likenesses.map(
        (
          (again) => (likeness: string) =>
            identityOf(likeness, again(likeness))
        )(countOrdinals(known)),
      ),
      identities, // The same document again, after the same ones, is the same.
    );
    for (const likeness of likenesses) known.set(likeness, (known.get(likeness) ?? 0) + 1);
    return identities;
  });
}

test('however a day is split over documents, its bookings are the same, and equal ones are several', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyStatement,
      form,
      fc.array(fc.nat({ max: 12 }), { maxLength: 4 }),
      async (some, written, cuts) => {
        // Every booking is there twice.
        const statement = { ...some, entries: [...some.entries, ...some.entries] };
        const entries = await entriesOf(
          await readBankFile(Buffer.from(writeCamt(statement, { ...written, reversalsAreTurned: false }))),
        );
        const whole = identitiesOf([entries]);
        assert.equal(new Set(whole).size, whole.length);
        const places = [0, ...cuts.sort((a, b) => a - b), entries.length];
        const parts = places.slice(1).map((end, number) => entries.slice(places[number], end));
        assert.deepEqual(new Set(identitiesOf(parts)), new Set(identitiesOf([parts.flat()])));
        assert.deepEqual(identitiesOf([entries.toReversed()]).sort(), whole.sort());
      },
    ),
    { numRuns: 40 },
  );
});

test('nothing that is written to be slow is slow', async () => {
  const stopwatch = startCpuStopwatch();
  const slashes = `/EREF/${'/'.repeat(18_000)}x`;
  const spaces = `166?20${' '.repeat(9_000)}${'?20'.repeat(3_000)}`;
  const booking = (text: string): string => `:61:260302C1,NTRFNONREF\n:86:${text}\n`;
  const body = `${booking(slashes)}${booking(spaces)}`.repeat(100);
  const mt940 = `:20:X\n:25:${iban}${' '.repeat(10_000)}x\n:28C:1\n:60F:C260302EUR0,\n${body}:62F:C260302EUR200,\n`;
  assert.equal((await entriesOf(await readBankFile(Buffer.from(mt940)))).length, 200);
  const comments = Buffer.from(`<a>${'<!--'.repeat(500_000)}`);
  await assert.rejects(readBankFile(comments), DocumentRefused);
  assert.ok(stopwatch() < 15_000, `${stopwatch()} ms`);
});

test('damaged bytes are read or refused with a sentence, and nothing else happens', async () => {
  const folder = new URL('./vectors/bank/', import.meta.url);
  const names = await readdir(folder);
  const files = await Promise.all(names.map((name) => readFile(new URL(name, folder))));
  const zips = files.map((bytes) => Buffer.from(zipSync({ 'a.xml': bytes })));
  const damage = fc.array(
    fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 255 }), fc.constantFrom('set', 'cut', 'add')),
    {
      minLength: 1,
      maxLength: 6,
    },
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...files, ...zips), damage, async (bytes, changes) => {
      let damaged = Buffer.from(bytes);
      for (const [where, byte, how] of changes) {
        const at = Math.floor(where * damaged.length);
        if (how === 'set') damaged[at] = byte;
        else
          damaged = Buffer.concat([
            damaged.subarray(0, at),
            how === 'add' ? Buffer.alloc(1, byte) : Buffer.alloc(0),
            damaged.subarray(at + (how === 'cut' ? byte : 0)),
          ]);
      }
      try {
        const file = await readBankFile(damaged, { ...bankFileLimits, bytesMax: 1_000_000 });
        await entriesOf(file);
        for await (const _ of file.answers());
        checkStatements(file.statements, { iban, others: [], currency: 'EUR' }, null);
      } catch (error) {
        assert.ok(error instanceof DocumentRefused, error instanceof Error ? error.stack : String(error));
        assert.match(error.message, /^[A-Z“][^\n]{10,}\.$/);
      }
    }),
    { numRuns: 400 },
  );
});
