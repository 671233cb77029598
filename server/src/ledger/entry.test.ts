import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { merchantAccount, operatorAccount } from './chart-of-accounts.ts';
import { balancedEntry, type EntryKind, type Line, opposite, type SubjectKind, subjectsOfKind } from './entry.ts';

const entryOf = (lines: readonly Line[]) =>
  balancedEntry({ reference: 'r', kind: 'swap', merchantId: 'm', subject: { kind: 'swap', id: 's' }, lines });
const line = (account: string, units: bigint): Line => ({ account, units });
const [mine, fees] = [merchantAccount('m', 'available', 'BTC'), operatorAccount('fees', 'BTC')];
const [dollars, dollarFees] = [merchantAccount('m', 'available', 'USDC'), operatorAccount('fees', 'USDC')];

test('lines on one account are added up, and lines of zero disappear', () => {
  const { lines, reference } = entryOf([line(mine, 3n), line(fees, -5n), line(mine, 2n), line(dollars, 0n)]);
  assert.deepEqual(lines, [line(mine, 5n), line(fees, -5n)]);
  assert.equal(reference, 'r');
});

test('an entry balances for each asset', () => {
  assert.equal(entryOf([line(mine, 5n), line(fees, -5n), line(dollars, 7n), line(dollarFees, -7n)]).lines.length, 4);
  assert.throws(() => entryOf([line(mine, 5n), line(fees, -4n)]), /off by 1 BTC/);
  assert.throws(() => entryOf([line(mine, 5n), line(dollars, -5n)]), /off by 5 BTC/);
});

test('an entry that moves nothing is refused', () => {
  assert.throws(() => entryOf([]), /moves nothing/);
  assert.throws(() => entryOf([line(mine, 5n), line(mine, -5n)]), /moves nothing/);
  assert.throws(() => entryOf([line(mine, 5n)]), /moves nothing/);
});

test('an entry is about what its kind can be about, and about nothing else', () => {
  const lines = [line(mine, 5n), line(fees, -5n)];
  const about = (kind: EntryKind, subject: SubjectKind, id = 'x') =>
    balancedEntry({ reference: 'r', kind, merchantId: 'm', subject: { kind: subject, id }, lines });
  assert.deepEqual(about('exchange', 'swap').subject, { kind: 'swap', id: 'x' });
  assert.deepEqual(about('exchange', 'checkout').subject, { kind: 'checkout', id: 'x' });
  assert.throws(() => about('exchange', 'refund'), /r is about a refund, not a checkout or a swap/);
  assert.throws(() => about('settlement', 'checkout', ''), /is about nothing/);

  const kinds = Object.keys(subjectsOfKind) as EntryKind[];
  const subjects = [...new Set(Object.values(subjectsOfKind).flat())];
  for (const kind of kinds)
    for (const subject of subjects) {
      const isMeant = (subjectsOfKind[kind] as readonly string[]).includes(subject);
      if (isMeant) about(kind, subject);
      else assert.throws(() => about(kind, subject), /is about a/, `${kind} about ${subject}`);
    }
});

test('the opposite of lines undoes them', () => {
  assert.deepEqual(opposite([line(mine, 5n), line(fees, -5n)]), [line(mine, -5n), line(fees, 5n)]);
  const lines = fc.array(
    fc.tuple(fc.constantFrom(mine, fees, dollars), fc.bigInt()).map(([account, units]) => line(account, units)),
  );
  fc.assert(
    fc.property(lines, (some) => {
      const sum = [...some, ...opposite(some)].reduce((total, { units }) => total + units, 0n);
      assert.equal(sum, 0n);
      assert.deepEqual(opposite(opposite(some)), some);
    }),
  );
});
