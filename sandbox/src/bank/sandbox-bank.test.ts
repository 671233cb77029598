/** Stories of the sandbox's bank: what is paid in and out of it, what comes back, and that it forgets nothing. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readBankFile } from '@quittance/server/networks/families/bank/read-bank-file';
import { callSandboxChain, SandboxRefused } from '@quittance/server/payment-page/sandbox-payer';
import sepa from 'sepa';
import { type BankDeeds, createBankDeeds } from './bank-deeds.ts';
import { openBankLedger } from './bank-ledger.ts';
import { customers, dollarAccount, euroAccount, type Party } from './bank-parties.ts';
import { childrenOf, nodeAt, readXml, textAt, type XmlNode } from './read-xml.ts';
import { type SandboxBank, startSandboxBank } from './sandbox-bank.ts';
import { readWritten } from './written-statement.ts';

const [anne, joerg, elin] = customers as readonly [Party, Party, Party];
const overseas = customers.at(-1) as Party;

/** A Wednesday, in the morning. */
const wednesday = '2026-11-18T09:00:00Z';

type Till = BankDeeds & { readonly ledger: ReturnType<typeof openBankLedger>; at(moment: string): void };

function openBank(folder?: string, isImpatient = false): Till {
  let now = new Date(wednesday);
  const ledger = openBankLedger([euroAccount, dollarAccount], folder);
  const deeds = createBankDeeds(ledger, () => now, { drop: () => undefined, isImpatient });
  return {
    ...deeds,
    ledger,
    at(moment) {
      now = new Date(moment);
    },
  };
}

const entriesOf = ({ ledger }: Pick<Till, 'ledger'>, iban = euroAccount.iban) => ledger.books.get(iban)?.entries ?? [];

type Ordered = { units: bigint; to?: Party; id?: string; more?: string };

/** A payment file written by hand, of the newer version unless said otherwise. */
function paymentFile(
  orders: readonly Ordered[],
  {
    id = 'MSG-1',
    version = '09',
    day = '2026-11-18',
    account = euroAccount.iban,
    currency = 'EUR',
    batched = true,
    more = '<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>',
    count = String(orders.length),
    sum = cents(orders.reduce((total, { units }) => total + units, 0n)),
  } = {},
): Buffer {
  const isOlder = version === '03';
  const transactions = orders.map(
    ({ units, to = anne, id: name = 'E2E-1', more: further = '<RmtInf><Ustrd>Auszahlung</Ustrd></RmtInf>' }) =>
      `<CdtTrfTxInf><PmtId><EndToEndId>${name}</EndToEndId></PmtId><Amt><InstdAmt Ccy="${currency}">${cents(units)}</InstdAmt></Amt>` +
      `<CdtrAgt><FinInstnId><${isOlder ? 'BIC' : 'BICFI'}>${to.bic}</${isOlder ? 'BIC' : 'BICFI'}></FinInstnId></CdtrAgt>` +
      `<Cdtr><Nm>${to.name.replaceAll('&', '&amp;')}</Nm>${to.iban === null ? '<PstlAdr><TwnNm>Boston</TwnNm><Ctry>US</Ctry></PstlAdr>' : ''}</Cdtr>` +
      `<CdtrAcct><Id>${to.iban === null ? '<Othr><Id>0012345678</Id></Othr>' : `<IBAN>${to.iban}</IBAN>`}</Id></CdtrAcct>${further}</CdtTrfTxInf>`,
  );
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><p:Document xmlns:p="urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}"><CstmrCdtTrfInitn>` +
      `<GrpHdr><MsgId>${id}</MsgId><CreDtTm>2026-11-18T09:00:00</CreDtTm><NbOfTxs>${count}</NbOfTxs><CtrlSum>${sum}</CtrlSum></GrpHdr>` +
      `<PmtInf><PmtInfId>${id}-1</PmtInfId><PmtMtd>TRF</PmtMtd><BtchBookg>${batched}</BtchBookg>${more}` +
      `<ReqdExctnDt>${isOlder ? day : `<Dt>${day}</Dt>`}</ReqdExctnDt><DbtrAcct><Id><IBAN>${account}</IBAN></Id></DbtrAcct>` +
      `${transactions.join('')}</PmtInf></CstmrCdtTrfInitn></p:Document>`,
  );
}

const cents = (units: bigint): string => `${units / 100n}.${String(units % 100n).padStart(2, '0')}`;

/** What a pain.002 says: of the file, and of each payment with its reason. */
function statusesIn(report: Buffer): { file: string | null; payments: Record<string, string> } {
  const root = nodeAt(readXml(report), 'CstmrPmtStsRpt');
  const payments = childrenOf(root, 'OrgnlPmtInfAndSts')
    .flatMap((group) => childrenOf(group, 'TxInfAndSts'))
    .map((node) => [textAt(node, 'OrgnlEndToEndId') ?? '', withReason(node, 'TxSts')]);
  const group = nodeAt(root, 'OrgnlGrpInfAndSts');
  return { file: group && withReason(group, 'GrpSts'), payments: Object.fromEntries(payments) };
}

const withReason = (node: XmlNode, name: string): string =>
  [textAt(node, name), textAt(node, 'StsRsnInf', 'Rsn', 'Cd')].filter((each) => each !== null).join(' ');

test('who pays by SEPA is booked on a banking day, who pays at once on any', () => {
  const bank = openBank();
  bank.pay({ units: 1_250n, text: 'RF18 5390 0754 7034', endToEndId: 'NR-1' });
  assert.equal(bank.balance(), 1_250n);
  bank.at('2026-11-21T09:00:00Z'); // Saturday
  bank.pay({ units: 100n });
  bank.pay({ units: 10n, by: 'instant', from: elin, reference: 'RF18539007547034' });
  assert.equal(bank.balance(), 1_260n);
  const waiting = readWritten(bank.statement({ kind: 'camt.052' }).files)[0]?.entries;
  assert.deepEqual(
    waiting?.map(({ units, status }) => [units, status]),
    [
      [1_250n, 'BOOK'],
      [10n, 'BOOK'],
      [100n, 'PDNG'],
    ],
  );
  bank.at('2026-11-23T09:00:00Z');
  assert.equal(bank.balance(), 1_360n);
  assert.deepEqual(
    entriesOf(bank).map(({ day }) => day),
    ['2026-11-18', '2026-11-21', '2026-11-23'],
  );
});

test('a payment is announced for the next day and may never come, or comes late and silently with the value of before', () => {
  const bank = openBank();
  const gone = bank.pay({ units: 700n, booked: 'next day' });
  bank.pay({ units: 300n, booked: 'next day' });
  bank.pay({ units: 50n, booked: 'late' });
  assert.equal(bank.balance(), 0n);
  assert.equal(readWritten(bank.statement({ kind: 'camt.052' }).files)[0]?.entries.length, 2);
  bank.withdraw(gone);
  bank.at('2026-11-19T09:00:00Z');
  assert.equal(bank.balance(), 300n);
  bank.at('2026-11-30T09:00:00Z');
  assert.equal(bank.balance(), 350n);
  const late = entriesOf(bank).at(-1);
  assert.deepEqual([late?.day, late?.valueDay], ['2026-11-23', '2026-11-18']);
  assert.throws(() => bank.withdraw(gone), /not expected/);
});

test('banks on the way take their part of a payment by SWIFT, and say so', () => {
  const bank = openBank();
  const account = dollarAccount.iban;
  for (const bearer of ['OUR', 'SHA', 'BEN'] as const)
    bank.pay({ account, units: 10_000n, bearer, feesOnTheWay: [1_000n, 300n] });
  assert.deepEqual(
    entriesOf(bank, account).map(({ units }) => units),
    [10_000n, 8_200n, 7_000n],
  );
  const [statement] = readWritten(bank.statement({ account }).files);
  const shared = nodeAt(statement?.entries[1]?.node ?? null, 'NtryDtls', 'TxDtls');
  assert.equal(textAt(shared, 'AmtDtls', 'InstdAmt', 'Amt'), '100.00');
  assert.equal(textAt(shared, 'Amt'), '82.00');
  assert.equal(textAt(shared, 'Chrgs', 'TtlChrgsAndTaxAmt'), '18.00');
  assert.match(textAt(shared, 'Refs', 'UETR') ?? '', /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/);
  assert.throws(() => bank.pay({ account, units: 1_500n }), /took all of it/);
  assert.throws(() => bank.pay({ account, units: 1_500n, by: 'sepa' }), /Only euros/);
});

for (const version of ['03', '09'])
  test(`a payment file of version ${version} is paid once, as one sum or one by one, and on its day`, () => {
    const bank = openBank();
    bank.moveOwn(100_000n);
    const both = [
      { units: 1_000n, id: 'A' },
      { units: 250n, id: 'B', to: joerg },
    ];
    const first = bank.takeFile(paymentFile(both, { version }));
    assert.deepEqual(statusesIn(first.report), { file: 'ACSC', payments: { A: 'ACSC', B: 'ACSC' } });
    const batch = entriesOf(bank).at(-1);
    assert.deepEqual([batch?.units, batch?.details.length, batch?.batch?.groupId], [-1_250n, 2, 'MSG-1-1']);

    const again = bank.takeFile(paymentFile(both, { version }));
    assert.deepEqual([again.isTaken, again.fault?.code], [false, 'DUPL']);
    assert.equal(statusesIn(again.report).file, 'RJCT DUPL');
    assert.equal(bank.balance(), 98_750n);

    bank.takeFile(paymentFile(both, { version, id: 'MSG-2', day: '2026-11-21', batched: false }));
    assert.deepEqual(statusesIn(bank.report('MSG-2')).payments, { A: 'ACSP', B: 'ACSP' });
    bank.at('2026-11-23T09:00:00Z');
    assert.deepEqual(statusesIn(bank.report('MSG-2')).payments, { A: 'ACSC', B: 'ACSC' });
    assert.deepEqual(
      entriesOf(bank)
        .slice(-2)
        .map(({ units, day, batch: of }) => [units, day, of]),
      [
        [-1_000n, '2026-11-23', null],
        [-250n, '2026-11-23', null],
      ],
    );
  });

for (const version of ['pain.001.001.03', 'pain.001.001.09'] as const)
  test(`the bank reads the ${version} of a writer that is not ours`, () => {
    const bank = openBank();
    bank.moveOwn(10_000n);
    const document = new sepa.Document(version);
    document.grpHdr.id = 'FOREIGN.1';
    document.grpHdr.created = new Date(wednesday);
    document.grpHdr.initiatorName = 'Somebody';
    const group = document.createPaymentInfo();
    group.requestedExecutionDate = new Date('2026-11-18T12:00:00Z');
    group.debtorIBAN = euroAccount.iban;
    group.debtorBIC = 'ZZQTDEFFXXX';
    group.debtorName = 'Somebody';
    document.addPaymentInfo(group);
    for (const [at, amount] of [12.34, 0.29].entries()) {
      const payment = group.createTransaction();
      payment.creditorName = anne.name;
      payment.creditorIBAN = anne.iban ?? '';
      payment.creditorBIC = anne.bic ?? '';
      payment.amount = amount;
      payment.remittanceInfo = `INVOICE ${at}`;
      payment.end2endId = `FOREIGN.${at}`;
      group.addTransaction(payment);
    }
    const answer = bank.takeFile(Buffer.from(document.toString()));
    assert.deepEqual([answer.fault, answer.messageId], [null, 'FOREIGN.1']);
    assert.equal(bank.balance(), 10_000n - 1_234n - 29n);
    assert.deepEqual(
      entriesOf(bank)
        .slice(1)
        .flatMap(({ details }) => details)
        .map(({ endToEndId, text, party }) => [endToEndId, text, party?.name]),
      [
        ['FOREIGN.0', 'INVOICE 0', anne.name],
        ['FOREIGN.1', 'INVOICE 1', anne.name],
      ],
    );
  });

test('a bank rejects what is wrong with a file, with a group, or with a payment', () => {
  const bank = openBank();
  bank.moveOwn(1_000_000n);
  const whole: readonly (readonly [string, Buffer])[] = [
    ['FF01', Buffer.from('no file')],
    ['FF01', Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')],
    ['FF01', Buffer.from('<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.008.001.08"/>')],
    ['FF01', paymentFile([])],
    ['FF01', paymentFile([{ units: 1n }], { id: 'x'.repeat(36) })],
    ['FF01', paymentFile([{ units: 1n, id: 'x'.repeat(36) }])],
    ['FF01', paymentFile([{ units: 1n, more: `<RmtInf><Ustrd>${'x'.repeat(141)}</Ustrd></RmtInf>` }])],
    ['AM18', paymentFile([{ units: 1n }], { count: '2' })],
    ['AM10', paymentFile([{ units: 1n }], { sum: '0.02' })],
  ];
  for (const [code, file] of whole) {
    const { fault, isTaken, report } = bank.takeFile(file);
    assert.deepEqual([fault?.code, isTaken], [code, false], fault?.sentence);
    assert.equal(statusesIn(report).file, `RJCT ${code}`);
  }

  bank.closeAccount({ iban: joerg.iban ?? '', code: 'AC04', how: 'reject' });
  const misspelt = { ...anne, iban: (anne.iban ?? '').replace(/.$/, (last) => String((Number(last) + 1) % 10)) };
  const some = bank.takeFile(
    paymentFile([
      { units: 100n, id: 'good' },
      { units: 0n, id: 'nothing' },
      { units: 100_000_000_000n, id: 'too much' },
      { units: 1n, id: 'misspelt', to: misspelt },
      { units: 1n, id: 'closed', to: joerg },
      { units: 1n, id: 'nameless', to: { ...anne, name: '' } },
      { units: 1n, id: 'bearer', more: '<ChrgBr>DEBT</ChrgBr>' },
    ]),
  );
  assert.deepEqual(statusesIn(some.report), {
    file: 'PART',
    payments: {
      good: 'ACSC',
      nothing: 'RJCT AM01',
      'too much': 'RJCT AM02',
      misspelt: 'RJCT AC01',
      closed: 'RJCT AC04',
      nameless: 'RJCT BE22',
      bearer: 'RJCT CH03',
    },
  });
  assert.equal(bank.balance(), 999_900n);

  const groups = {
    AC02: { account: anne.iban ?? '' },
    AM03: { currency: 'CHF' },
    DT01: { day: '2026-02-31' },
  };
  for (const [code, wrong] of Object.entries(groups)) {
    const { report } = bank.takeFile(paymentFile([{ units: 1n, id: 'A' }], { id: `MSG-${code}`, ...wrong }));
    assert.deepEqual(statusesIn(report), { file: 'RJCT', payments: { A: `RJCT ${code}` } });
  }
  assert.equal(bank.balance(), 999_900n);
});

test('where money is missing nothing of a sum is paid, and one by one what there is money for', () => {
  const bank = openBank();
  bank.moveOwn(1_000n);
  const orders = [
    { units: 900n, id: 'A' },
    { units: 200n, id: 'B' },
    { units: 100n, id: 'C' },
  ];
  assert.deepEqual(statusesIn(bank.takeFile(paymentFile(orders)).report).payments, {
    A: 'RJCT AM04',
    B: 'RJCT AM04',
    C: 'RJCT AM04',
  });
  assert.deepEqual(statusesIn(bank.takeFile(paymentFile(orders, { id: 'MSG-2', batched: false })).report), {
    file: 'PART',
    payments: { A: 'ACSC', B: 'RJCT AM04', C: 'ACSC' },
  });
  assert.equal(bank.balance(), 0n);
});

test('nothing is paid before a person has signed, who knows whose names are right; a payment can be rejected until then', async () => {
  const bank = openBank();
  bank.moveOwn(1_000n);
  const orders = [
    { units: 1n, id: 'right' },
    { units: 2n, id: 'nearly', to: { ...anne, name: 'Anne Gruenwald' } },
    { units: 3n, id: 'wrong', to: { ...anne, name: 'Torben Schmidt' } },
    { units: 4n, id: 'unknown', to: { ...anne, iban: euroAccount.iban } },
  ];
  const { report, verification } = bank.takeFile(paymentFile(orders), { isSigned: false });
  assert.equal(statusesIn(report).file, 'ACTC');
  assert.ok(verification);
  assert.deepEqual(statusesIn(verification), {
    file: 'RVCM',
    payments: { right: 'RCVC', nearly: 'RVMC', wrong: 'RVNM', unknown: 'RVNA' },
  });
  assert.match(verification.toString(), /<AddtlInf>Änne Grünwald</);
  const read: [string | null, string][] = [];
  for await (const { answer } of (await readBankFile(verification)).answers())
    read.push([answer.endToEndId ?? answer.about, answer.meaning]);
  assert.deepEqual(
    Object.fromEntries(read),
    {
      right: 'payee-verified',
      nearly: 'payee-doubted',
      wrong: 'payee-doubted',
      unknown: 'payee-doubted',
      batch: 'payee-doubted',
      file: 'payee-doubted',
    },
    'the service takes none of it for a rejection',
  );
  assert.equal(bank.balance(), 1_000n);
  bank.reject('wrong', 'MS03');
  bank.sign('MSG-1');
  assert.throws(() => bank.sign('MSG-1'), /signed already/);
  assert.equal(bank.balance(), 993n);
  assert.equal(statusesIn(bank.report('MSG-1')).payments['wrong'], 'RJCT MS03');
  assert.throws(() => bank.reject('right'), /cannot be rejected/);
});

test('a payment comes back: by itself from a closed account, or when somebody says so, perhaps for less', () => {
  const bank = openBank();
  bank.moveOwn(10_000n);
  bank.closeAccount({ iban: joerg.iban ?? '', code: 'AC04', how: 'return' });
  const instant = '<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl><LclInstrm><Cd>INST</Cd></LclInstrm></PmtTpInf>';
  bank.takeFile(
    paymentFile([
      { units: 1_000n, id: 'A' },
      { units: 500n, id: 'B', to: joerg },
    ]),
  );
  assert.equal(bank.balance(), 8_500n);
  bank.at('2026-11-20T09:00:00Z');
  assert.equal(bank.balance(), 9_000n);
  assert.throws(() => bank.giveBack('B'), /come back already/);
  bank.giveBack('A', { code: 'AC06', fee: 50n, inDays: 1 });
  assert.throws(() => bank.giveBack('A'), /come back already/);
  bank.at('2026-11-23T09:00:00Z');
  assert.equal(bank.balance(), 9_950n);
  const [statement] = readWritten(bank.statement().files);
  const back = nodeAt(statement?.entries.at(-1)?.node ?? null, 'NtryDtls', 'TxDtls');
  assert.equal(textAt(back, 'Refs', 'EndToEndId'), 'A');
  assert.equal(textAt(back, 'RtrInf', 'Rsn', 'Cd'), 'AC06');
  assert.equal(textAt(back, 'AmtDtls', 'InstdAmt', 'Amt'), '10.00');
  assert.equal(textAt(back, 'Amt'), '9.50');

  const late = bank.takeFile(paymentFile([{ units: 1n, id: 'C', to: joerg }], { id: 'MSG-2', more: instant }));
  assert.equal(statusesIn(late.report).payments['C'], 'RJCT AC04');
  bank.reopenAccount(joerg.iban ?? '');
  bank.at('2026-11-28T09:00:00Z'); // Saturday
  const weekend = bank.takeFile(paymentFile([{ units: 1n, id: 'D', to: joerg }], { id: 'MSG-3', more: instant }));
  assert.equal(statusesIn(weekend.report).payments['D'], 'ACSC');
});

test('a payment by SWIFT needs an address, and costs by who bears it', () => {
  const bank = openBank();
  const account = dollarAccount.iban;
  bank.moveOwn(100_000n, { account });
  const by = (bearer: string, id: string) =>
    paymentFile([{ units: 10_000n, id, to: overseas }], {
      id,
      account,
      currency: 'USD',
      more: `<ChrgBr>${bearer}</ChrgBr>`,
    });
  const without = Buffer.from(by('SHAR', 'W').toString().replace('<TwnNm>Boston</TwnNm>', ''));
  assert.equal(statusesIn(bank.takeFile(without).report).payments['W'], 'RJCT BE04');
  for (const bearer of ['DEBT', 'SHAR', 'CRED']) bank.takeFile(by(bearer, bearer));
  bank.bookChargesApart(true);
  bank.takeFile(by('DEBT', 'APART'));
  assert.deepEqual(
    entriesOf(bank, account)
      .slice(1)
      .map(({ units, kind }) => [units, kind]),
    [
      [-12_500n, 'swiftOut'],
      [-10_000n, 'swiftOut'],
      [-750n, 'fee'],
      [-10_000n, 'swiftOut'],
      [-10_000n, 'swiftOut'],
      [-2_500n, 'fee'],
    ],
  );
});

test('money that came in goes back with consent only; the bank corrects itself without asking', () => {
  const bank = openBank();
  const paid = bank.pay({ units: 900n, endToEndId: 'THEIRS' });
  const refused = bank.recall(paid);
  assert.equal(bank.answerRecall(refused, false), null);
  assert.equal(bank.balance(), 900n);
  assert.throws(() => bank.answerRecall(refused, true), /not open/);
  bank.answerRecall(bank.recall(paid), true);
  assert.equal(bank.balance(), 0n);
  const wrong = bank.pay({ units: 500n });
  bank.correct(wrong);
  bank.charge(490n);
  bank.payInterest(12n);
  bank.payInterest(-2n);
  bank.debit(100n, { text: 'Strom' });
  assert.equal(bank.balance(), -580n);
  const ofStyle = (styleName: string) => readWritten(bank.statement({ styleName, kind: 'camt.053' }).files);
  const [plain] = ofStyle('plain');
  assert.equal(textAt(plain?.entries[1]?.node ?? null, 'NtryDtls', 'TxDtls', 'RtrInf', 'Rsn', 'Cd'), 'FOCR');
  assert.deepEqual(
    plain?.entries.filter(({ isReversal }) => isReversal).map(({ units }) => units),
    [-500n],
  );
  // Another bank writes the side of what it takes back.
  bank.correct(bank.pay({ units: 7n }));
  assert.deepEqual(
    ofStyle('deutsche')[0]?.entries.map(({ units, isReversal }) => [units, isReversal]),
    [
      [7n, false],
      [7n, true],
    ],
  );
});

test('an impatient bank pays on a Sunday what was ordered for Monday', () => {
  for (const isImpatient of [true, false]) {
    const bank = openBank(undefined, isImpatient);
    bank.moveOwn(1_000n);
    bank.at('2026-11-22T10:00:00Z');
    bank.takeFile(paymentFile([{ units: 400n }], { day: '2026-11-23' }));
    assert.equal(bank.balance(), isImpatient ? 600n : 1_000n);
  }
});

test('the next payment is mangled, and only that', () => {
  const bank = openBank();
  bank.mangleNext('spaces');
  bank.pay({ units: 1n, text: 'RF18539007547034' });
  bank.pay({ units: 1n, text: 'RF18539007547034' });
  bank.pay({ units: 1n, reference: 'RF18539007547034', mangled: 'wrongCheckDigits' });
  assert.deepEqual(
    entriesOf(bank).map(({ details: [detail] }) => detail?.text || detail?.reference),
    ['RF18 5390 0754 7034', 'RF18539007547034', 'RF19539007547034'],
  );
});

test('whenever it dies, the bank knows all that it had done, and half of nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-bank-'));
  try {
    const bank = openBank(folder);
    const told = (of: Till): string =>
      JSON.stringify(
        [entriesOf(of), [...of.ledger.orders.values()], [...of.ledger.expected.values()], of.ledger.statements],
        (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value),
      );
    const path = join(folder, 'bank.jsonl');
    const lengthOf = (): number => readFileSync(path).length;
    const states = new Map([[0, told(bank)]]);
    const steps: (() => unknown)[] = [
      () => bank.moveOwn(100_000n),
      () => bank.pay({ units: 5n, text: '12n {"$units":"1"}', booked: 'next day' }),
      () => bank.closeAccount({ iban: joerg.iban ?? '', code: 'AC04', how: 'return' }),
      () =>
        bank.takeFile(
          paymentFile([
            { units: 1n, id: 'A' },
            { units: 2n, id: 'B', to: joerg },
          ]),
          { isSigned: false },
        ),
      () => bank.statement({ kind: 'camt.052' }),
    ];
    for (const step of steps) {
      step();
      states.set(lengthOf(), told(bank));
    }
    const bytes = readFileSync(path);
    const report = bank.mischief('repeat').files[0]?.bytes;
    for (let length = bytes.length; length >= 0; length -= 37) {
      truncateSync(path, 0);
      appendFileSync(path, bytes.subarray(0, length));
      const whole = bytes.subarray(0, length).lastIndexOf(10) + 1;
      const reopened = openBank(folder);
      const expected = states.get(whole);
      if (expected !== undefined) assert.equal(told(reopened), expected);
      if (length === bytes.length) assert.deepEqual(reopened.mischief('repeat').files[0]?.bytes, report);
      // Names go on where they ended.
      const known = new Set(entriesOf(reopened).map(({ id }) => id));
      assert.equal(known.has(reopened.pay({ units: 1n })), false);
      reopened.ledger.close();
    }
    bank.ledger.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

async function post(bank: SandboxBank, path: string, body: unknown): Promise<{ status: number; told: Told }> {
  const { username, password, origin } = new URL(bank.url);
  const credentials = `${username}:${decodeURIComponent(password)}`;
  const response = await fetch(`${origin}/${path}`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
  });
  return { status: response.status, told: (await response.json()) as Told };
}

type Told = Record<string, string> & { files: { name: string; content: string }[] };

test('its owner commands it over HTTP, with a password, and finds statements in a folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-bank-'));
  const dropFolder = join(folder, 'drop');
  const now = () => new Date(wednesday);
  const options = { user: 'sandbox', password: 'p:w', folder, dropFolders: { EUR: dropFolder }, now };
  let bank = await startSandboxBank(options);
  try {
    assert.equal((await fetch(new URL(bank.url).origin, { method: 'POST', body: '{}' })).status, 401);
    const paid = await post(bank, 'pay', { amount: '12.50', text: 'RF18', by: 'instant', name: 'Elin Ødegård' });
    assert.equal(paid.status, 200);
    assert.equal((await post(bank, 'pay', { amount: 12.5 })).told['error'], 'amount must be a text.');
    assert.match((await post(bank, 'pay', { amount: '1', by: 'pigeon' })).told['error'] ?? '', /^by is one of sepa/);
    assert.equal((await post(bank, 'nothing', {})).status, 404);
    assert.equal((await post(bank, 'pay', [])).status, 422);
    await post(bank, 'own-transfer', { amount: '100' });
    await post(bank, 'fee', { amount: '0.50', text: 'Porto' });
    const file = await post(bank, 'file', paymentFile([{ units: 100n, id: 'A' }]));
    assert.equal(statusesIn(Buffer.from(file.told['report'] ?? '', 'base64')).file, 'ACSC');
    await post(bank, 'return', { endToEndId: 'A', code: 'AC01', fee: '0.10' });
    assert.equal((await post(bank, 'balance', {})).told['balance'], '111.90');
    assert.equal((await post(bank, 'return', { endToEndId: 'Z' })).told['error'], 'No payment is named Z.');

    const statement = await post(bank, 'statement', { style: 'sparkasse' });
    const [zip] = statement.told.files;
    const [first, second] = readdirSync(dropFolder);
    assert.deepEqual([first, second?.replace(/\d{13}/, 'TIME')], [zip?.name, 'pain002-TIME-MSG-1.xml']);
    const bytes = Buffer.from(zip?.content ?? '', 'base64');
    assert.deepEqual(readFileSync(join(dropFolder, zip?.name ?? '')), bytes);
    const [written] = readWritten([{ name: zip?.name ?? '', bytes }]);
    assert.deepEqual([written?.opening, written?.closing, written?.entries.length], [0n, 11_190n, 5]);

    // The names that the payment page and the command line know.
    const address = euroAccount.iban;
    await callSandboxChain(bank.url, 'sandbox_pay', [{ address, amount: '5', asset: 'EUR', memo: 'RF18' }]);
    await callSandboxChain(bank.url, 'sandbox_pay', [{ amount: '7.00', asset: 'USD', memo: null }]);
    await assert.rejects(
      callSandboxChain(bank.url, 'sandbox_pay', [{ amount: '0.001', asset: 'EUR' }]),
      SandboxRefused,
    );
    assert.equal(((await callSandboxChain(bank.url, 'sandbox_mine', [2])) as string[]).length, 2);
    assert.equal(bank.balance(dollarAccount.iban), 700n);

    await bank.stop();
    bank = await startSandboxBank(options);
    assert.equal(bank.balance(), 11_690n);
    const again = await post(bank, 'mischief/repeat', { statement: statement.told['statement'] });
    assert.equal(again.told.files[0]?.content, zip?.content);
    const wrong = await post(bank, 'mischief/wrongClosing', { statement: statement.told['statement'] });
    assert.notEqual(wrong.told.files[0]?.content, zip?.content);
  } finally {
    await bank.stop();
    rmSync(folder, { recursive: true });
  }
});
