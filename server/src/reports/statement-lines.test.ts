import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { atLeastOne } from '../../test/at-least-one.ts';
import { subjectsOfKind } from '../ledger/entry.ts';
import { kindsOn, lineOf, lineOfKind, sharesOf, statementLines } from './statement-lines.ts';

test('every kind of entry has one line, and what is about an account never stands under other', () => {
  assert.deepEqual(Object.keys(lineOfKind).toSorted(), Object.keys(subjectsOfKind).toSorted());
  const ofAccounts = ['checkout', 'deposit', 'refund', 'swap', 'transfer'];
  for (const [kind, subjects] of Object.entries(subjectsOfKind)) {
    assert.ok(statementLines.includes(lineOf(kind)), kind);
    const isOfAccount = subjects.some((subject) => ofAccounts.includes(subject));
    assert.equal(lineOf(kind) !== 'other', isOfAccount, kind);
  }
  assert.equal(lineOf('made_by_a_later_release'), 'other');
});

/** By name: so a kind that came after the first days were signed is held to its line too, and to the rest of what it belongs to. */
test('what is about a refund, a swap or a transfer is on its line, and what takes back on that of reversals', () => {
  const followed = 'refund_followed'; // No refund: the payment that was given back came again.
  for (const [kind, line] of atLeastOne(Object.entries(lineOfKind).filter(([, each]) => each !== 'other'))) {
    const [, subject] = /^(refund|swap|transfer)_?/.exec(kind) ?? [];
    const expected = kind === followed ? 'reversals' : subject && `${subject}s`;
    if (expected !== undefined) assert.equal(line, expected, kind);
    else if (kind.endsWith('_reversed')) assert.equal(line, 'reversals', kind);
  }
  const onRefunds = ['refund_held', 'refund_sent', 'refund_returned', 'refund_came_back'];
  assert.deepEqual(kindsOn('refunds'), onRefunds);
  const onTransfers = ['transfer_reserved', 'transfer_released', 'transfer_sent', 'transfer_came_back'];
  assert.deepEqual(kindsOn('transfers'), onTransfers);
});

/**
 * Who changes the line of a kind makes another version of signed days, and keeps this table for the old ones (`span-facts`). A
 * new kind under `other` changes nothing: what a release does not know stands there. Nor does one that came later: no day that was
 * signed before has an entry of it.
 */
test('signed days of the first version stand on the lines on which they were signed', () => {
  const later = ['refund_came_back', 'transfer_came_back'];
  const named = Object.entries(lineOfKind).filter(([kind, line]) => line !== 'other' && !later.includes(kind));
  const table = named.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const digest = createHash('sha256').update(JSON.stringify(table)).digest('hex').slice(0, 16);
  assert.equal(digest, '703145739a9a33c2');
});

const moved = (kind: string, available: bigint, more: { receivable?: bigint; fee?: bigint } = {}) => {
  const { receivable = 0n, fee = 0n } = more;
  const counts = { entries: 1, withDebt: receivable === 0n ? 0 : 1, withFee: fee === 0n ? 0 : 1 };
  const shares = sharesOf({ kind, available, receivable, fee, ...counts });
  assert.equal(
    shares.reduce((sum, { units }) => sum + units, 0n),
    available,
    kind,
  );
  return shares.map(({ line, units }) => `${line} ${units}`);
};

test('a credit is told before its fee and before what it repaid, and both have lines of their own', () => {
  assert.deepEqual(moved('settlement', 995n, { fee: 5n }), ['credits 1000', 'fees -5']);
  assert.deepEqual(moved('settlement', 695n, { fee: 5n, receivable: 300n }), ['credits 1000', 'fees -5', 'debts -300']);
  assert.deepEqual(moved('settlement', 0n, { receivable: 300n }), ['credits 300', 'debts -300']);
  assert.deepEqual(moved('settlement_reversed', -600n, { fee: -5n, receivable: -395n }), [
    'reversals -1000',
    'fees 5',
    'debts 395',
  ]);
});

test('the fee of a transfer is set aside with it, and becomes a fee when it has left', () => {
  assert.deepEqual(moved('transfer_reserved', -103n), ['transfers -103']);
  assert.deepEqual(moved('transfer_sent', 0n, { fee: 3n }), ['transfers 3', 'fees -3']);
  assert.deepEqual(moved('transfer_released', 102n, { fee: 1n }), ['transfers 103', 'fees -1']);
});

test('what does not touch what is available is on no line', () => {
  assert.deepEqual(moved('moved_to_suspense', 0n), []);
});
