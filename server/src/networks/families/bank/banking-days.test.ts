import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays } from '../../../lib/local-day.ts';
import { addBankingDays, endOfBankingDays, firstBankingDay, isBankingDay } from './banking-days.ts';

test('banks are closed at weekends and on six holidays, two of which follow Easter', () => {
  const closed = ['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-01', '2026-12-25', '2028-12-26', '2026-11-21'];
  for (const day of closed) assert.equal(isBankingDay(day), false, day);
  for (const day of ['2026-01-02', '2026-04-02', '2026-04-07', '2026-05-25', '2026-12-24', '2026-12-31'])
    assert.equal(isBankingDay(day), true, day);
});

/** As almanacs have them. */
const easters = [
  ...['1999-04-04', '2000-04-23', '2008-03-23', '2011-04-24', '2019-04-21', '2024-03-31', '2025-04-20', '2026-04-05'],
  ...['2027-03-28', '2030-04-21', '2035-03-25', '2038-04-25', '2049-04-18', '2076-04-19', '2100-03-28', '2285-03-22'],
];

test('Easter is when almanacs say', () => {
  for (const easter of easters) {
    assert.deepEqual([addDays(easter, -2), addDays(easter, 1)].map(isBankingDay), [false, false], easter);
    assert.equal(isBankingDay(addDays(easter, -3)), true, easter);
    assert.equal(isBankingDay(addDays(easter, 2)), true, easter);
  }
});

test('days are counted from the next one on which banks are open', () => {
  assert.equal(firstBankingDay('2026-12-25'), '2026-12-28');
  assert.equal(addBankingDays('2026-11-18', 1), '2026-11-19');
  assert.equal(addBankingDays('2026-11-20', 1), '2026-11-23', 'over a weekend');
  assert.equal(addBankingDays('2026-11-21', 1), '2026-11-24', 'from a Saturday');
  assert.equal(addBankingDays('2026-04-02', 4), '2026-04-10', 'over Easter');
  assert.equal(addBankingDays('2026-12-24', 4), '2026-12-31');
});

test('they are over by the clocks of the bank, also where these are changed', () => {
  const end = (moment: string, count: number, zone = 'Europe/Berlin') =>
    endOfBankingDays(zone, new Date(moment), count).toISOString();
  assert.equal(end('2026-11-18T10:00:00Z', 4), '2026-11-24T23:00:00.000Z');
  assert.equal(end('2026-11-18T23:30:00Z', 4), '2026-11-25T23:00:00.000Z', 'in Berlin it is the 19th already');
  assert.equal(end('2026-03-27T10:00:00Z', 1), '2026-03-30T22:00:00.000Z', 'summer time began on the 29th');
  assert.equal(end('2026-10-23T10:00:00Z', 1), '2026-10-26T23:00:00.000Z', 'and ended on the 25th');
  assert.equal(end('2026-11-18T10:00:00Z', 4, 'Atlantic/Reykjavik'), '2026-11-25T00:00:00.000Z');
});

const days = fc.integer({ min: 0, max: 80_000 }).map((count) => addDays('1999-01-01', count));

test('banking days add up, are banking days, and none between is left out', () => {
  fc.assert(
    fc.property(days, fc.nat(20), fc.nat(20), (day, some, more) => {
      const found = addBankingDays(day, some);
      assert.ok(isBankingDay(found) && found >= day);
      assert.equal(addBankingDays(found, more), addBankingDays(day, some + more));
      let between = 0;
      for (let each = firstBankingDay(day); each < found; each = addDays(each, 1)) if (isBankingDay(each)) between += 1;
      assert.equal(between, some);
      // Christmas or Easter with the weekend around it is the longest time.
      assert.ok(firstBankingDay(day) <= addDays(day, 4));
      assert.ok(addBankingDays(day, some) <= addBankingDays(addDays(day, 1), some));
    }),
  );
});

test('a year has 255 or 256 of them, as many as its weekends and holidays leave', () => {
  const count = (year: number): number => {
    let open = 0;
    for (let day = `${year}-01-01`; day.startsWith(String(year)); day = addDays(day, 1))
      if (isBankingDay(day)) open += 1;
    return open;
  };
  assert.deepEqual([2024, 2025, 2026].map(count), [256, 255, 256]);
});
