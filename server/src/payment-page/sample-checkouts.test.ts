import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCheckout } from './sample-checkouts.ts';

const now = new Date('2026-03-01T12:00:00Z');

test('what a sample costs is the sum of its lines, with the tax that they name', () => {
  const { lines, total } = sampleCheckout('pending', now, 'en');
  const cents = (amount: string): bigint => BigInt(amount.replace('.', ''));
  const taxed = lines.filter(({ detail }) => !detail || !('percent' in detail));
  const net = taxed.reduce((sum, { amount }) => sum + cents(amount), 0n);
  assert.ok(net > 0n);
  assert.equal(cents(total) * 100n, net * 120n);
  assert.deepEqual(lines.at(-1)?.detail, { percent: '20' });
});
