/** Files in the image of what banks send. Those that no bank sends are in bank-file-refused.test.ts. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { zipSync } from 'fflate';
import type { BankDetail, BankEntry, FileAnswer } from './bank-statement.ts';
import { signedUnits } from './bank-statement.ts';
import { countOrdinals, identityOf, likenessOf } from './detail-identity.ts';
import { detailTexts } from './detail-texts.ts';
import { kindOfEntry } from './kind-of-entry.ts';
import { readBankFile } from './read-bank-file.ts';

const vectors = new URL('../../../../test/vectors/bank/', import.meta.url);
const vector = (name: string): Promise<Buffer> => readFile(new URL(name, vectors));

async function entriesOf(bytes: Uint8Array): Promise<BankEntry[]> {
  const entries: BankEntry[] = [];
  for await (const { entry } of (await readBankFile(bytes)).entries()) entries.push(entry);
  return entries;
}

const ours = {
  hasEndToEndId: (id: string) => id.startsWith('QT-'),
  hasBatch: (id: string) => id.startsWith('QTFILE'),
};

/** Direction, amount, kind, payer or payee, texts. */
function told(entries: readonly BankEntry[]): string[] {
  const line = (entry: BankEntry, detail: BankDetail): string => {
    const party = detail.direction === 'credit' ? detail.payer : detail.payee;
    const who = [party.name, party.iban, party.bic].filter((part) => part !== null).join(', ');
    const kind = kindOfEntry(entry, detail, ours);
    return [signedUnits(detail), kind, who, detailTexts(entry, detail).join(' | ')].join('; ');
  };
  return entries.flatMap((entry) => entry.details.map((detail) => line(entry, detail)));
}

test('Sparkasse, camt.053.001.02: a collective credit is its details, each with its own amount', async () => {
  const bytes = await vector('sparkasse-camt053-02.xml');
  const { statements, documents } = await readBankFile(bytes);
  const [statement] = statements;
  assert.equal(documents[0]?.message.id, '053D2026-03-02T20:18:11.0N130000004');
  assert.deepEqual(
    [
      statement?.account.iban,
      statement?.account.bic,
      statement?.sequence,
      statement?.opening?.units,
      statement?.closing?.units,
    ],
    ['DE67500502011234567890', 'HELADEF1822', '130', 150_000n, 172_725n],
  );
  assert.deepEqual(told(await entriesOf(bytes)), [
    '12000; payment-in; Jürgen Müßig, DE22200411110123456789, COBADEFFXXX; Bestellung 4711 RF05 QX7K | M2WT 9ZPA danke schön',
    '6050; payment-in; Österreicher & Söhne, AT611904300234573201, COBADEFFXXX; RF18539007547034 | E2E-77',
    '5000; payment-in; Erika Beispiel, DE22200411110123456789, COBADEFFXXX; ohne Zweck | GUTSCHR. UEBERWEISUNG',
    '-325; fee; ; ENTGELT',
  ]);
  const [collective, single, fee] = await entriesOf(bytes);
  assert.deepEqual([collective?.servicerRef, single?.details[0]?.servicerRef], [null, '2026061123456789000']);
  assert.deepEqual([fee?.bookingDay, fee?.valueDay], ['2026-03-02', '2026-02-28']);
});

test('Deutsche Bank, camt.053.001.08: a return, a file as one sum, and a reversal that the balance turns around', async () => {
  const bytes = await vector('deutsche-bank-camt053-08.xml');
  const [statement] = (await readBankFile(bytes)).statements;
  assert.deepEqual(
    [statement?.opening?.units, statement?.closing?.units, statement?.booked, statement?.reversals],
    [-90_000n, -121_540n, -31_540n, 'opposite'],
  );
  assert.deepEqual([statement?.period, statement?.pages], [{ from: '2026-03-10', to: '2026-03-10' }, []]);
  const entries = await entriesOf(bytes);
  assert.deepEqual(told(entries), [
    '25000; return; Nordlicht Handel GmbH; QT-0001-RETURNED',
    '-50000; own-batch; ; ',
    '-9990; own-payment; Lieferant BV, NL91ABNA0417164300; QT-0002-PAID',
    '3450; correction; ; ENTGELT ZURUECK',
    '7700; payment-in; ; ',
  ]);
  assert.deepEqual(
    entries.map(({ status }) => status),
    ['BOOK', 'BOOK', 'BOOK', 'BOOK', 'PDNG'],
  );
  const [back] = entries[0]?.details ?? [];
  assert.deepEqual(
    [
      back?.uetr,
      back?.txId,
      back?.instructionId,
      back?.returned?.reason,
      back?.returned?.texts,
      back?.returned?.originalCode?.subFamily,
    ],
    ['97ed4827-7b6f-4491-a06f-b548d5a7512d', 'TX-9', 'QT-0001', 'AC04', ['CLOSED ACCOUNT'], 'ESCT'],
  );
  assert.deepEqual(entries[1]?.batches, [{ messageId: 'QTFILE-7', paymentInfoId: 'QTFILE-7-1', count: 14 }]);
});

test('ING, MT940 in the envelope of SWIFT', async () => {
  const bytes = await vector('ing-mt940.txt');
  const [statement] = (await readBankFile(bytes)).statements;
  assert.deepEqual(
    [
      statement?.account.iban,
      statement?.currency,
      statement?.opening?.units,
      statement?.closing?.units,
      statement?.booked,
    ],
    ['NL20INGB0001234567', 'EUR', 100_000n, 103_425n, 3_425n],
  );
  const entries = await entriesOf(bytes);
  assert.deepEqual(told(entries), [
    '2550; payment-in; J. de Vries, NL91ABNA0417164300, ABNANL2A; Bestelling 2291 RF05QX7KM2WT9ZPA | SHOP-2291 | /TRCD/00100/',
    '-125; fee; ; Kosten zakelijke betaalrekening | /TRCD/02001/',
    '1000; return; Klara Weg, AT611904300234573201, BKAUATWW; IBAN bestaat niet | QT-0003-BACK',
  ]);
  assert.deepEqual([entries[0]?.servicerRef, entries[2]?.details[0]?.returned?.reason], ['06123456789', 'AC01']);
});

test('Sparkasse, MT940: keywords of the fields, and what a payer writes like one is text', async () => {
  const bytes = await vector('sparkasse-mt940.txt');
  const { statements } = await readBankFile(bytes);
  assert.deepEqual(
    statements.map(({ account, sequence, opening, closing }) => [
      account.other,
      sequence,
      opening?.units,
      closing?.units,
    ]),
    [
      ['50050201/1234567890', '00061', 150_000n, 152_335n],
      ['50050201/1234567890', '00062', 152_335n, 152_400n],
    ],
  );
  const entries = await entriesOf(bytes);
  assert.deepEqual(told(entries), [
    '12000; payment-in; JUERGEN MUESSIG UND SOEHNE, DE22200411110123456789, COBADEFFXXX; Bestellung 4711 RF05 QX7K M2WT 9ZPA | SHOP 4711',
    '-9990; own-payment; LIEFERANT BV, NL91ABNA0417164300; was?20 kostet | QT-0002-PAID',
    '325; correction; ; Abrechnung- 2026',
    '65; interest; ; ',
  ]);
  assert.deepEqual(
    entries.map(({ bookingDay, valueDay }) => [bookingDay, valueDay]),
    [
      ['2026-03-02', '2026-03-02'],
      ['2026-03-02', '2026-03-02'],
      ['2026-03-02', '2026-02-28'],
      ['2026-01-02', '2025-12-31'],
    ],
  );
});

test('MT940: what stands between messages is none of them', async () => {
  const message = (number: number, end: string): string =>
    `:20:X\r\n:25:DE67500502011234567890\r\n:28C:${number}\r\n:60F:C260302EUR1,\r\n:62F:C260302EUR1,\r\n${end}`;
  const { statements } = await readBankFile(
    Buffer.from(`BANKNL2A\r\n940\r\n${message(1, ' -\r\n')}\u001a${message(2, '-}\r\n\u001a')}`),
  );
  assert.deepEqual(
    statements.map(({ sequence, closing }) => [sequence, closing?.units]),
    [
      ['1', 100n],
      ['2', 100n],
    ],
  );
});

test('Rabobank: two equal payments of one day are two', async () => {
  const entries = await entriesOf(await vector('rabobank-camt053-02.xml'));
  assert.deepEqual(
    new Set(told(entries)),
    new Set(['1234; payment-in; A. Bakker, NL91ABNA0417164300, ABNANL2A; koffie']),
  );
  const likenesses = entries.flatMap((each) => each.details.map((one) => likenessOf('NL39RABO0300065264', each, one)));
  assert.equal(new Set(likenesses).size, 1);
  const [next, after] = [countOrdinals(), countOrdinals(new Map([[likenesses[0] ?? '', 2]]))];
  assert.deepEqual(likenesses.map(next), [1, 2]);
  assert.deepEqual(likenesses.map(after), [3, 4]);
  assert.notEqual(identityOf(likenesses[0] ?? '', 1), identityOf(likenesses[1] ?? '', 2));
});

test('Wise: all of it is in the text of the entry; the account is no IBAN', async () => {
  const bytes = await vector('wise-camt053-10.xml');
  const [statement] = (await readBankFile(bytes)).statements;
  assert.deepEqual([statement?.account.iban, statement?.account.other, statement?.currency], [null, '38631543', 'USD']);
  assert.deepEqual(told(await entriesOf(bytes)), [
    '60000; payment-in; ; Received money from ACME CORP with reference RF05QX7KM2WT9ZPA',
    '-320; fee; ; Wise Charges for: TRANSFER-123456789',
  ]);
});

test('a Swiss notice: details that come to the entry with the charge that it tells are payments, and the charge a fee', async () => {
  const entries = await entriesOf(await vector('swiss-camt054-04.xml'));
  assert.deepEqual(told(entries), [
    '10005; payment-in; Anna Muster; 210000000003139471430009017 | ?REJECT?0',
    '20000; payment-in; Beat Beispiel; 000000000000000000000000012 | ?REJECT?0',
    '10000; payment-in; Carla C; 000000000000000000000000012 | ?REJECT?0',
    '20000; payment-in; Dario D; 000000000000000000000000027 | ?REJECT?0',
    '-500; fee; ; ',
  ]);
  assert.deepEqual(entries[1]?.charges, [{ units: 500n, currency: 'CHF', direction: 'debit', isIncluded: true }]);
});

test('of a sum whose details do not come to it, nobody says what each brought, whatever charges it tells nearly', async () => {
  const record = (cents: string, more: { mark?: string; included?: string; currency?: string } = {}): string =>
    `<Rcrd><Amt Ccy="${more.currency ?? 'EUR'}">${cents}</Amt><CdtDbtInd>${more.mark ?? 'DBIT'}</CdtDbtInd>` +
    `${more.included === '' ? '' : `<ChrgInclInd>${more.included ?? 'true'}</ChrgInclInd>`}</Rcrd>`;
  const payments = (inside = ''): string =>
    ['1.00', '2.00'].map((each) => `<TxDtls><Amt Ccy="EUR">${each}</Amt>${inside}</TxDtls>`).join('');
  const amounts = async (sum: string, mark: string, charges: string, details = payments()): Promise<string> => {
    const [entry] = await entriesOf(
      Buffer.from(
        `<Document><BkToCstmrStmt><Stmt><Id>S</Id><Ntry><Amt Ccy="EUR">${sum}</Amt><CdtDbtInd>${mark}</CdtDbtInd><Sts>BOOK</Sts>` +
          `${charges === '' ? '' : `<Chrgs>${charges}</Chrgs>`}<NtryDtls>${details}</NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`,
      ),
    );
    assert.ok(entry);
    const sumTold = entry.details.reduce((total, each) => total + signedUnits(each), 0n);
    assert.equal(sumTold, signedUnits(entry), 'to the cent');
    return entry.details.map((each) => `${signedUnits(each)}${each.isCharge ? ' fee' : ''}`).join(', ');
  };
  const apart = '100, 200, -50 fee';
  assert.equal(await amounts('2.50', 'CRDT', record('0.50')), apart);
  assert.equal(await amounts('2.50', 'CRDT', record('0.50', { included: '' })), apart, 'before .04 it is not said');
  assert.equal(await amounts('2.50', 'CRDT', record('0.50') + record('9.00', { included: 'false' })), apart);
  assert.equal(await amounts('2.50', 'CRDT', record('0.30') + record('0.20')), '100, 200, -30 fee, -20 fee');
  assert.equal(await amounts('3.50', 'CRDT', record('0.50', { mark: 'CRDT' })), '100, 200, 50 fee');
  assert.equal(await amounts('3.50', 'DBIT', record('0.50')), '-100, -200, -50 fee');
  for (const charges of [
    '',
    record('0.49'),
    record('0.50', { mark: 'CRDT' }),
    record('0.50', { included: 'false' }),
    record('0.50', { currency: 'USD' }),
    record('0.50') + record('0.01'),
    record('many'),
  ])
    assert.equal(await amounts('2.50', 'CRDT', charges), '250', charges);

  const own = (inside: string): string => `<TxDtls><Amt Ccy="EUR">3.00</Amt>${inside}</TxDtls>`;
  const taken = `<Chrgs>${record('0.50')}</Chrgs>`;
  assert.equal(await amounts('3.50', 'DBIT', record('0.50'), own('')), '-300, -50 fee', 'a payment of ours');
  assert.equal(await amounts('3.50', 'DBIT', '', own(taken)), '-300, -50 fee');
  assert.equal(await amounts('4.00', 'DBIT', '', payments(taken)), '-100, -200, -50 fee, -50 fee');
  assert.equal(await amounts('3.51', 'DBIT', record('0.50'), own('')), '-351');
  const ordered = (cents: string, booked = '3.00', currency = 'EUR'): string =>
    `<TxDtls><Amt Ccy="EUR">${booked}</Amt><AmtDtls><InstdAmt><Amt Ccy="${currency}">${cents}</Amt></InstdAmt>` +
    `</AmtDtls>${taken}</TxDtls>`;
  assert.equal(await amounts('3.00', 'DBIT', '', ordered('2.50')), '-250, -50 fee', 'what was ordered, and the charge');
  assert.equal(
    await amounts('3.00', 'DBIT', record('0.50'), ordered('2.50')),
    '-250, -50 fee',
    'told twice, taken once',
  );
  assert.equal(await amounts('3.00', 'DBIT', '', ordered('2.49')), '-300', 'nearly is not enough');
  assert.equal(await amounts('3.00', 'DBIT', '', ordered('2.50', '3.00', 'USD')), '-300');
  assert.equal(await amounts('3.50', 'DBIT', '', ordered('9.00')), '-300, -50 fee', 'what was booked, and the charge');
  assert.equal(await amounts('3.00', 'CRDT', '', ordered('3.50')), '300', 'of what came, the rest is the payer’s');
  assert.equal(
    await amounts('2.50', 'CRDT', record('0.50'), own('')),
    '250',
    'banks on the way took it from the payer',
  );
  assert.equal(await amounts('2.00', 'CRDT', '', payments(taken)), '200', 'from the payer or from us');
});

test('what a bank writes beside the text of a payment is a text of it, also of one alone', async () => {
  const [entry] = await entriesOf(await vector('beside-camt053-08.xml'));
  assert.ok(entry);
  assert.deepEqual(told([entry]), ['4990; payment-in; Ingrid Nilsen; order | RF05QX7KM2WT9ZPA via app | INNBETALING']);
});

test('how a statement is to be shown says nothing, and what a notice does not call booked is not', async () => {
  const message = (root: string, part: string, head = ''): Buffer =>
    Buffer.from(
      `<?xml version="1.0"?>${head}<Document><${root}><${part}><Id>S</Id><Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>` +
        `</Ntry></${part}></${root}></Document>`,
    );
  const statusOf = async (bytes: Buffer): Promise<string[]> => (await entriesOf(bytes)).map(({ status }) => status);
  const style = '<?xml-stylesheet type="text/xsl" href="camt.xsl"?>';
  assert.deepEqual(await statusOf(message('BkToCstmrStmt', 'Stmt', style)), ['BOOK']);
  assert.deepEqual(await statusOf(message('BkToCstmrDbtCdtNtfctn', 'Ntfctn')), ['INFO']);
  assert.deepEqual(await statusOf(message('BkToCstmrAcctRpt', 'Rpt')), ['INFO']);
});

test('a sum of several payments of which one is told, or none, is nobody’s', async () => {
  const batch = (count: number, inside: string, mark = 'CRDT'): string =>
    `<Ntry><Amt Ccy="EUR">30.00</Amt><CdtDbtInd>${mark}</CdtDbtInd><Sts>BOOK</Sts><NtryDtls><Btch><NbOfTxs>${count}</NbOfTxs>` +
    `</Btch>${inside}</NtryDtls><AddtlNtryInf>RF05QX7KM2WT9ZPA</AddtlNtryInf></Ntry>`;
  const one = '<TxDtls><Amt Ccy="EUR">10.00</Amt><RmtInf><Ustrd>k3x9ab72mq0z</Ustrd></RmtInf></TxDtls>';
  const statement = (entries: string): Buffer =>
    Buffer.from(`<Document><BkToCstmrStmt><Stmt><Id>S</Id>${entries}</Stmt></BkToCstmrStmt></Document>`);
  const all = one.replace('10.00', '30.00');
  const ordered = one.replace('10.00', '31.00');
  const entries = await entriesOf(
    statement([batch(3, ''), batch(3, one), batch(1, one), batch(0, one), batch(1, all), batch(0, ordered)].join('')),
  );
  const whole = '3000; payment-in; ; ';
  const named = `${whole}k3x9ab72mq0z | RF05QX7KM2WT9ZPA`;
  assert.deepEqual(told(entries), [whole, whole, whole, whole, named, named]);
});

test('an answer to a payment file: only RJCT decides', async () => {
  const answers: FileAnswer[] = [];
  for await (const { answer } of (await readBankFile(await vector('answer-pain002-10.xml'))).answers())
    answers.push(answer);
  assert.deepEqual(
    answers.map(({ about, paymentInfoId, endToEndId, meaning }) => [about, paymentInfoId, endToEndId, meaning]),
    [
      ['payment', 'QTFILE-7-1', 'QT-0001', 'rejected'],
      ['payment', 'QTFILE-7-1', 'QT-0002', 'payee-doubted'],
      ['batch', 'QTFILE-7-1', null, 'partly-rejected'],
      ['payment', 'QTFILE-7-2', 'QT-0003', 'under-way'],
      ['file', null, null, 'partly-rejected'],
    ],
  );
  assert.deepEqual(answers[0]?.reasons, [{ code: 'AC01', texts: ['IncorrectAccountNumber'] }]);
  assert.ok(answers.every(({ messageId }) => messageId === 'QTFILE-7'));
});

test('what the payee’s bank says about a name decides nothing, nor does a word that nobody knows', async () => {
  const meanings = {
    RCVC: 'payee-verified',
    RVMC: 'payee-doubted',
    RVNM: 'payee-doubted',
    RVNA: 'payee-doubted',
    RVCM: 'payee-doubted',
    ACCP: 'under-way',
    ACSC: 'under-way',
    CANC: 'under-way',
    constructor: 'under-way',
  };
  for (const [status, meaning] of Object.entries(meanings)) {
    const text =
      `<Document><CstmrPmtStsRpt><OrgnlGrpInfAndSts><OrgnlMsgId>F</OrgnlMsgId><GrpSts>${status}</GrpSts></OrgnlGrpInfAndSts>` +
      `<OrgnlPmtInfAndSts><OrgnlPmtInfId>B</OrgnlPmtInfId><PmtInfSts>${status}</PmtInfSts><TxInfAndSts>` +
      `<OrgnlEndToEndId>1</OrgnlEndToEndId><TxSts>${status}</TxSts></TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`;
    const told: string[] = [];
    for await (const { answer } of (await readBankFile(Buffer.from(text))).answers())
      told.push(`${answer.about} ${answer.meaning}`);
    assert.deepEqual(told, [`payment ${meaning}`, `batch ${meaning}`, `file ${meaning}`], status);
  }
});

test('why a file was refused is said at one level, and holds at all; a level that names others as accepted refuses none', async () => {
  const why = (code: string): string => `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>`;
  const payment = (id: string, status: string, reason = ''): string =>
    `<TxInfAndSts><OrgnlEndToEndId>${id}</OrgnlEndToEndId><TxSts>${status}</TxSts>${reason}</TxInfAndSts>`;
  const told = async (ofFile: string, ofBatch: string, payments: string): Promise<string[]> => {
    const text =
      '<Document><CstmrPmtStsRpt><GrpHdr><MsgId>A</MsgId></GrpHdr>' +
      `<OrgnlGrpInfAndSts><OrgnlMsgId>F</OrgnlMsgId><GrpSts>RJCT</GrpSts>${ofFile}</OrgnlGrpInfAndSts>` +
      `<OrgnlPmtInfAndSts><OrgnlPmtInfId>B</OrgnlPmtInfId><PmtInfSts>RJCT</PmtInfSts>${ofBatch}${payments}</OrgnlPmtInfAndSts>` +
      '</CstmrPmtStsRpt></Document>';
    const lines: string[] = [];
    for await (const { answer } of (await readBankFile(Buffer.from(text))).answers())
      lines.push([answer.about, answer.meaning, ...answer.reasons.map(({ code }) => code)].join(' '));
    return lines;
  };
  const one = payment('1', 'RJCT');
  const all = (code: string): string[] => ['payment', 'batch', 'file'].map((about) => `${about} rejected ${code}`);
  assert.deepEqual(await told(why('DU01'), '', one), all('DU01'));
  assert.deepEqual(await told('', why('AM05'), one), all('AM05'));
  assert.deepEqual(await told('', '', payment('1', 'RJCT', why('DU04'))), all('DU04'));
  assert.deepEqual(await told(why('NARR'), '', payment('1', 'RJCT', why('AM05'))), [
    'payment rejected AM05',
    'batch rejected NARR AM05',
    'file rejected NARR AM05',
  ]);
  assert.deepEqual(await told('', '', payment('1', 'RJCT', why('AC04')) + payment('2', 'ACSP')), [
    'payment rejected AC04',
    'payment under-way',
    'batch partly-rejected',
    'file partly-rejected',
  ]);
});

test('a ZIP is its files, and pages in them are one statement', async () => {
  const [one, two] = [await vector('nordic-camt053-page1.xml'), await vector('nordic-camt053-page2.xml')];
  const zip = zipSync({ '2026/second.xml': two, '2026/first.xml': one, '__MACOSX/._first.xml': Buffer.from('x') });
  const file = await readBankFile(zip);
  assert.deepEqual(
    file.documents.map(({ name }) => name),
    ['2026/second.xml', '2026/first.xml'],
  );
  const [statement, ...others] = file.statements;
  assert.deepEqual(others, []);
  assert.deepEqual(
    [statement?.opening?.units, statement?.closing?.units, statement?.booked, statement?.pages.length],
    [500_000n, 516_075n, 16_075n, 2],
  );
  assert.deepEqual(told(await entriesOf(zip)), ['1075; interest; ; ', '15000; payment-in; Åsa Öberg; 1234567897']);
});
