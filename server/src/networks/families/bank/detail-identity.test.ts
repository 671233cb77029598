/** What tells two bookings apart, and what is only written otherwise the next time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identityOf, likenessOf } from './detail-identity.ts';
import { readBankFile } from './read-bank-file.ts';

/** As XML: the references of a payment, who paid, and the text. */
type Written = {
  readonly refs?: string;
  readonly iban?: string;
  readonly other?: string;
  readonly texts?: readonly string[];
  /** The bank's own of the booking. */
  readonly ref?: string | null;
  /** What else was booked in the same sum. */
  readonly beside?: string;
  readonly account?: string;
};

const element = (name: string, inside: string | null | undefined): string =>
  inside == null ? '' : `<${name}>${inside}</${name}>`;

function payment({ refs = '', iban = 'DE22200411110123456789', other, texts = ['Rechnung 7'] }: Written): string {
  const id = other === undefined ? element('IBAN', iban) : element('Othr', element('Id', other));
  return (
    `<TxDtls><Refs>${refs}</Refs><Amt Ccy="EUR">1.00</Amt>` +
    element('RltdPties', element('DbtrAcct', element('Id', id))) +
    `${element('RmtInf', texts.map((text) => element('Ustrd', text)).join(''))}</TxDtls>`
  );
}

/** Of the first payment in the booking. */
async function likeness(written: Written): Promise<string> {
  const { ref = null, beside = '', account = 'DE67500502011234567890' } = written;
  const text =
    `<Document><BkToCstmrStmt><Stmt><Id>S</Id><Ntry><Amt Ccy="EUR">${beside === '' ? '1.00' : '2.00'}</Amt>` +
    `<CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt>${element('AcctSvcrRef', ref)}` +
    `<NtryDtls>${payment(written)}${beside}</NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`;
  for await (const { entry } of (await readBankFile(Buffer.from(text))).entries()) {
    const [detail] = entry.details;
    if (detail) return likenessOf(account, entry, detail);
  }
  return assert.fail('nothing was read');
}

const isAlike = async (one: Written, other: Written): Promise<boolean> =>
  (await likeness(one)) === (await likeness(other));

const txId = (id: string): Written => ({ refs: element('TxId', id) });
const uetr = (id: string): Written => ({ refs: element('UETR', id) });
const endToEndId = (id: string): Written => ({ refs: element('EndToEndId', id) });
const ownRef = (id: string): Written => ({ refs: element('AcctSvcrRef', id) });
const random = '97ed4827-7b6f-4491-a06f-b548d5a7512d';

const apart: Readonly<Record<string, readonly [Written, Written]>> = {
  'the number that a bank gave the payment': [txId('1'), txId('2')],
  'the number of a payment on its whole way': [uetr(random), uetr(random.replace('9', '8'))],
  'what the payer called it': [endToEndId('A'), endToEndId('B')],
  'a name and none': [endToEndId('A'), {}],
  'where a name stands': [{ ...endToEndId('A'), texts: ['Rechnung 7'] }, { texts: ['Rechnung 7A'] }],
  'the IBAN of who paid': [{}, { iban: 'AT611904300234573201' }],
  'the number of an account that has no IBAN': [{ other: '4001' }, { other: '4002' }],
  'what was written': [{ texts: ['Rechnung 7'] }, { texts: ['Rechnung 8'] }],
  'the reference of a booking of one payment': [{ ref: '1' }, { ref: '2' }],
  'a reference of the payment itself': [ownRef('1'), ownRef('2')],
  'that reference in a sum': [
    { ...ownRef('1'), beside: payment({}) },
    { ...ownRef('2'), beside: payment({}) },
  ],
  'our account': [{}, { account: 'DE02120300000000202051' }],
};
for (const [what, [one, other]] of Object.entries(apart))
  test(`two bookings are told apart by ${what}`, async () => {
    assert.equal(await isAlike(one, other), false);
    assert.equal(await isAlike(one, one), true);
  });

const alike: Readonly<Record<string, readonly [Written, Written]>> = {
  'in lines that end elsewhere': [{ texts: ['Rechnung 7 vom', '2. März'] }, { texts: ['Rechnu', 'ng 7 vom 2. März'] }],
  'with other spaces': [{ texts: ['Rechnung 7'] }, { texts: [' Rech\tnung  7 '] }],
  'in other letters': [{ texts: ['Rechnung 7'] }, { texts: ['RECHNUNG 7'] }],
  'with spaces in the IBAN': [{}, { iban: 'DE22 2004 1111 0123 4567 89' }],
  'with the number of its way in capitals': [uetr(random), uetr(random.toUpperCase())],
  'with a word for a name that is missing': [endToEndId('NOTPROVIDED'), {}],
  'with a word for a number that is missing': [txId('NONREF'), {}],
  'with a word for a reference that is missing': [{ ref: 'NONREF' }, { ref: null }],
  'with zeros for a reference that is missing': [ownRef('0000'), { ref: null }],
  'under another reference of the sum that it is a part of': [
    { ref: '1', beside: payment({}) },
    { ref: '2', beside: payment({}) },
  ],
  'under no reference of the sum that it is a part of': [
    { ref: '1', beside: payment({}) },
    { ref: null, beside: payment({}) },
  ],
};
for (const [how, [one, other]] of Object.entries(alike))
  test(`a booking that is written again ${how} is the same`, async () => {
    assert.equal(await isAlike(one, other), true);
  });

test('a booking that is equal in all of that is another one by being the second', async () => {
  const equal = await likeness({});
  assert.notEqual(identityOf(equal, 1), identityOf(equal, 2));
  assert.equal(identityOf(equal, 2), identityOf(await likeness({}), 2));
});
