import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aDossier, aRefund, at, BTC } from '../../test/sample-checkout.ts';
import type { CheckoutState } from './checkout-state.ts';
import { statusMailJobs } from './status-mail-jobs.ts';

const linked = (state: CheckoutState, cameBackUnits = 0n) => {
  const refund = { id: 'r1', asset: BTC, units: 100n, takes: [], cameBackUnits };
  const made = aDossier({ commitments: [], checkout: { state, customerId: 'customer' } });
  return { ...made, refunds: [aRefund({ ...refund, state: 'COMPLETED', place: 'sent' })] };
};

test('that the time ran out over too little is told once it has, and not when a refund came back', () => {
  const kinds = (before: CheckoutState) =>
    statusMailJobs(linked(before), linked('UNDERPAID'), at(90)).map(
      ({ payload }) => (payload as { kind: string }).kind,
    );
  assert.deepEqual(kinds('PENDING'), ['expired']);
  assert.deepEqual(kinds('REFUNDED'), []);
});

test('of a refund that came back in part nobody is told once more that it was sent', () => {
  assert.deepEqual(statusMailJobs(linked('REFUNDED'), linked('COMPLETED', 40n), at(90)), []);
});
