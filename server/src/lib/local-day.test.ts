import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, dayOf, daySpans, isDay, startOfDay, zonedMoment } from './local-day.ts';

const hours = ({ from, to }: { from: Date; to: Date }): number => (to.getTime() - from.getTime()) / 3_600_000;

test('a moment belongs to the day that a clock on the wall shows', () => {
  const moment = new Date('2026-03-01T23:30:00.500Z');
  assert.equal(dayOf('UTC', moment), '2026-03-01');
  assert.equal(dayOf('Europe/Berlin', moment), '2026-03-02');
  assert.equal(dayOf('America/New_York', moment), '2026-03-01');
  assert.equal(dayOf('Pacific/Kiritimati', moment), '2026-03-02');
});

test('days begin at midnight, and last as long as clocks make them', () => {
  assert.equal(startOfDay('Europe/Berlin', '2026-03-29').toISOString(), '2026-03-28T23:00:00.000Z');
  assert.deepEqual(daySpans('Europe/Berlin', '2026-03-28', '2026-03-31').map(hours), [24, 23, 24]);
  assert.deepEqual(daySpans('Europe/Berlin', '2026-10-25', '2026-10-26').map(hours), [25]);
  assert.equal(startOfDay('Asia/Kathmandu', '2026-01-01').toISOString(), '2025-12-31T18:15:00.000Z');
});

test('where clocks jump at midnight the day begins at one, and where they fall back it begins once', () => {
  assert.equal(startOfDay('America/Sao_Paulo', '2018-11-04').toISOString(), '2018-11-04T03:00:00.000Z');
  assert.deepEqual(daySpans('America/Sao_Paulo', '2018-11-04', '2018-11-05').map(hours), [23]);
  assert.deepEqual(daySpans('America/Sao_Paulo', '2018-02-17', '2018-02-19').map(hours), [25, 24]);
  assert.equal(startOfDay('America/Havana', '2026-11-01').toISOString(), '2026-11-01T04:00:00.000Z');
});

test('a day that was left out is empty', () => {
  const [before, left, after] = daySpans('Pacific/Apia', '2011-12-29', '2012-01-01');
  assert.deepEqual(
    [before, left, after].map((span) => span && hours(span)),
    [24, 0, 24],
  );
  assert.equal(left?.to.toISOString(), after?.from.toISOString());
});

test('in every zone days follow each other without a gap, and each moment is in its own', () => {
  for (const timeZone of Intl.supportedValuesOf('timeZone')) {
    const spans = daySpans(timeZone, '2025-12-28', '2026-01-04');
    for (const [at, { day, from, to }] of spans.entries()) {
      assert.deepEqual([dayOf(timeZone, from), dayOf(timeZone, new Date(to.getTime() - 1))], [day, day], timeZone);
      assert.equal(spans[at + 1]?.from.getTime() ?? to.getTime(), to.getTime(), timeZone);
    }
  }
});

test('days are counted over months and years, and nonsense is none', () => {
  assert.equal(addDays('2026-02-28', 1), '2026-03-01');
  assert.equal(addDays('2026-01-01', -1), '2025-12-31');
  assert.deepEqual(['2026-02-28', '2026-02-30', '2026-13-01', '26-01-01', '2026-1-1', '', '2026-01-01x'].map(isDay), [
    true,
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test('a moment is written as the clock on the wall shows it, with its distance from UTC', () => {
  const [summer, winter] = [new Date('2026-07-01T22:30:05.678Z'), new Date('2026-12-31T23:30:00Z')];
  assert.equal(zonedMoment('UTC', summer), '2026-07-01T22:30:05+00:00');
  assert.equal(zonedMoment('Europe/Berlin', summer), '2026-07-02T00:30:05+02:00');
  assert.equal(zonedMoment('Europe/Berlin', winter), '2027-01-01T00:30:00+01:00');
  assert.equal(zonedMoment('America/St_Johns', winter), '2026-12-31T20:00:00-03:30');
  assert.equal(zonedMoment('Asia/Kathmandu', winter), '2027-01-01T05:15:00+05:45');
});
