/** What the bank writes: every statement adds up in every form, any split says the same, and mischief is what it says. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { Party } from '@quittance/server/networks/families/bank/bank-statement';
import { readBankFile } from '@quittance/server/networks/families/bank/read-bank-file';
import { findPainSchema, hasXmllint, schemaComplaints } from '@quittance/server/test/xmllint';
import fc from 'fast-check';
import { type Entry, sumOf } from './bank-entry.ts';
import { customers, dollarAccount, euroAccount, overseasCustomer, strangersIban } from './bank-parties.ts';
import { bankStyles } from './bank-styles.ts';
import { type Bank, busyBank, openBank } from './busy-bank.ts';
import { manglings } from './mangle-text.ts';
import { childrenOf, readXml, textAt } from './read-xml.ts';
import { type CamtVersion, camtVersions, type MessageKind, messageKinds } from './statement-content.ts';
import { type MischiefName, statementMischief } from './statement-mischief.ts';
import { splitStatement, writeFiles } from './write-statement.ts';
import { bookedUnits, readWritten, signedAmount, type WrittenStatement } from './written-statement.ts';

const entriesOf = ({ ledger }: Bank): readonly Entry[] => ledger.books.get(euroAccount.iban)?.entries ?? [];

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 160 }),
  fc.constantFrom('RF18 5390 0754 7034', ':86:-?20&<>"', 'Überweisung für Łódź €', '-}\r\n:61:'),
);
const units = fc.bigInt({ min: 1n, max: 10_000_000n });

type Step = (bank: Bank) => unknown;
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc
    .record({
      units,
      text: texts,
      from: fc.constantFrom(...customers),
      by: fc.constantFrom('sepa' as const, 'instant' as const),
      booked: fc.constantFrom('at once' as const, 'next day' as const, 'late' as const),
      mangled: fc.constantFrom(...(Object.keys(manglings) as (keyof typeof manglings)[])),
    })
    .map(
      (payment): Step =>
        (bank) =>
          bank.pay(payment),
    ),
  fc.array(fc.record({ units, text: texts }), { minLength: 1, maxLength: 5 }).map(
    (many): Step =>
      (bank) =>
        bank.payTogether(many),
  ),
  units.map(
    (amount): Step =>
      (bank) =>
        bank.charge(amount),
  ),
  units.map(
    (amount): Step =>
      (bank) =>
        bank.debit(amount),
  ),
  units.map(
    (amount): Step =>
      (bank) =>
        bank.payInterest(-amount),
  ),
  fc.nat(1_000).map(
    (at): Step =>
      (bank) => {
        const entries = entriesOf(bank);
        const entry = entries[at % Math.max(1, entries.length)];
        if (entry) bank.correct(entry.id);
      },
  ),
  fc.integer({ min: 1, max: 60 }).map(
    (hours): Step =>
      (bank) =>
        bank.advance(hours),
  ),
);

const forms = fc.record({
  kind: fc.constantFrom<MessageKind>(...messageKinds),
  styleName: fc.constantFrom(...Object.keys(bankStyles)),
  version: fc.constantFrom<CamtVersion>(...camtVersions),
});

/** What is booked, of a bank whose corrections are on this side. */
const booked = (statements: readonly WrittenStatement[], isOriginalSide: boolean): bigint[] =>
  statements.flatMap(({ entries }) =>
    entries.filter(({ status }) => status === 'BOOK').map((entry) => bookedUnits(entry, isOriginalSide)),
  );

const isOriginalSide = (kind: MessageKind, styleName: string): boolean =>
  kind !== 'mt940' && bankStyles[styleName]?.reversalSide === 'original';

function assertAddsUp(statements: readonly WrittenStatement[], kind: MessageKind, side: boolean): void {
  let last: bigint | null = null;
  for (const statement of statements) {
    assert.equal(statement.iban, euroAccount.iban);
    if (kind === 'camt.054') continue;
    assert.ok(statement.opening !== null && statement.closing !== null);
    const sum = booked([statement], side).reduce((total, each) => total + each, 0n);
    assert.equal(statement.opening + sum, statement.closing);
    if (last !== null) assert.equal(statement.opening, last);
    last = statement.closing;
  }
}

test('every statement adds up, in every form, and begins where the one before ended', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 14 }), forms, fc.nat(14), (deeds, form, middle) => {
      const bank = openBank();
      const side = isOriginalSide(form.kind, form.styleName);
      const statements: WrittenStatement[] = [];
      for (const [at, deed] of deeds.entries()) {
        deed(bank);
        if (at === middle) statements.push(...readWritten(bank.statement(form).files));
      }
      statements.push(...readWritten(bank.statement(form).files));
      assertAddsUp(statements, form.kind, side);
      assert.deepEqual(
        booked(statements, side),
        entriesOf(bank).map((entry) => entry.units),
      );
      // Nothing is new.
      assert.deepEqual(booked(readWritten(bank.statement(form).files), side), []);
    }),
    { numRuns: 60 },
  );
});

test('however a statement is split, paged or packed, the bookings are the same', () => {
  fc.assert(
    fc.property(
      fc.array(steps, { minLength: 2, maxLength: 14 }),
      forms,
      fc.integer({ min: 1, max: 5 }),
      (deeds, form, each) => {
        const bank = openBank();
        for (const deed of deeds) deed(bank);
        const side = isOriginalSide(form.kind, form.styleName);
        const whole = readWritten(bank.statement(form).files);
        for (const name of ['repeat', 'split', 'pages', 'zip'] as const) {
          const other = readWritten(bank.mischief(name).files);
          assertAddsUp(other, form.kind, side);
          assert.deepEqual(booked(other, side), booked(whole, side), name);
        }
        const style = bankStyles['plain'];
        const account = bank.ledger.books.get(euroAccount.iban);
        assert.ok(style && account);
        const day = '2026-11-18';
        const { entries } = account;
        const all = {
          id: 'S',
          number: 1,
          account: euroAccount,
          day,
          opening: 0n,
          closing: sumOf(entries),
          entries,
          pending: [],
          page: null,
        };
        const parts = splitStatement(all, each);
        const files = parts.map((part) => ({ messageId: part.id, issuedAt: new Date(0), statements: [part] }));
        const split = readWritten(writeFiles({ kind: 'camt.053', version: '08', style }, files));
        assertAddsUp(split, 'camt.053', false);
        assert.deepEqual(
          booked(split, false),
          entries.map((entry) => entry.units),
        );
      },
    ),
    { numRuns: 25 },
  );
});

test('the schemas that others have of notices have nothing against ours', (context) => {
  const known = findPainSchema();
  const schemaOf = (version: string): string => join(dirname(known ?? ''), `camt.054.001.${version}.xsd`);
  if (known === undefined || !hasXmllint() || !existsSync(schemaOf('04'))) {
    assert.notEqual(process.env['CI'], 'true', 'tryton-modules-account-payment-sepa must be there where CI=true');
    context.skip('there is no schema of camt.054: apt-get install libxml2-utils tryton-modules-account-payment-sepa');
    return;
  }
  const account = dollarAccount.iban;
  for (const version of ['02', '04'] as const) {
    const bank = busyBank();
    bank.pay({ account, units: 10_000n, bearer: 'BEN' });
    const documents = Object.keys(bankStyles).flatMap((styleName) => {
      const { id } = bank.statement({ kind: 'camt.054', version, styleName });
      const dollars = bank.statement({ account, kind: 'camt.054', version, styleName });
      bank.pay({ units: 1_999n, text: 'x'.repeat(140), reference: 'RF18539007547034' });
      bank.pay({ account, units: 10_000n });
      return [...bank.mischief('pages', id).files, ...bank.mischief('pages', dollars.id).files];
    });
    const readable = documents.map(({ bytes }) => textOf(bytes));
    assert.ok(readable.length > 14);
    assert.equal(schemaComplaints(readable, schemaOf(version)), '', version);
    const [first = ''] = readable;
    assert.match(schemaComplaints([first.replace(/<Sts>BOOK<\/Sts>/, '')], schemaOf(version)), /fails to validate/);
  }
});

/** In the encoding in which a test writes files. */
function textOf(bytes: Buffer): string {
  const text =
    bytes[0] === 0xff
      ? bytes.toString('utf16le').slice(1)
      : bytes.toString(/ISO-8859-1/.test(bytes.toString('latin1', 0, 60)) ? 'latin1' : 'utf8');
  return text.replace(/^\u{feff}/u, '').replace(/encoding="[^"]+"/, 'encoding="UTF-8"');
}

test('versions differ as the standard has it', () => {
  const entryIn = (version: CamtVersion) => {
    const bank = busyBank();
    const [file] = bank.statement({ version }).files;
    assert.ok(file);
    const document = readXml(file.bytes);
    assert.equal(document.namespace, `urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}`);
    const [entry] = readWritten([file])[0]?.entries.slice(1) ?? [];
    return entry?.node ?? null;
  };
  const facts = camtVersions.map((version) => {
    const entry = entryIn(version);
    const detail = (...way: string[]) => textAt(entry, 'NtryDtls', 'TxDtls', ...way);
    return [
      textAt(entry, 'Sts') === 'BOOK',
      textAt(entry, 'Sts', 'Cd') === 'BOOK',
      detail('RltdPties', 'Dbtr', 'Nm') !== null,
      detail('RltdPties', 'Dbtr', 'Pty', 'Nm') !== null,
      detail('RltdAgts', 'DbtrAgt', 'FinInstnId', 'BIC') !== null,
      detail('RltdAgts', 'DbtrAgt', 'FinInstnId', 'BICFI') !== null,
      detail('Amt') !== null,
      detail('AmtDtls', 'TxAmt', 'Amt') !== null,
    ]
      .map(Number)
      .join('');
  });
  assert.deepEqual(facts, ['10101001', '10100110', '10100110', '01010110', '01010110']);
});

test('banks differ in what they tell', () => {
  const entriesBy = (styleName: string) => {
    const files = busyBank().statement({ styleName }).files;
    return {
      files,
      statements: readWritten(files),
      nodes: readWritten(files).flatMap(({ entries }) => entries.map(({ node }) => node)),
    };
  };
  const sparkasse = entriesBy('sparkasse');
  assert.match(sparkasse.files[0]?.name ?? '', /\.zip$/);
  assert.equal(sparkasse.statements.length, 2); // Days.
  assert.equal(new Set(sparkasse.statements[0]?.entries.map(({ node }) => textAt(node, 'AcctSvcrRef'))).size, 1);

  const deutsche = entriesBy('deutsche');
  assert.match(deutsche.files[0]?.bytes.toString('latin1') ?? '', /encoding="ISO-8859-1".*Rheinische/s);
  assert.equal(textAt(deutsche.nodes[2] ?? null, 'AcctSvcrRef'), 'NONREF');
  assert.equal(
    deutsche.nodes[2]?.children.some(({ name }) => name === 'NtryDtls'),
    false,
  );

  const rabobank = entriesBy('rabobank');
  assert.deepEqual([rabobank.files.length, rabobank.statements.length], [1, 2]);
  const together = childrenOf(childrenOf(rabobank.nodes[2] ?? null, 'NtryDtls')[0] ?? null, 'TxDtls');
  assert.equal(together.length, 4);
  assert.equal(
    together.every((each) => textAt(each, 'AmtDtls', 'TxAmt', 'Amt') === null),
    true,
  );

  const wise = entriesBy('wise');
  assert.match(wise.files[0]?.bytes.toString() ?? '', /<!-- Overseas Pocket Ltd -->/);
  assert.match(
    textAt(wise.nodes[1] ?? null, 'AddtlNtryInf') ?? '',
    /^Received money from Änne .* RF18539007547034 Rechnung 7/,
  );
  assert.equal(textAt(wise.nodes[1] ?? null, 'NtryDtls', 'TxDtls', 'RmtInf', 'Ustrd'), null);

  const nordic = entriesBy('nordic');
  assert.ok(nordic.files.length > 2);
  assert.match(nordic.files[0]?.bytes.toString('utf16le') ?? '', /<ns2:Document xmlns:ns2=.*>00010000\.00</s);
  assert.deepEqual(
    nordic.statements.map(({ page }) => page?.number),
    nordic.statements.map((_, at) => at + 1),
  );
  assert.deepEqual(nordic.statements.map(({ page }) => page?.isLast).slice(-2), [false, true]);

  const details = childrenOf(childrenOf(entriesBy('plain').nodes[2] ?? null, 'NtryDtls')[0] ?? null, 'TxDtls');
  assert.deepEqual(details.map(signedAmount), [1n, 2n, 3n, 4n]);
});

test('who pays from where there are no IBANs is told by the number of the account, and where they live', async () => {
  for (const version of camtVersions) {
    const bank = openBank();
    bank.pay({ account: dollarAccount.iban, units: 12_500n, bearer: 'OUR' });
    const [file] = bank.statement({ account: dollarAccount.iban, version }).files;
    const read = await readBankFile(file?.bytes ?? Buffer.alloc(0));
    const payers: Party[] = [];
    for await (const { entry } of read.entries()) payers.push(...entry.details.map(({ payer }) => payer));
    const { number = '', address, name, bic } = overseasCustomer;
    assert.deepEqual(
      payers.map((payer) => [
        payer.name,
        payer.iban,
        payer.other,
        payer.bic,
        payer.address?.town,
        payer.address?.country,
      ]),
      [[name, null, number, bic, address?.town, address?.country]],
      version,
    );
  }
});

test('an MT940 has lines of 65 characters, with fields or free, and no text becomes one of its fields', () => {
  for (const styleName of ['plain', 'rabobank']) {
    const bank = openBank();
    bank.pay({ units: 123_456n, text: `${':'.repeat(70)}-:61:?20${'-'.repeat(50)}`, endToEndId: 'NR-9' });
    bank.correct(bank.pay({ units: 7n }));
    const text = bank.statement({ kind: 'mt940', styleName }).files[0]?.bytes.toString('latin1') ?? '';
    const lines = text.split('\r\n');
    assert.ok(lines.every((line) => line.length <= 65));
    const tags = lines.filter((line) => /^[:-]/.test(line)).map((line) => /^:\w+:|^-$/.exec(line)?.[0]);
    const entry = [':61:', ':86:'];
    assert.deepEqual(tags, [':20:', ':25:', ':28C:', ':60F:', ...entry, ...entry, ...entry, ':62F:', '-']);
    assert.match(text, /^:61:2611181118C1234,56NTRFNR-9/m);
    assert.match(text, /^:61:2611181118RC0,07NTRF/m);
    assert.match(
      lines.join(''),
      styleName === 'plain' ? /:86:166\?00SEPA-GUTSCHRIFT\?100000\?20EREF\+NR-9\?21SVWZ\+/ : /:86:\/EREF\/NR-9\/NAME\//,
    );
  }
});

/** The last statement of what was written, if all of it adds up. */
function busyBankSays(styleName: string, kind: MessageKind, name: MischiefName): WrittenStatement {
  const bank = busyBank();
  const { id } = bank.statement({ styleName, kind });
  const statements = readWritten(bank.mischief(name, id).files);
  assertAddsUp(statements, kind, isOriginalSide(kind, styleName));
  const last = statements.at(-1);
  assert.ok(last);
  return last;
}

test('mischief spoils what it says, and the rest is as it was', () => {
  const bank = busyBank();
  const { id, files } = bank.statement();
  const [right] = readWritten(files);
  assert.ok(right);
  const after = (name: MischiefName): WrittenStatement[] => readWritten(bank.mischief(name, id).files);
  assert.deepEqual(bank.mischief('repeat', id).files, files);
  assert.equal(after('wrongClosing')[0]?.closing, (right.closing ?? 0n) + 1n);
  assert.equal(after('wrongOpening')[0]?.opening, (right.opening ?? 0n) + 100n);
  assert.equal(after('otherAccount')[0]?.iban, strangersIban);
  assert.equal(textAt(after('otherCurrency')[0]?.entries[0]?.node ?? null, 'Amt'), '10000.00');
  assert.equal(after('leaveEntryOut')[0]?.entries.length, right.entries.length - 1);
  assert.deepEqual(booked(after('reorder'), false), booked([right], false).toReversed());
  assert.equal(after('alter')[0]?.id, right.id);
  assert.notDeepEqual(bank.mischief('alter', id).files[0]?.bytes, files[0]?.bytes);
  assert.deepEqual(
    after('pages').map(({ page }) => page),
    [1, 2, 3].map((number) => ({ number, isLast: number === 3 })),
  );
  assert.deepEqual(
    after('leavePageOut').map(({ page }) => page?.number),
    [1, 3],
  );
  assert.deepEqual(
    after('reorderFiles').map(({ page }) => page?.number),
    [3, 2, 1],
  );
  assert.ok(after('split').length === 2 && after('split').every(({ page }) => page === null));
  for (const name of ['entityBomb', 'cutOff'] as const) assert.throws(() => after(name), name);
  const [bomb] = bank.mischief('entityBomb', id).files;
  assert.match(bomb?.bytes.toString() ?? '', /<!DOCTYPE.*<MsgId>&l10;/s);
  // Whatever the form, also in pages.
  for (const styleName of Object.keys(bankStyles))
    for (const kind of ['camt.053', 'mt940'] as const) {
      const { id: name } = busyBankSays(styleName, kind, 'repeat');
      assert.ok(name);
      assert.throws(() => busyBankSays(styleName, kind, 'wrongClosing'), assert.AssertionError, `${styleName} ${kind}`);
    }
  // Of every form there is every mischief.
  for (const styleName of Object.keys(bankStyles))
    for (const kind of messageKinds) {
      const made = bank.statement({ styleName, kind });
      for (const name of Object.keys(statementMischief) as MischiefName[])
        assert.ok(
          name === 'leavePageOut' || bank.mischief(name, made.id).files.length > 0,
          `${styleName} ${kind} ${name}`,
        );
    }
});
