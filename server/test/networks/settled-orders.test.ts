/** When a payment of ours at a bank is done: so many of the bank's own days after it was booked, and not an hour before. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { first, openOrders } from './sepa-order-world.ts';
import type { StatementBankOptions } from './statement-bank.ts';

/** What became, at each of these moments, of a payment that was booked on Tuesday before Easter 2026. */
async function fatesAt(moments: readonly string[], options: StatementBankOptions): Promise<string[]> {
  const currency = options.swiftCurrency ?? 'EUR';
  const holder = first.holder && { ...first.holder, bic: 'COBADEFFXXX' };
  let now = new Date('2026-03-31T12:00:00Z');
  const payouts = [{ ...first, holder, assetCode: currency }];
  const { bank, watched, fates, one } = await openOrders({ ...options, payouts, now: () => now });
  bank.book({ cents: -first.units, endToEndId: one });
  await bank.close();
  await watched.observe();
  const found: string[] = [];
  for (const moment of ['2026-03-31T12:00:00Z', ...moments]) {
    now = new Date(moment);
    await watched.observe();
    found.push(...fates());
  }
  return found;
}

// Banks in euros are closed from Good Friday, the 3rd of April, to Easter Monday. In Frankfurt midnight is 22:00 UTC.
test('by SEPA a payment is done when four banking days are over, and neither a weekend nor a holiday is one', async () => {
  const afterThree = '2026-04-07T22:00:00Z';
  const moments = ['2026-04-04T22:00:00Z', afterThree, '2026-04-08T21:59:59Z', '2026-04-08T22:00:00Z'];
  assert.deepEqual(await fatesAt(moments, {}), ['booked', 'booked', 'booked', 'booked', 'done']);
});

test('by SWIFT it is done when ten are over', async () => {
  const afterNine = '2026-04-15T22:00:00Z';
  const moments = ['2026-04-08T22:00:00Z', afterNine, '2026-04-16T21:59:59Z', '2026-04-16T22:00:00Z'];
  for (const swiftCurrency of ['USD', 'EUR'] as const)
    assert.deepEqual(await fatesAt(moments, { swiftCurrency }), ['booked', 'booked', 'booked', 'booked', 'done']);
});
