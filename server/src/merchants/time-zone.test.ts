import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTimeZone, timeZoneOf } from './time-zone.ts';

test('a time zone has a name that knows summer and winter', () => {
  const good = { 'Europe/Berlin': 'Europe/Berlin', 'america/new_york': 'America/New_York', ' UTC ': 'UTC' };
  for (const [text, zone] of Object.entries(good)) assert.equal(readTimeZone(text), zone);
  for (const text of ['', 'Berlin', 'Europe/Nowhere', '+01:00', '-05:00', 'Europe/Berlin; x', 'x'.repeat(300)])
    assert.throws(() => readTimeZone(text), /is no time zone: it must be like Europe\/Berlin/, text);
});

test('an account without a time zone is in UTC, and so is one with a name that nobody knows', () => {
  assert.equal(timeZoneOf({ timeZone: 'Asia/Tokyo' }), 'Asia/Tokyo');
  for (const timeZone of [undefined, null, '', 'Europe/Nowhere', 7, {}]) assert.equal(timeZoneOf({ timeZone }), 'UTC');
});
