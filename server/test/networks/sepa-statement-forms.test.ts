/**
 * What banks write otherwise than others: a reader takes every form of which the sums prove what it means, and the books come to
 * the balance of the bank.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipSync } from 'fflate';
import { DocumentRefused } from '../../src/networks/port/documents.ts';
import type { Cursor } from '../../src/networks/port/receiving.ts';
import { openStatementBank, ourIban, type StatementBankOptions } from './statement-bank.ts';
import { createWatched } from './watched-connector.ts';

const [first, second] = ['k3x9ab72mq0z', 'aaaabbbbcccc'];

function open(options: StatementBankOptions = {}) {
  const bank = openStatementBank(options);
  const watched = createWatched(bank.createConnector(), bank.documents.context);
  for (const id of [first, second]) watched.targets.add(id);
  let cursor: Cursor = {};
  return {
    bank,
    watched,
    bring: (text: string | Uint8Array) => bank.bring(Buffer.from(text)),
    async held(): Promise<bigint | undefined> {
      const asked = { tip: { hash: '', height: 0 }, cursor, highestIndex: 0, async *usedTargets() {} };
      return (await watched.connector.holdings?.(asked))?.[0]?.units;
    },
    /** What the service is told, each by its kind: `paid 100`, `OWN_MONEY 5`. */
    async told(): Promise<string[]> {
      const rounds = await watched.observe();
      cursor = rounds.at(-1)?.cursor ?? cursor;
      return rounds.flatMap(({ observations, unmatched = [], reversals = [], otherMovements = [] }) => [
        ...observations.filter(({ block }) => block).map(({ units }) => `paid ${units}`),
        ...unmatched.map(({ units }) => `unmatched ${units}`),
        ...reversals.map(({ units }) => `reversed ${units}`),
        ...otherMovements.map(({ kind, units }) => `${kind} ${units}`),
      ]);
    },
  };
}

const replaced = (text: Uint8Array | string, ...changes: readonly (readonly [RegExp, string])[]): string =>
  changes.reduce((sofar, [what, into]) => {
    assert.match(sofar, what);
    return sofar.replace(what, into);
  }, Buffer.from(text).toString());

test('payments that were booked as one sum, less the charge that the booking tells, are paid each, and the charge is a fee', async () => {
  const { bank, bring, told } = open();
  const [one, two] = [bank.entryOf({ cents: 1_000n, text: first }), bank.entryOf({ cents: 2_000n, text: second })];
  const batch = { ...one, details: [...one.details, ...two.details] };
  const charge =
    '<Chrgs><Rcrd><Amt Ccy="EUR">0.35</Amt><CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>true</ChrgInclInd></Rcrd></Chrgs>';
  const written = bank.write('camt.053', [batch], 500n);
  const less = replaced(
    written,
    [/(CLBD.*?)35\.00/, '$134.65'],
    [/<Ntry><Amt Ccy="EUR">30\.00/, '<Ntry><Amt Ccy="EUR">29.65'],
    [/<NtryDtls>/, `${charge}<NtryDtls>`],
  );
  await bring(less);
  assert.deepEqual(await told(), ['paid 1000', 'paid 2000', 'OWN_MONEY 500', 'FEE -35']);
});

const refusal = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof DocumentRefused, `it was not refused: ${String(error)}`);
  assert.match(error.message, /^[A-Z“][^\n]{10,}\.$/);
  return `${error.problem.code}${error.isEarly ? ', early' : ''}`;
};

/** As Wise writes them, and some banks of the Baltics. */
const withoutOpening = (statement: Uint8Array): string =>
  replaced(statement, [/<Bal><Tp><CdOrPrtry><Cd>OPBD.*?<\/Bal>|:60F:.*\r\n/, '']);

for (const kind of ['camt.053', 'mt940'] as const)
  test(`${kind}: a statement without an opening balance goes on from the last one, if its bookings say so`, async () => {
    const { bank, bring, told, held } = open({ creditsFrom: kind });
    const entry = (cents: bigint) => bank.entryOf({ cents, text: first });
    await bring(bank.write(kind, [entry(100n)], 500n));
    bank.pass(1);
    const [second, third] = [bank.write(kind, [entry(200n), entry(-50n)], 600n), bank.write(kind, [entry(7n)], 750n)];
    assert.equal(await refusal(bring(withoutOpening(third))), 'bank_opening_wrong, early');
    await bring(withoutOpening(second));
    await bring(withoutOpening(third));
    assert.deepEqual(await told(), ['paid 100', 'paid 200', 'paid 7', 'OWN_MONEY 500', 'UNKNOWN -50']);
    assert.deepEqual(await bring(withoutOpening(third)), [], 'the same again');
    assert.equal(await held(), 757n);
  });

test('of the first one nothing says that no booking is missing, unless the account was opened in it or another message ends there', async () => {
  const { bank, bring, told } = open();
  const entries = [bank.entryOf({ cents: 100n, text: first })];
  const later = withoutOpening(bank.write('camt.053', entries, 500n));
  assert.equal(await refusal(bring(later)), 'bank_opening_unproven');
  const since = open();
  await since.bring(withoutOpening(since.bank.write('camt.053', entries, 0n)));
  assert.deepEqual(await since.told(), ['paid 100'], 'an account begins with nothing');

  await bring(bank.write('mt940', [bank.entryOf({ cents: 5n })], 495n));
  await bring(later);
  assert.deepEqual(await told(), ['paid 100', 'OWN_MONEY 500']);
});

test('what a reversal means where nothing says with what it opens: the last balance says so', async () => {
  for (const reversalsAreTurned of [false, true]) {
    const { bank, bring, told } = open({ form: { reversalsAreTurned } });
    await bring(bank.write('camt.053', [bank.entryOf({ cents: 900n, text: first })], 0n));
    bank.pass(1);
    const back = bank.entryOf({ cents: -900n, text: first, isReversal: true, code: '899' });
    await bring(withoutOpening(bank.write('camt.053', [back, bank.entryOf({ cents: 40n, text: second })], 900n)));
    assert.deepEqual(await told(), ['paid 900', 'paid 40', 'reversed 900'], String(reversalsAreTurned));
  }
});

test('reports of the day without an opening balance go on, or tell the day again, as those with one', async () => {
  const { bank, bring, told } = open({ creditsFrom: 'camt.052' });
  const [one, two] = [bank.entryOf({ cents: 100n, text: first }), bank.entryOf({ cents: 30n, text: second })];
  const report = (entries: Parameters<typeof bank.write>[1], opening: bigint) =>
    withoutOpening(bank.write('camt.052', entries, opening));
  assert.equal(await refusal(bring(report([one], 500n))), 'bank_report_unproven');
  await bring(bank.write('camt.052', [one], 500n));
  await bring(report([one, two], 500n));
  await bring(report([bank.entryOf({ cents: 3n, text: first })], 630n));
  assert.equal(await refusal(bring(report([one], 77n))), 'bank_report_unconnected, early');
  assert.deepEqual(await told(), ['paid 100', 'paid 30', 'paid 3', 'OWN_MONEY 500']);
});

test('pages of a report are numbered in their message: a balance on the way is not its end', async () => {
  const { bank, bring, told } = open({ creditsFrom: 'camt.052', form: { version: 2 } });
  const page = (number: number, cents: bigint, opening: bigint): Uint8Array => {
    const text = replaced(
      bank.write('camt.052', [bank.entryOf({ cents, text: first })], opening),
      [/<\/MsgId>/, `</MsgId><MsgPgntn><PgNb>${number}</PgNb><LastPgInd>${number === 3}</LastPgInd></MsgPgntn>`],
      [/<ElctrncSeqNb>\d+/, '<ElctrncSeqNb>7'],
      [/CLBD/, 'ITBD'],
    );
    return Buffer.from(number === 1 ? text : replaced(text, [/OPBD/, 'ITBD']));
  };
  const pages = [page(1, 100n, 500n), page(2, 30n, 600n), page(3, 7n, 630n)];
  await bring(zipSync(Object.fromEntries(pages.map((each, place) => [`${place}.xml`, each]))));
  assert.deepEqual(await told(), ['paid 100', 'paid 30', 'paid 7', 'OWN_MONEY 500']);
});

test('an MT940 names who had paid what is taken back: it is taken from theirs', async () => {
  const { bank, bring, watched } = open({ creditsFrom: 'mt940' });
  const payers = ['DE22200411110123456789', 'AT611904300234573201', 'NL91ABNA0417164300'];
  const paid = payers.map((iban) => bank.entryOf({ cents: 900n, text: first, iban }));
  await bring(bank.write('mt940', paid, 0n));
  const arrived = (await watched.observe()).flatMap(({ observations }) => observations);
  bank.pass(1);
  const [, corrected, calledBack] = payers;
  const back = (iban = '') => ({ cents: -900n, text: first, iban });
  const entries = [
    bank.entryOf({ ...back(corrected), isReversal: true, code: '899' }),
    bank.entryOf({ ...back(calledBack), code: '159' }),
  ];
  await bring(bank.write('mt940', entries, 2_700n));
  const reversals = (await watched.observe()).flatMap((round) => round.reversals ?? []);
  assert.deepEqual(
    reversals.map(({ txHash }) => txHash),
    [corrected, calledBack].map((iban) => arrived.find(({ trace }) => ibanIn(trace) === iban)?.txHash),
  );
});

const ibanIn = ({ payer }: Readonly<Record<string, unknown>>): unknown =>
  (payer as { iban?: unknown } | undefined)?.iban;

/** Pages of an MT940: its number, what it opens and closes with, `F` or `M`, and what came. */
type Sheet = readonly [number: string, opening: `${'F' | 'M'}${number}`, closing: `${'F' | 'M'}${number}`, ...number[]];

const mt940 = (sheets: readonly Sheet[], day = '260302'): string =>
  sheets
    .map(([number, opening, closing, ...cents]) => {
      const balance = (field: string, told: string) =>
        `:${field}${told[0]}:C${day}EUR${told.slice(1, -2).padStart(1, '0')},${told.slice(-2)}`;
      const lines = cents.map((each, place) => {
        const amount = `${Math.trunc(Math.abs(each) / 100)},${String(Math.abs(each) % 100).padStart(2, '0')}`;
        return `:61:${day}${day.slice(2)}${each < 0 ? 'D' : 'C'}${amount}NTRFNONREF\r\n:86:166?00X?20${first}?21${place} ${number}`;
      });
      return [
        ':20:STARTUMS',
        `:25:${ourIban}`,
        ...(number === '' ? [] : [`:28C:${number}`]),
        balance('60', opening),
        ...lines,
        balance('62', closing),
        '-',
        '',
      ].join('\r\n');
    })
    .join('');

const oneDay: readonly Sheet[] = [
  ['1/1', 'F100', 'M150', 50],
  ['1/2', 'M150', 'M250', 60, 40],
  ['1/3', 'M250', 'F240', -10],
];
const numbered = (...numbers: readonly string[]): readonly Sheet[] =>
  oneDay.map(([, ...rest], place): Sheet => [numbers[place] ?? '', ...rest]);

test('MT940: pages follow each other by their balances, however they are numbered', async () => {
  const paid = ['paid 50', 'paid 60', 'paid 40', 'OWN_MONEY 100', 'UNKNOWN -10'];
  for (const numbers of [
    ['1/1', '1/2', '1/3'],
    ['1/1', '1/1', '1/1'],
    ['0/1', '0/2', '0/3'],
    ['00000/001', '00000/001', '00000/001'],
    ['7', '7', '7'],
    ['', '', ''],
    ['3/9', '1/1', '1/2'],
    ['8/31', '8/32', '8/33'],
    ['9/3', '9/2', '9/1'],
    ['5/2', '5/1', '6/1'],
  ]) {
    const { bank, bring, told } = open({ creditsFrom: 'mt940' });
    const imported = await bring(mt940(numbered(...numbers)));
    assert.equal(imported.length, 1, numbers.join());
    assert.deepEqual(await told(), paid, numbers.join());
    bank.pass(1);
    const next = numbered(...numbers).map(
      ([number, opening, closing, ...cents]): Sheet => [
        number,
        `${opening[0] as 'F'}${Number(opening.slice(1)) + 140}`,
        `${closing[0] as 'F'}${Number(closing.slice(1)) + 140}`,
        ...cents,
      ],
    );
    await bring(mt940(next, '260303'));
    assert.equal((await told()).length, 4, `${numbers.join()}, numbered so again on the next day`);
    assert.deepEqual(await bring(mt940(numbered(...numbers)) + mt940(next, '260303')), []);
  }
});

test('MT940: a page that is missing or there twice is noticed by its number or its balance', async () => {
  const [one, two, three] = oneDay as [Sheet, Sheet, Sheet];
  const flat: Sheet = ['1/2', 'M150', 'M150', 60, -60];
  const last: Sheet = ['1/3', 'M150', 'F160', 10];
  const unnumbered = (sheets: readonly Sheet[]): Sheet[] => sheets.map(([, ...rest]): Sheet => ['0', ...rest]);
  const cases: readonly [readonly Sheet[], string][] = [
    [[one, three], 'bank_page_missing'],
    [[one, last], 'bank_page_missing'],
    [[two, three], 'bank_page_missing'],
    [[one, flat, flat, last], 'bank_page_twice'],
    [unnumbered([one, flat, flat, last]), 'bank_page_twice'],
    [unnumbered([one, three]), 'bank_page_missing'],
    [unnumbered([two, three]), 'bank_page_missing'],
    [unnumbered([one, two, two, three]), 'bank_page_missing'],
  ];
  for (const [sheets, code] of cases) {
    const { bring, bank } = open({ creditsFrom: 'mt940' });
    assert.equal(await refusal(bring(mt940(sheets))), code, JSON.stringify(sheets));
    assert.equal(bank.documents.accepted.length, 0);
  }
});

test('MT940: what a payer wrote is no booking, though the bank breaks its line before it', async () => {
  const { bring, told } = open({ creditsFrom: 'mt940', opening: 0n });
  // As German banks write it, in subfields of 27 characters and lines of 65. A payer chooses the id and the text.
  const broughtBy = (purpose: string): string => {
    const fields = (`SVWZ+${purpose}`.match(/.{1,27}/gs) ?? []).map((part, place) => `?${21 + place}${part}`).join('');
    const text = `:86:166?00GUTSCHRIFT?109075?20EREF+${'E'.repeat(20)}${fields}?30COBADEFFXXX?31DE22200411110123456789?32Eve`;
    return text.replaceAll(/.{1,65}/gs, '$&\r\n');
  };
  const forged = (line: string): string => {
    const texts = [...Array(65).keys()].map((count) => broughtBy(`${'x'.repeat(count)}${line}`));
    const found = texts.find((each) => each.includes(`\r\n${line.slice(0, 15)}`));
    assert.ok(found, 'no line of it begins so');
    return found;
  };
  const lines = [forged(`:61:260302C900,NTRF ${first} ${first} ${first} ${first}`), forged(':61:260302D900,NTRF')];
  await bring(
    [
      `:20:STARTUMS\r\n:25:${ourIban}\r\n:28C:1/1\r\n:60F:C260302EUR5,00\r\n`,
      ...lines.map((each) => `:61:2603020302C0,01NTRFNONREF\r\n${each}`),
      ':62F:C260302EUR5,02\r\n-\r\n',
    ].join(''),
  );
  assert.deepEqual((await told()).toSorted(), ['OWN_MONEY 500', 'paid 1', 'unmatched 1']);
});

test('MT940: pages in files of their own are refused, and all of them together are taken', async () => {
  const [one, two, three] = oneDay as [Sheet, Sheet, Sheet];
  for (const number of [true, false]) {
    const numbered = ([told, ...rest]: Sheet): Sheet => [number ? told : '0', ...rest];
    const { bank, bring, told } = open({ creditsFrom: 'mt940' });
    // Pages on which as much left as came are known by no balance, so that alone they could come twice.
    for (const sheet of [one, two, three])
      assert.equal(await refusal(bring(mt940([numbered(sheet)]))), 'bank_page_missing');
    assert.equal(bank.documents.accepted.length, 0);
    assert.equal((await bring(mt940(oneDay.map(numbered)))).length, 1);
    assert.equal((await told()).length, 5, 'three payments, what lay there before, and a debit');
    assert.deepEqual(await bring(mt940(oneDay.map(numbered))), [], 'the same again');
  }
});

type Kind = 'camt.052' | 'camt.053' | 'camt.054';
type Told = {
  readonly id?: string;
  /** Of a page `i` stands before it; null: it is not told. */
  readonly opening?: string | null;
  readonly closing?: string | null;
  readonly cents?: readonly number[];
};

const names = {
  'camt.052': ['BkToCstmrAcctRpt', 'Rpt'],
  'camt.053': ['BkToCstmrStmt', 'Stmt'],
  'camt.054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
} as const;
let numbers = 0;

/** A message of one or several statements of a day, which may be one page of several. */
function message(kind: Kind, [page, isLast]: readonly [number, boolean], ...told: readonly Told[]): Uint8Array {
  const [root, name] = names[kind];
  const money = (text: string): string => `<Amt Ccy="EUR">${text}</Amt><CdtDbtInd>CRDT</CdtDbtInd>`;
  const balance = (code: string, written: string | null | undefined): string =>
    written == null
      ? ''
      : `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry>${written.startsWith('i') ? '<SubTp><Cd>INTM</Cd></SubTp>' : ''}</Tp>` +
        `${money(written.replace('i', ''))}<Dt><Dt>2026-03-02</Dt></Dt></Bal>`;
  const entry = (cents: number): string =>
    `<Ntry>${money((cents / 100).toFixed(2))}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt>` +
    `<NtryDtls><TxDtls><Refs><TxId>TX-${++numbers}</TxId></Refs><RmtInf><Ustrd>${first}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
  const all = told.map(
    ({ id = 'S-1', opening = null, closing = null, cents = [] }) =>
      `<${name}><Id>${id}</Id><Acct><Id><IBAN>${ourIban}</IBAN></Id></Acct>${balance('OPBD', opening)}${balance('CLBD', closing)}` +
      `${cents.map(entry).join('')}</${name}>`,
  );
  return Buffer.from(
    `<Document><${root}><GrpHdr><MsgId>M-${++numbers}</MsgId><CreDtTm>2026-03-02T20:00:00</CreDtTm><MsgPgntn><PgNb>${page}</PgNb>` +
      `<LastPgInd>${isLast}</LastPgInd></MsgPgntn></GrpHdr>${all.join('')}</${root}></Document>`,
  );
}

const zipOf = (...files: readonly Uint8Array[]): Uint8Array =>
  zipSync(Object.fromEntries(files.map((bytes, place) => [`${place}.xml`, bytes])));

for (const kind of ['camt.053', 'camt.052'] as const) {
  test(`${kind}: pages of a message are one statement in a ZIP, in whatever order, whether they have balances or not`, async () => {
    for (const [left, taken] of [
      ['i1.50', 'i1.50'],
      [null, null],
    ]) {
      const { bring, told, held } = open({ creditsFrom: kind });
      const one = message(kind, [1, false], { opening: '1.00', closing: left ?? null, cents: [50] });
      const two = message(kind, [2, false], {
        opening: taken ?? null,
        closing: left === null ? null : 'i1.80',
        cents: [30],
      });
      const three = message(kind, [3, true], { opening: left === null ? null : 'i1.80', closing: '2.00', cents: [20] });
      if (left === null) assert.equal(await refusal(bring(one)), 'bank_page_missing');
      assert.equal(await refusal(bring(zipOf(three, one))), 'bank_page_missing');
      assert.equal((await bring(zipOf(three, one, two))).length, 1);
      assert.deepEqual(await told(), ['paid 20', 'paid 50', 'paid 30', 'OWN_MONEY 100']);
      assert.equal(await held(), 200n);
    }
  });

  test(`${kind}: pages with balances may come in files of their own, in their order`, async () => {
    const { bring, told, held } = open({ creditsFrom: kind });
    const one = message(kind, [1, false], { opening: '1.00', closing: 'i1.50', cents: [50] });
    const two = message(kind, [2, true], { opening: 'i1.50', closing: '2.00', cents: [50] });
    assert.equal(await refusal(bring(two)), 'bank_page_missing, early');
    await bring(one);
    await bring(two);
    assert.deepEqual(await told(), ['paid 50', 'paid 50', 'OWN_MONEY 100']);
    assert.equal(await held(), 200n);
    assert.equal(await refusal(bring(zipOf(one, two))), 'bank_page_known');
  });

  test(`${kind}: a message may be a page of several, and the statements in it whole, or begin in one and end in the next`, async () => {
    const alone = open({ creditsFrom: kind });
    await alone.bring(message(kind, [2, true], { opening: '1.00', closing: '1.50', cents: [50] }));
    assert.deepEqual(await alone.told(), ['paid 50', 'OWN_MONEY 100']);

    const { bring, told, held } = open({ creditsFrom: kind });
    const begun = message(
      kind,
      [1, false],
      { id: 'S-1', opening: '1.00', closing: '1.50', cents: [50] },
      { id: 'S-2', opening: '1.50', cents: [20] },
    );
    const middle = message(kind, [2, false], { id: 'S-2', cents: [10] });
    const ended = message(
      kind,
      [3, true],
      { id: 'S-2', closing: '1.90', cents: [10] },
      { id: 'S-3', opening: '1.90', closing: '2.00', cents: [10] },
    );
    assert.equal(await refusal(bring(zipOf(begun, ended))), 'bank_page_missing');
    assert.equal((await bring(zipOf(begun, middle, ended))).length, 3);
    assert.equal((await told()).filter((each) => each.startsWith('paid')).length, 5);
    assert.equal(await held(), 200n);
  });
}

test('camt.054: pages of a message are taken together, or in their order, under one id or each under its own', async () => {
  const kind = 'camt.054';
  for (const ids of [
    ['N', 'N'],
    ['N-1', 'N-2'],
  ]) {
    const pages = () => [
      message(kind, [1, false], { id: ids[0] ?? '', cents: [50] }),
      message(kind, [2, true], { id: ids[1] ?? '', cents: [70] }),
    ];
    const [one, two] = pages() as [Uint8Array, Uint8Array];
    const together = open({ creditsFrom: kind });
    await together.bring(zipOf(...pages()));
    assert.deepEqual((await together.told()).toSorted(), ['paid 50', 'paid 70']);

    const { bring, told } = open({ creditsFrom: kind });
    assert.equal(await refusal(bring(two)), 'bank_page_missing, early');
    await bring(one);
    await bring(two);
    assert.deepEqual(await told(), ['paid 50', 'paid 70']);
    assert.equal(await refusal(bring(zipOf(...pages()))).then((code) => code.startsWith('bank_')), true);
  }
  const several = open({ creditsFrom: kind });
  const [first, second] = [
    message(kind, [1, false], { id: 'A', cents: [1] }, { id: 'B', cents: [2] }),
    message(kind, [2, true], { id: 'B', cents: [3] }, { id: 'C', cents: [4] }),
  ];
  assert.equal((await several.bring(zipOf(first, second))).length, 3);
  assert.deepEqual((await several.told()).toSorted(), ['paid 1', 'paid 2', 'paid 3', 'paid 4']);
});

test('a statement that goes on until a day that has not come says all only of the days before today', async () => {
  const { bank, bring, watched } = open();
  const seen = bank.entryOf({ cents: 999n, text: second });
  await bring(bank.write('camt.052', [seen], 0n));
  await watched.observe();
  const gone = async (): Promise<number> =>
    (await watched.observe()).reduce((sum, { vanishedArrivals }) => sum + vanishedArrivals.length, 0);
  const period = '<FrToDt><FrDtTm>2026-03-01T00:00:00</FrDtTm><ToDtTm>2026-03-31T00:00:00</ToDtTm></FrToDt><Acct>';
  const entry = bank.entryOf({ cents: 5n, text: first });
  await bring(replaced(bank.write('camt.053', [entry], 0n), [/<Acct>/, period]));
  assert.equal(await gone(), 0, 'it may be booked this afternoon');
  bank.pass(1);
  await bring(bank.write('camt.053', [bank.entryOf({ cents: 5n, text: first })], 5n));
  assert.equal(await gone(), 1);
});
