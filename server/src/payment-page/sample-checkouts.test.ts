import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCheckout } from './sample-checkouts.ts';

const now = new Date('2026-03-01T12:00:00Z');

test('what a sample costs is the sum of its lines, with the tax that they name', () => {
  const { lines, total } = sampleCheckout('pending', now, 'en');
  const cents = (amount: string): number => Number(amount.replace('.', ''));
  const taxed = lines.filter(({ detail }) => !detail || !('percent' in detail));
  const net = taxed.reduce((sum, { amount }) => sum + cents(amount), 0);
  assert.equal(cents(total), net * 1.2);
  assert.deepEqual(lines.at(-1)?.detail, { percent: '20' });
});
