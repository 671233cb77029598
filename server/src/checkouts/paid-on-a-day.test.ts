/** What is on time where a network tells the day and no hour. One commitment costs 1000 units, from minute 0 to minute 60. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at } from '../../test/sample-checkout.ts';
import { confirmed, facts, seen } from '../../test/sample-facts.ts';
import { type CheckoutFacts, deriveCheckout } from './checkout-state.ts';
import type { PaymentFact } from './payment-portions.ts';

const grace = 4 * 60;
const dayLater = 2_000;

/** Told a day later. `dayBegan`: in which minute. */
const booked = (units: bigint, dayBegan: number, rest: Partial<PaymentFact> = {}): PaymentFact =>
  confirmed(units, dayLater, { dayBegan: at(dayBegan), blockTime: at(1_400), ...rest });

function stateOf(payments: readonly PaymentFact[], minute = dayLater, more: Partial<CheckoutFacts> = {}): string {
  const { state, exceptions } = deriveCheckout(facts({ payments, ...more }), at(minute));
  return [state, ...exceptions.toSorted()].join(' ');
}

test('who was booked on a day that began within the window was in time, whenever it is told', () => {
  assert.equal(stateOf([booked(1000n, 59)]), 'PROCESSING');
  assert.equal(stateOf([booked(1000n, 60)]), 'PROCESSING LATE');
  const settled = [booked(1000n, 59, { place: 'settled' })];
  assert.equal(stateOf(settled, dayLater, { isSettled: true }), 'COMPLETED');
});

test('what came late beside it makes it late only where it was needed', () => {
  assert.equal(stateOf([booked(1000n, 59), confirmed(10n, 70)]), 'PROCESSING');
  assert.equal(stateOf([booked(900n, 59), confirmed(100n, 70)]), 'PROCESSING LATE');
});

test('the quote of another part does not hold for it until the end of its day', () => {
  const { paidAt } = deriveCheckout(facts({ payments: [confirmed(900n, 5), booked(100n, 10)] }), at(dayLater));
  assert.deepEqual(paidAt, at(1_400));
});

test('a part of which a bank told in time keeps the checkout pending until it is booked or is not', () => {
  const told = seen(400n, 50, { dayBegan: at(40) });
  const pending = deriveCheckout(facts({ payments: [told] }), at(60 + grace + dayLater));
  assert.deepEqual([pending.state, pending.lookAgainAt], ['PENDING', null], 'only a statement changes that');
  const beside = deriveCheckout(facts({ payments: [told, seen(100n, 50)] }), at(100));
  assert.deepEqual([beside.state, beside.lookAgainAt], ['PENDING', at(60 + grace)]);
  assert.equal(stateOf([seen(400n, 70, { dayBegan: at(60) })], 80), 'EXPIRED PARTIAL');
});
