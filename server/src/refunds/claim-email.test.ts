import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMs } from '../lib/clock.ts';
import { emailLeftInTime } from './claim-email.ts';

const now = new Date('2026-03-01T12:00:00Z');
const contact = { email: 'ada@payer.example', leftAt: now };
const seenAt = (...ms: number[]) => ms.map((each) => ({ firstSeenAt: addMs(now, each) }));

test('an address counts if it was left before the first payment was seen', () => {
  assert.equal(emailLeftInTime(contact, seenAt(0, 5)), 'ada@payer.example');
  assert.equal(emailLeftInTime(contact, []), 'ada@payer.example');
  assert.equal(emailLeftInTime(contact, seenAt(-1, 5)), null);
  assert.equal(emailLeftInTime(contact, seenAt(5, -1)), null, 'whichever payment comes first in the list');
});

test('who left none has none', () => {
  assert.equal(emailLeftInTime(null, seenAt(5)), null);
  assert.equal(emailLeftInTime({ ...contact, email: null }, seenAt(5)), null);
  assert.equal(emailLeftInTime({ ...contact, email: '' }, seenAt(5)), null);
});
