import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Refund } from '../checkouts/refund.ts';
import { hashOfToken, isClaimable, newToken } from './claim-refund.ts';

const end = new Date('2026-03-31T12:00:00Z');
const claim = { state: 'CLAIMABLE', claimExpiresAt: end } as Refund;
const moment = (offsetMs: number): Date => new Date(end.getTime() + offsetMs);

test('a refund can be claimed until its time is over, whether or not anybody has looked at it since', () => {
  assert.equal(isClaimable(claim, moment(-1)), true);
  assert.equal(isClaimable(claim, moment(0)), false);
  assert.equal(isClaimable(claim, moment(1)), false);
  assert.equal(isClaimable({ ...claim, claimExpiresAt: null }, moment(-1)), false);
  for (const state of ['AWAITING_APPROVAL', 'SENDING', 'COMPLETED', 'EXPIRED', 'CANCELED'] as const)
    assert.equal(isClaimable({ ...claim, state }, moment(-1)), false, state);
});

test('what is stored of a token does not open the page', () => {
  const token = newToken();
  assert.deepEqual(hashOfToken(token), createHash('sha256').update(token).digest());
  assert.ok(!hashOfToken(token).includes(token.slice(0, 8)));
  assert.equal(Buffer.from(token, 'base64url').length, 32);
  assert.notEqual(newToken(), token);
});
