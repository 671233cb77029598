import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BankDetail, type BankEntry, type BookingCode, nobody } from './bank-statement.ts';
import { type EntryKind, kindOfEntry } from './kind-of-entry.ts';

const code = (text: string): BookingCode => {
  const [domain = null, family = null, subFamily = null] = text.includes('/') ? text.split('/') : [];
  return { domain, family, subFamily, proprietary: text.includes('/') ? null : text || null, issuer: null };
};

type Changes = { readonly entry?: Partial<BankEntry>; readonly detail?: Partial<BankDetail> };

function kind(direction: 'credit' | 'debit', codeText: string, { entry = {}, detail = {} }: Changes = {}): EntryKind {
  const one: BankDetail = {
    units: 100n,
    direction,
    servicerRef: null,
    txId: null,
    uetr: null,
    endToEndId: null,
    instructionId: null,
    messageId: null,
    paymentInfoId: null,
    mandateId: null,
    code: null,
    charges: [],
    instructed: null,
    returned: null,
    references: [],
    texts: [],
    payer: nobody,
    payee: nobody,
    ...detail,
  };
  const whole: BankEntry = {
    units: 100n,
    currency: 'EUR',
    direction,
    isReversal: false,
    status: 'BOOK',
    bookingDay: '2026-03-02',
    valueDay: null,
    entryRef: null,
    servicerRef: null,
    code: code(codeText),
    charges: [],
    batches: [],
    text: null,
    details: [one],
    unproven: [],
    ...entry,
  };
  return kindOfEntry(whole, one, { hasEndToEndId: (id) => id === 'OUR-PAYMENT', hasBatch: (id) => id === 'OUR-FILE' });
}

const returned = { reason: 'AC04', texts: [], originalCode: null };
const ours = { endToEndId: 'OUR-PAYMENT' };

test('by the codes of ISO 20022, of MT940 and of German banks', () => {
  const cases: readonly ['credit' | 'debit', string, EntryKind][] = [
    ['credit', 'PMNT/RCDT/ESCT', 'payment-in'],
    ['credit', 'PMNT/RRCT/ESCT', 'payment-in'],
    ['credit', 'NTRF+166+9051', 'payment-in'],
    ['credit', 'NTRF', 'payment-in'],
    ['credit', '', 'payment-in'],
    ['credit', 'PMNT/CNTR/CDPT', 'unknown-credit'],
    ['credit', 'PMNT/IDDT/ESDD', 'unknown-credit'],
    ['credit', 'PMNT/ICDT/RRTN', 'return'],
    ['credit', 'NTRF+159+914', 'return'],
    ['debit', 'PMNT/MDOP/CHRG', 'fee'],
    ['debit', 'NCHG', 'fee'],
    ['debit', 'NMSC+808', 'fee'],
    ['credit', 'PMNT/MCOP/FEES', 'fee'],
    ['credit', 'ACMT/MCOP/INTR', 'interest'],
    ['debit', 'NMSC+814', 'interest'],
    ['debit', 'PMNT/RCDT/RRTN', 'correction'],
    ['debit', 'NTRF+899', 'correction'],
    ['debit', 'PMNT/ICDT/ESCT', 'unknown-debit'],
    ['debit', '', 'unknown-debit'],
  ];
  for (const [direction, text, expected] of cases)
    assert.equal(kind(direction, text), expected, `${direction} ${text}`);
});

test('by the ids of our own payments and files', () => {
  const batch = { messageId: 'OUR-FILE', paymentInfoId: null, count: 3 };
  assert.equal(kind('debit', 'PMNT/ICDT/ESCT', { detail: ours }), 'own-payment');
  assert.equal(kind('debit', '', { entry: { batches: [batch] } }), 'own-batch');
  assert.equal(kind('debit', '', { detail: { paymentInfoId: 'OUR-FILE' } }), 'own-batch');
  assert.equal(kind('debit', 'NTRF+191', { entry: { entryRef: 'OUR-FILE' } }), 'own-batch');
  assert.equal(kind('credit', '', { detail: ours }), 'return');
  assert.equal(kind('credit', 'NTRF', { detail: { ...ours, returned } }), 'return');
});

test('a payer who writes the id of a payment of ours has still paid us', () => {
  assert.equal(kind('credit', 'PMNT/RCDT/ESCT', { detail: ours }), 'payment-in');
  assert.equal(kind('credit', 'NTRF+166', { detail: ours }), 'payment-in');
});

test('a reversal is a correction, unless it brings a payment of ours back', () => {
  const reversal = { isReversal: true };
  assert.equal(kind('debit', 'PMNT/RCDT/ESCT', { entry: reversal }), 'correction');
  assert.equal(kind('credit', 'PMNT/MDOP/CHRG', { entry: reversal }), 'correction');
  assert.equal(kind('credit', 'PMNT/ICDT/RRTN', { entry: reversal }), 'correction');
  assert.equal(kind('credit', 'PMNT/ICDT/RRTN', { entry: reversal, detail: ours }), 'return');
  assert.equal(kind('debit', '', { detail: { returned } }), 'correction');
});

test('what the bank took in the same booking is a fee, whatever it was taken for', () => {
  const isCharge = true;
  for (const code of ['', 'PMNT/ICDT/RRTN', 'NTRF+166', 'NTRF+899', 'PMNT/RCDT/ESCT'])
    assert.equal(kind('debit', code, { detail: { isCharge } }), 'fee', code);
  assert.equal(kind('credit', '', { entry: { isReversal: true }, detail: { isCharge } }), 'fee');
});

test('a mark counts wherever the bank writes it: at the booking or at one payment in it, with spaces around it', () => {
  assert.equal(kind('debit', 'PMNT/ICDT/ESCT', { detail: { code: code('ACMT/MDOP/CHRG') } }), 'fee');
  assert.equal(kind('debit', 'NCHG+177', { detail: { code: code('PMNT/ICDT/ESCT') } }), 'fee');
  assert.equal(kind('debit', 'NTRF + 808 + 9051'), 'fee');
  assert.equal(kind('debit', 'NTRF+177+808'), 'unknown-debit', 'what stands third is a number of the bank');
});
