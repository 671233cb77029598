import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DocumentRefused } from '../../port/documents.ts';
import type { Balance } from './bank-statement.ts';
import {
  type Closed,
  checkStatement,
  checkStatements,
  lastPageOf,
  type OurAccount,
  possibleOpenings,
} from './check-statement.ts';
import type { BankStatement } from './join-pages.ts';

const account: OurAccount = { iban: 'DE67500502011234567890', others: ['38631543'], currency: 'EUR' };

const balance = (code: string, units: bigint, day: string): Balance => ({
  code,
  isInterim: false,
  units,
  currency: 'EUR',
  day,
});

const statement = (changed: Partial<BankStatement> = {}): BankStatement => ({
  kind: 'camt.053',
  id: 'S-1',
  sequence: '1',
  createdAt: null,
  account: { iban: account.iban, other: null, currency: 'EUR', name: null, bic: null },
  currency: 'EUR',
  currencies: new Set(['EUR']),
  period: { from: '2026-03-01', to: '2026-03-02' },
  pages: [],
  opening: balance('OPBD', 10_000n, '2026-03-01'),
  closing: balance('CLBD', 12_050n, '2026-03-02'),
  entryCount: 2,
  bookedCount: 2,
  paymentCount: 2,
  pagesOf: 'S-1',
  booked: 2_050n,
  reversed: 0n,
  reversals: 'none',
  firstDay: '2026-03-01',
  content: '',
  ...changed,
});

const sentence = (changed: Partial<BankStatement>, previous: Closed | null = null): string => {
  try {
    checkStatement(statement(changed), account, previous);
    return '';
  } catch (error) {
    assert.ok(error instanceof DocumentRefused);
    return error.message;
  }
};

const page = (number: number, isLast = false) => ({ number, isLast });

test('a statement that adds up and goes on from the one before is accepted', () => {
  assert.equal(sentence({}), '');
  assert.equal(sentence({}, { units: 10_000n, day: '2026-02-28' }), '');
  assert.equal(sentence({ pages: [page(1), page(2), page(3, true)] }), '');
});

test('what is wrong is said in one sentence, with what would be right', () => {
  const other = (text: string) => ({ iban: null, other: text, currency: 'EUR', name: null, bic: null });
  const cases: readonly [Partial<BankStatement>, RegExp][] = [
    [
      { account: { ...statement().account, iban: 'NL91ABNA0417164300' } },
      /is of the account “NL91ABNA0417164300”; it must be of DE675/,
    ],
    [{ account: other('50050201/99') }, /it must be of DE675/],
    [{ account: { ...other(''), other: null } }, /it must be of DE675/],
    [{ currencies: new Set(['EUR', 'USD']) }, /has amounts in USD; all of it must be in EUR/],
    [{ currency: 'CHF' }, /has amounts in CHF; all of it must be in EUR/],
    [{ pages: [page(1), page(3, true)] }, /Page 2 of the statement “S-1” is missing/],
    [{ pages: [page(2, true)] }, /Page 1 of the statement “S-1” is missing/],
    [{ pages: [page(1), page(2)] }, /Page 3 of the statement “S-1” is missing/],
    [{ pages: [page(1), page(1), page(2, true)] }, /Page 1 of the statement “S-1” is there twice/],
    [{ pages: [page(1, true), page(2, true)] }, /goes on after its last page/],
    [
      { opening: null },
      /has no opening balance .* begin with one that has it or that goes back to when the account was opened/,
    ],
    [
      { opening: { ...balance('OPBD', 10_000n, '2026-03-01'), isInterim: true } },
      /begins within another one \(:60M:\), and nothing was accepted before it: import the pages before it too/,
    ],
    [{ closing: null }, /has no closing balance/],
    [
      { booked: 2_000n },
      /opens with 100.00 EUR and its bookings come to 20.00 EUR, so it must close with 120.00 EUR, but it closes with 120.50 EUR/,
    ],
  ];
  for (const [changed, expected] of cases) assert.match(sentence(changed), expected);
  assert.match(sentence({ kind: 'mt940', closing: null }), /has no closing balance/);
  assert.match(sentence({ pages: [page(1, true), page(2)] }), /goes on after its last page/);
  assert.match(
    sentence({ opening: null }, { units: -5n, day: '2026-02-28' }),
    /opens with 100.00 EUR, by its closing balance and its bookings, but the one before closed with -0.05 EUR on 2026-02-28/,
  );
  assert.match(
    sentence({}, { units: -5n, day: '2026-02-28' }),
    /opens with 100.00 EUR, but the one before closed with -0.05 EUR on 2026-02-28: import those between first; where there are none, npx quittance bank correct says what is missing\./,
  );
});

test('our account is known by its IBAN, by what the operator says it is called, and in the German form', () => {
  const named = (other: string): string =>
    sentence({ account: { iban: null, other, currency: 'EUR', name: null, bic: null } });
  for (const other of ['38631543', '386-315 43', '50050201/1234567890', '50050201/ 0001234567890'])
    assert.equal(named(other), '', other);
  for (const other of ['3863154', '1234567890', '50050200/1234567890', '50050201/12345678901', '150050201/1234567890'])
    assert.notEqual(named(other), '', other);
  const german = { ...account, iban: 'DE12500502010000000099', others: ['none of these', '38-63'] };
  const told = (other: string) => statement({ account: { ...statement().account, iban: null, other } });
  for (const other of ['50050201/99', '50050201/0099', '3863', 'NONE OF THESE'])
    assert.equal(checkStatement(told(other), german, null).opening, 10_000n, other);
  const foreign = { ...german, iban: 'XX12500502010000000099' };
  assert.throws(() => checkStatement(told('50050201/99'), foreign, null), /it must be of XX12/);
  assert.throws(() => checkStatement(told('50050201/99'), { ...german, iban: null }, null), /must be of none of these/);
});

test('a notice has no balances, and a report within the day goes on from nothing', () => {
  assert.equal(sentence({ kind: 'camt.054', opening: null, closing: null }, { units: 1n, day: null }), '');
  assert.equal(sentence({ kind: 'camt.052' }, { units: 1n, day: null }), '');
  assert.match(sentence({ kind: 'camt.052', booked: 0n }), /must close with/);
});

test('statements of a file follow each other, whatever their order in it', () => {
  const first = statement();
  const second = statement({
    id: 'S-2',
    sequence: '2',
    opening: balance('OPBD', 12_050n, '2026-03-02'),
    closing: balance('CLBD', 12_051n, '2026-03-02'),
    booked: 1n,
  });
  const third = statement({
    id: 'S-3',
    sequence: '3',
    opening: balance('OPBD', 12_051n, '2026-03-03'),
    closing: balance('CLBD', 0n, '2026-03-03'),
    booked: -12_051n,
  });
  const previous = { units: 10_000n, day: null };
  assert.deepEqual(
    checkStatements([third, second, first], account, previous).map(({ statement: { id } }) => id),
    ['S-1', 'S-2', 'S-3'],
  );
  assert.throws(
    () => checkStatements([third, first], account, previous),
    /“S-3” opens with 120.51 EUR, but the one before closed with 120.50 EUR/,
  );
  assert.throws(() => checkStatements([first, first], account, previous), /“S-1” is in the file twice/);
});

test('what does not go on from the last one is too early, unless it will never follow', () => {
  const isEarly = (period: BankStatement['period'], closed: string | null): boolean => {
    const closing = balance('CLBD', 12_050n, period.to ?? '2026-03-02');
    try {
      checkStatement(statement({ period, closing }), account, { units: 7n, day: closed });
    } catch (error) {
      assert.ok(error instanceof DocumentRefused);
      assert.equal(error.problem.code, 'bank_opening_wrong');
      return error.isEarly;
    }
    return assert.fail('it follows');
  };
  const [from, to] = ['2026-03-05', '2026-03-06'];
  assert.equal(isEarly({ from, to }, '2026-03-04'), true, 'the one between is missing');
  assert.equal(isEarly({ from, to }, '2026-03-05'), true, 'which may be of the same day');
  assert.equal(isEarly({ from, to }, null), true, 'nobody knows when the last one was');
  assert.equal(isEarly({ from, to }, '2026-03-06'), false, 'it begins before the last one ended');
  assert.equal(isEarly({ from: null, to }, '2026-03-06'), true);
  assert.equal(isEarly({ from: null, to }, '2026-03-07'), false, 'its days are over');
});

test('statements of one day are in the order of their numbers, and where there are none in that of the file', () => {
  const ofDay = (id: string, sequence: string | null, from: bigint, day = '2026-03-02'): BankStatement =>
    statement({
      id,
      sequence,
      opening: balance('OPBD', from, day),
      closing: balance('CLBD', from + 1n, day),
      booked: 1n,
    });
  const order = (...all: BankStatement[]): string =>
    checkStatements(all, account, null)
      .map((each) => each.statement.id)
      .join('');
  assert.equal(order(ofDay('b', '10', 1n), ofDay('a', '9', 0n)), 'ab', 'and not in that of the alphabet');
  assert.equal(order(ofDay('b', '1', 1n, '2026-03-03'), ofDay('a', '9', 0n)), 'ab', 'days come first');
  assert.equal(order(ofDay('a', null, 0n), ofDay('b', 'x10', 1n)), 'ab');
  assert.throws(
    () => order(ofDay('b', 'x10', 1n), ofDay('a', null, 0n)),
    /“a” opens with 0\.00 EUR, but the one before closed/,
  );
});

test('a page that comes alone follows the one right before it, of its own statement', () => {
  const within = { ...balance('OPBD', 10_000n, '2026-03-01'), isInterim: true };
  const after = (number: number, of: string, first: number): string =>
    sentence(
      { pages: [page(first, true)], opening: within },
      { units: 10_000n, day: '2026-03-01', page: { of, number } },
    );
  assert.equal(after(1, 'S-1', 2), '');
  assert.match(after(1, 'S-1', 3), /^Page 2 of the statement “S-1” is missing/);
  assert.match(after(2, 'S-1', 2), /^Page 1 of the statement “S-1” is missing/);
  assert.match(after(1, 'S-2', 2), /^Page 1 of the statement “S-1” is missing/);
});

test('what ends with its last page is gone on with by none', () => {
  const lastOf = (pages: BankStatement['pages'], pagesOf: string | null = 'S-1') =>
    lastPageOf(statement({ pages, pagesOf }));
  assert.deepEqual(lastOf([page(1), page(2)]), { of: 'S-1', number: 2 });
  for (const [pages, of] of [
    [[page(1), page(2, true)], 'S-1'],
    [[page(1)], null],
    [[], 'S-1'],
  ] as const)
    assert.equal(lastOf(pages, of), null);
});

test('where nobody says what a reversal takes back, it is counted the one way or the other', () => {
  const told = { booked: 2_050n, reversed: 300n, reversals: 'undecided' } as const;
  assert.deepEqual(possibleOpenings(statement(told)), [
    { opening: 10_000n, reversals: 'as-marked' },
    { opening: 10_600n, reversals: 'opposite' },
  ]);
  assert.deepEqual(possibleOpenings(statement({ ...told, reversed: 0n })), [
    { opening: 10_000n, reversals: 'undecided' },
  ]);
  assert.deepEqual(possibleOpenings(statement({ ...told, closing: null })), []);
});
