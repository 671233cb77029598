/**
 * What a bank tells again in another form: downloaded anew under a new id, with other statements beside it, over a longer
 * time, or by another kind of message. Balances alone do not show it where as much left as came.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipSync } from 'fflate';
import { DocumentRefused } from '../../src/networks/port/documents.ts';
import { openStatementBank, type StatementBankOptions } from './statement-bank.ts';
import { createWatched } from './watched-connector.ts';

const id = 'k3x9ab72mq0z';

function open(options: StatementBankOptions = {}) {
  const bank = openStatementBank(options);
  const watched = createWatched(bank.createConnector(), bank.documents.context);
  watched.targets.add(id);
  return {
    bank,
    comes: (cents = 100n, servicerRef: string | null = null) => bank.entryOf({ cents, text: id, servicerRef }),
    leaves: () => bank.entryOf({ cents: -100n, text: 'to the other account' }),
    /** How much of it was credited. */
    async paid(): Promise<bigint[]> {
      await watched.observe();
      return [...watched.payments.values()].map(({ observation }) => observation.units);
    },
  };
}

const changed = (statement: Uint8Array, what: RegExp, into: string): Uint8Array => {
  const text = Buffer.from(statement).toString();
  assert.match(text, what);
  return Buffer.from(text.replace(what, into));
};
/** As banks write it that number nothing. */
const unnumbered = (statement: Uint8Array): Uint8Array =>
  changed(statement, /<ElctrncSeqNb>\d+<\/ElctrncSeqNb>/, '<CreDtTm>2026-03-02T20:00:00</CreDtTm>');
/** The same, downloaded again from a bank that makes up an id each time. */
const downloadedAnew = (statement: Uint8Array): Uint8Array =>
  changed(changed(statement, /<Id>camt/, '<Id>other-camt'), /T20:00:00/, 'T20:00:01');

const refusal = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof DocumentRefused, `it was not refused: ${String(error)}`);
  assert.equal(error.isEarly, false, 'in a folder it would wait for ever');
  return error.problem.code;
};

test('a statement with another time or message id is the same; with another booking it is not', async () => {
  const { bank, comes, paid } = open();
  const first = unnumbered(bank.write('camt.053', [comes()], 0n));
  await bank.bring(first);
  const again = changed(changed(first, /T20:00:00/, 'T21:15:00'), /MESSAGE/, 'MESSAGE-2');
  assert.deepEqual(await bank.bring(again), []);
  assert.equal(await refusal(bank.bring(changed(again, /Ada Payer/, 'Eve Payer'))), 'bank_statement_known');
  assert.deepEqual(await paid(), [100n]);
});

test('of a file that has more statements than the last one had, the rest is taken', async () => {
  const { bank, comes, paid } = open({ creditsFrom: 'mt940' });
  const monday = bank.write('mt940', [comes()], 0n);
  bank.pass(1);
  const tuesday = bank.write('mt940', [comes(7n)], 100n);
  bank.pass(1);
  const wednesday = bank.write('mt940', [comes(9n)], 107n);
  assert.equal((await bank.bring(Buffer.concat([monday, tuesday]))).length, 2);
  assert.equal((await bank.bring(Buffer.concat([monday, tuesday, wednesday]))).length, 1);
  assert.deepEqual(await bank.bring(Buffer.concat([tuesday, wednesday])), []);
  assert.deepEqual(await paid(), [100n, 7n, 9n]);
});

test('a copy under another name is passed over, and refused where the balance is what it was before it', async () => {
  const { bank, comes, leaves, paid } = open();
  const monday = unnumbered(bank.write('camt.053', [comes(), leaves()], 0n));
  await bank.bring(monday);
  assert.equal(await refusal(bank.bring(downloadedAnew(monday))), 'bank_told_again', 'it may be another one as well');
  bank.pass(1);
  const tuesday = unnumbered(bank.write('camt.053', [comes(5n)], 0n));
  await bank.bring(tuesday);
  for (const each of [monday, tuesday]) assert.deepEqual(await bank.bring(downloadedAnew(each)), []);
  bank.pass(1);
  await bank.bring(unnumbered(bank.write('camt.053', [bank.entryOf({ cents: -5n })], 5n)));
  assert.equal(await refusal(bank.bring(downloadedAnew(tuesday))), 'bank_told_again');
  assert.deepEqual(await paid(), [100n, 5n]);
});

test('reports of the day: an older one under another name credits nothing', async () => {
  const { bank, comes, leaves, paid } = open({ creditsFrom: 'camt.052' });
  const morning = unnumbered(bank.write('camt.052', [comes()], 0n));
  await bank.bring(morning);
  assert.deepEqual(await bank.bring(downloadedAnew(morning)), []);
  await bank.bring(unnumbered(bank.write('camt.052', [leaves()], 100n)));
  assert.equal(await refusal(bank.bring(downloadedAnew(morning))), 'bank_told_again');
  assert.deepEqual(await paid(), [100n]);
});

test('reports of the day so far: one that lacks what was told, or says it otherwise, is refused', async () => {
  const { bank, comes, leaves, paid } = open({ creditsFrom: 'camt.052' });
  const [first, second] = [comes(100n, null), comes(7n, null)];
  const early = bank.write('camt.052', [], 0n);
  const noon = bank.write('camt.052', [first], 0n);
  const afternoon = bank.write('camt.052', [first, second], 0n);
  await bank.bring(noon);
  await bank.bring(afternoon);
  for (const older of [early, bank.write('camt.052', [second], 0n)])
    assert.equal(await refusal(bank.bring(older)), 'bank_report_differs');
  const inOtherWords = { ...first, servicerRef: 'NUMBER-OF-THE-NIGHT' };
  assert.equal(
    await refusal(bank.bring(bank.write('camt.052', [inOtherWords, second, comes(9n)], 0n))),
    'bank_report_differs',
    'it would be credited twice',
  );
  bank.pass(1);
  await bank.bring(bank.write('camt.052', [leaves()], 107n));
  assert.deepEqual(await paid(), [100n, 7n]);
});

test('what comes after a report that left the balance as it was may tell it again or go on, and is refused until the next day', async () => {
  const { bank, comes, leaves, paid } = open({ creditsFrom: 'camt.052' });
  await bank.bring(bank.write('camt.052', [comes(100n, null), leaves()], 0n));
  const further = [comes(100n, null), leaves(), comes(7n)];
  assert.equal(await refusal(bank.bring(bank.write('camt.052', further, 0n))), 'bank_report_unclear');
  assert.equal(await refusal(bank.bring(bank.write('camt.052', [comes(7n)], 0n))), 'bank_report_unclear');
  bank.pass(1);
  await bank.bring(bank.write('camt.052', [comes(7n)], 0n));
  assert.deepEqual(await paid(), [100n, 7n]);

  const quiet = open({ creditsFrom: 'camt.052' });
  await quiet.bank.bring(quiet.bank.write('camt.052', [], 0n));
  await quiet.bank.bring(quiet.bank.write('camt.052', [quiet.comes(7n)], 0n));
  assert.deepEqual(await quiet.paid(), [7n], 'where nothing was told before, both mean the same');
});

test('reports of the day so far may come in one file', async () => {
  const { bank, comes, leaves, paid } = open({ creditsFrom: 'camt.052' });
  const [first, equal] = [comes(100n, null), comes(100n, null)];
  const night = [first, equal, leaves(), comes(7n)];
  const day = [[first], [first, equal], night].map((told) => bank.write('camt.052', told, 0n));
  bank.pass(1);
  const next = bank.write('camt.052', [comes(100n, null)], 107n);
  const files = [...day, next].map((report, place): [string, Uint8Array] => [`${place}.xml`, report]);
  assert.equal((await bank.bring(zipSync(Object.fromEntries(files)))).length, 4);
  assert.deepEqual(await paid(), [100n, 100n, 7n, 100n]);
});

test('what does not credit is passed over when it comes again, whatever the balance is', async () => {
  const { bank, comes, leaves } = open();
  const report = unnumbered(bank.write('camt.052', [comes(), leaves()], 0n));
  assert.equal((await bank.bring(report)).length, 1);
  assert.deepEqual(await bank.bring(downloadedAnew(report)), []);
});

test('a statement over a longer time tells again what is known, and is refused', async () => {
  const { bank, comes, leaves, paid } = open();
  const nothing = { ...comes(), details: comes().details.map((each) => ({ ...each, units: 0n })) };
  const told = [comes(), nothing, leaves()];
  await bank.bring(unnumbered(bank.write('camt.053', told, 0n)));
  const sameDay = unnumbered(bank.write('camt.053', [...told, comes(7n)], 0n));
  assert.equal(await refusal(bank.bring(sameDay)), 'bank_told_again');
  bank.pass(1);
  await bank.bring(bank.write('camt.053', [comes(5n), bank.entryOf({ cents: -5n })], 0n));
  const longer = [...told, comes(5n), comes(7n)];
  assert.equal(
    await refusal(bank.bring(bank.write('camt.053', longer, 0n))),
    'bank_told_again',
    'with a number of its own',
  );
  assert.deepEqual(await paid(), [100n, 5n]);
});

test('one that begins before the last one ended, and does not open where that closed, will never follow', async () => {
  const { bank, comes } = open();
  const period = (statement: Uint8Array, from: string): Uint8Array =>
    changed(statement, /<Acct>/, `<FrToDt><FrDt>${from}</FrDt><ToDt>${bank.day()}</ToDt></FrToDt><Acct>`);
  bank.pass(1);
  await bank.bring(bank.write('camt.053', [comes()], 0n));
  bank.pass(1);
  const month = period(bank.write('camt.053', [comes(), comes(7n)], 0n), '2026-03-01');
  assert.equal(await refusal(bank.bring(month)), 'bank_opening_wrong');
});

test('equal statements of a day are as many, where balances or numbers tell them apart', async () => {
  const { bank, comes, paid } = open();
  for (const opening of [0n, 100n, 200n]) await bank.bring(unnumbered(bank.write('camt.053', [comes()], opening)));
  const [swept, sent] = [comes(300n), bank.entryOf({ cents: -300n, servicerRef: null })];
  for (let round = 0; round < 2; round += 1) await bank.bring(bank.write('camt.053', [swept, sent], 300n));
  assert.deepEqual(await paid(), [100n, 100n, 100n, 300n, 300n]);
});

/** As banks write it that number statements, but not each download. */
const numbered = (statement: Uint8Array, number: number): Uint8Array =>
  changed(statement, /<ElctrncSeqNb>\d+/, `<ElctrncSeqNb>${number}`);
const page = (statement: Uint8Array, number: number, isLast: boolean): Uint8Array => {
  const counted = changed(
    statement,
    /<ElctrncSeqNb>/,
    `<StmtPgntn><PgNb>${number}</PgNb><LastPgInd>${isLast}</LastPgInd></StmtPgntn><ElctrncSeqNb>`,
  );
  const interim = (code: string, told: Uint8Array): Uint8Array =>
    changed(told, new RegExp(`${code}</Cd></CdOrPrtry>`), `${code}</Cd></CdOrPrtry><SubTp><Cd>INTM</Cd></SubTp>`);
  const ended = isLast ? counted : interim('CLBD', counted);
  return number === 1 ? ended : interim('OPBD', ended);
};

test('a statement whose number is known is no other one, though its id, its order or its pages are', async () => {
  const { bank, comes, leaves, paid } = open();
  const told = [comes(), leaves(), comes(5n), bank.entryOf({ cents: -5n, servicerRef: null })];
  await bank.bring(numbered(bank.write('camt.053', told, 0n), 7));
  const anew = numbered(bank.write('camt.053', told.toReversed(), 0n), 7);
  assert.equal(await refusal(bank.bring(anew)), 'bank_told_again');
  for (const count of [1, 2, 3]) {
    const begun = page(numbered(bank.write('camt.053', told.slice(0, count), 0n), 7), 1, false);
    assert.equal(await refusal(bank.bring(begun)), 'bank_told_again');
  }
  bank.pass(1);
  const [first, second] = [comes(), bank.entryOf({ cents: -100n, servicerRef: null })];
  for (const number of [1, 2])
    await bank.bring(page(numbered(bank.write('camt.053', [first, second], 0n), 8), number, number === 2));
  const whole = numbered(bank.write('camt.053', [first, second, first, second], 0n), 8);
  assert.equal(await refusal(bank.bring(whole)), 'bank_told_again');
  assert.deepEqual(await paid(), [100n, 5n, 100n, 100n], 'pages that are alike are as many');
});

test('the first statement of a year is another one than the first of the year before', async () => {
  const { bank, comes, paid } = open();
  bank.pass(304); // The last day of the year.
  const alike = [comes(), bank.entryOf({ cents: -100n, servicerRef: null })];
  await bank.bring(numbered(bank.write('camt.053', alike, 0n), 1));
  bank.pass(1);
  await bank.bring(numbered(bank.write('camt.053', [...alike, comes(3n)], 0n), 1));
  assert.deepEqual(await paid(), [100n, 100n, 3n]);
});

test('days that were told with others are not credited again by a statement over other days', async () => {
  const { bank, comes, leaves, paid } = open();
  const aDay = (cents: bigint) => {
    bank.pass(1);
    return [comes(cents), bank.entryOf({ cents: -cents, servicerRef: null })];
  };
  const write = (...days: ReturnType<typeof aDay>[]) => unnumbered(bank.write('camt.053', days.flat(), 0n));
  const monday = aDay(1n);
  const ofMonday = write(monday);
  const tuesday = aDay(2n);
  const untilTuesday = write(monday, tuesday);
  const wednesday = aDay(3n);
  await bank.bring(write(tuesday, wednesday));
  const ofWednesday = write(wednesday);
  const thursday = aDay(4n);
  for (const again of [ofWednesday, write(wednesday, thursday), untilTuesday])
    assert.equal(await refusal(bank.bring(again)), 'bank_told_again');
  const apart = { 'monday.xml': ofMonday, 'wednesday.xml': ofWednesday };
  assert.equal(await refusal(bank.bring(zipSync(apart))), 'bank_told_again', 'an older one stands before it');
  await bank.bring(write(thursday));
  await bank.bring(unnumbered(bank.write('camt.053', [comes(), leaves()], 0n)));
  assert.deepEqual(await paid(), [2n, 3n, 4n, 100n]);
});

test('a notice that tells again what an earlier one credited is refused', async () => {
  const { bank, comes, paid } = open({ creditsFrom: 'camt.054' });
  const named = comes(100n, 'NUMBER-OF-THE-BANK');
  const first = unnumbered(bank.write('camt.054', [named], 0n));
  await bank.bring(first);
  assert.equal(await refusal(bank.bring(downloadedAnew(first))), 'bank_told_again');
  assert.equal(await refusal(bank.bring(bank.write('camt.054', [named, comes(7n)], 0n))), 'bank_told_again');
  await bank.bring(bank.write('camt.054', [comes(7n)], 0n));
  assert.equal(await refusal(bank.bring(bank.write('camt.054', [comes(7n)], 0n))), 'bank_told_again');
  await bank.bring(bank.write('camt.054', [comes(7n), comes(8n)], 0n));
  const late = comes(7n);
  bank.pass(1);
  await bank.bring(bank.write('camt.054', [late, comes(9n)], 0n));
  assert.deepEqual(await paid(), [100n, 7n, 7n, 8n, 7n, 9n]);
});

test('payments that only the bank’s number tells apart are two, in a notice too', async () => {
  for (const kind of ['camt.054', 'camt.053', 'camt.052'] as const) {
    const { bank, comes, paid } = open({ creditsFrom: kind });
    const numbered = (txId: string) => {
      const entry = comes();
      return { ...entry, details: entry.details.map((each) => ({ ...each, txId })) };
    };
    await bank.bring(unnumbered(bank.write(kind, [numbered('1')], 0n)));
    await bank.bring(unnumbered(bank.write(kind, [numbered('2')], 100n)));
    if (kind === 'camt.054')
      assert.equal(await refusal(bank.bring(bank.write(kind, [numbered('2')], 0n))), 'bank_told_again');
    assert.deepEqual(await paid(), [100n, 100n], kind);
  }
});

test('days that another kind credited are not credited again, though that kind has come since and credited nothing', async () => {
  const { bank, comes, paid } = open({ creditsFrom: 'camt.052' });
  const [entry, settings] = [comes(), bank.createConnector('camt.053')];
  await bank.bring(bank.write('camt.052', [entry], 0n));
  const statement = bank.write('camt.053', [entry], 0n);
  bank.pass(1);
  const next = bank.entryOf({ cents: 5n, text: id });
  await bank.documents.import(settings, bank.write('camt.052', [next], 100n));
  // Without a period, and its balances are of the day after.
  const month = changed(
    bank.write('camt.053', [entry, next], 0n),
    /<BookgDt><Dt>2026-03-03/,
    '<BookgDt><Dt>2026-03-02',
  );
  for (const each of [statement, month])
    assert.equal(await refusal(bank.documents.import(settings, each)), 'bank_kinds_overlap');
  assert.equal((await bank.documents.import(settings, bank.write('camt.053', [next], 100n))).length, 1);
  assert.deepEqual(await paid(), [100n, 5n]);
});

test('an MT940 that opens with the day before follows the reports of that day', async () => {
  const { bank, comes, paid } = open({ creditsFrom: 'camt.052' });
  await bank.bring(bank.write('camt.052', [comes()], 0n));
  const opened = `:60F:C${bank.day().slice(2).replaceAll('-', '')}`;
  bank.pass(1);
  const next = changed(bank.write('mt940', [comes(5n)], 100n), /:60F:C\d{6}/, opened);
  assert.equal((await bank.documents.import(bank.createConnector('mt940'), next)).length, 1);
  assert.deepEqual(await paid(), [100n, 5n]);
});
