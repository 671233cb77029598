import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRefund } from '../../test/sample-checkout.ts';
import type { Refund } from '../checkouts/refund.ts';
import { addMs, minutes } from '../lib/clock.ts';
import type { WayBack } from '../refunds/way-back.ts';
import { publicWayBack, readProblem } from './public-way-back.ts';

const now = new Date('2026-03-01T12:00:00Z');
const later = addMs(now, minutes(1));
const terms = { id: 'a-refund', asset: 'BTC', units: 500n, takes: [] };
const refund = (more: Partial<Refund>): Refund =>
  aRefund({ ...terms, context: 'OVERPAID_CHECKOUT', state: 'CLAIMABLE', claimExpiresAt: later, ...more });
const link = { refundId: 'a-refund', language: 'de', asked: 1, askedAt: now, isRefused: false };
const wayBack = (links: WayBack['links'] = [link]): WayBack => ({ email: 'ada@payer.example', kept: 'nothing', links });
const stateOf = (more: Partial<Refund>, links?: WayBack['links'], at = now) =>
  publicWayBack([refund(more)], wayBack(links), at).offers[0]?.state;

test('the page sees exactly this, and of the address only what its owner recognises', () => {
  assert.deepEqual(publicWayBack([refund({})], wayBack(), now), {
    maskedEmail: 'a…@payer.example',
    kept: 'nothing',
    offers: [{ state: 'mailed', goodUntil: later, canSendAgain: false }],
  });
});

test('who asked decides what is said while the refund waits', () => {
  assert.equal(stateOf({}), 'mailed');
  assert.equal(stateOf({}, []), 'offered');
  assert.equal(stateOf({ state: 'AWAITING_APPROVAL' }), 'approving');
  assert.equal(stateOf({ state: 'AWAITING_APPROVAL' }, []), 'sending');
  assert.equal(stateOf({ state: 'AWAITING_APPROVAL', network: 'SEPA' }, []), 'approving', 'nobody is asked where to');
  assert.equal(stateOf({ state: 'SENDING' }), 'sending');
  assert.equal(stateOf({ state: 'COMPLETED' }), 'returned');
  assert.equal(stateOf({ context: 'UNDERPAID_CHECKOUT' }), 'mailed');
});

test('what has ended, is over, or is of what the shop was credited is no offer', () => {
  for (const state of ['FAILED', 'CANCELED', 'EXPIRED'] as const) assert.equal(stateOf({ state }), undefined);
  assert.equal(stateOf({}, [link], later), undefined);
  assert.equal(stateOf({ context: 'COMPLETED_CHECKOUT' }), undefined);
});

test('it can be sent again after ten minutes, and five times in all', () => {
  const canSendAgain = (more: Partial<typeof link>): boolean | undefined =>
    publicWayBack([refund({})], wayBack([{ ...link, ...more }]), now).offers[0]?.canSendAgain;
  assert.equal(canSendAgain({ askedAt: addMs(now, -minutes(10)) }), true);
  assert.equal(canSendAgain({ askedAt: addMs(now, 1 - minutes(10)) }), false);
  assert.equal(canSendAgain({ askedAt: addMs(now, -minutes(60)), asked: 4 }), true);
  assert.equal(canSendAgain({ askedAt: addMs(now, -minutes(60)), asked: 5 }), false);
});

test('an address that was refused once is not offered again', () => {
  assert.equal(publicWayBack([], wayBack([{ ...link, isRefused: true }]), now).maskedEmail, null);
  assert.equal(publicWayBack([], { ...wayBack(), email: null }, now).maskedEmail, null);
});

test('of the query only what we put there ourselves is read', () => {
  assert.deepEqual(['later', 'little', 'shop', 'toString', '', undefined].map(readProblem), [
    ...['later', 'little', 'shop'],
    ...[undefined, undefined, undefined],
  ]);
});
