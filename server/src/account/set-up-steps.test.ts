import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SetUpFacts, setUpLeft, setUpPaths } from './set-up-steps.ts';

const nothing: SetUpFacts = {
  hasKey: false,
  isKeyUsed: false,
  wasPaid: false,
  wasDelivered: false,
  owners: 1,
  passkeys: 0,
  codesLeft: 0,
  hasTimeZone: false,
  isAddressListEnforced: false,
};
const everywhere = (): boolean => true;
const left = (facts: Partial<SetUpFacts>, canOpen = everywhere): readonly string[] =>
  setUpLeft({ ...nothing, ...facts }, canOpen)?.left ?? [];

test('each step is left until its fact is true', () => {
  assert.deepEqual(left({}), ['key', 'payment', 'owner', 'passkey', 'business']);
  assert.deepEqual(left({ hasKey: true, wasPaid: true, passkeys: 1, hasTimeZone: true }), ['owner']);
  assert.deepEqual(left({ owners: 2 }).includes('owner'), false);
  assert.deepEqual(left({ codesLeft: 1 }).includes('owner'), false, 'printed codes do as well');
});

test('who calls the API needs a webhook that was answered and a list of addresses', () => {
  assert.deepEqual(
    left({ isKeyUsed: true }).filter((step) => !left({}).includes(step)),
    ['webhook', 'addresses'],
  );
  assert.ok(!left({ isKeyUsed: true, wasDelivered: true }).includes('webhook'));
  assert.ok(!left({ isKeyUsed: true, isAddressListEnforced: true }).includes('addresses'));
});

test('a step that somebody cannot do is not theirs, and counts for nothing', () => {
  const only = (path: string): boolean => path === setUpPaths.payment;
  assert.deepEqual(setUpLeft(nothing, only), { done: 0, all: 1, left: ['payment'] });
  assert.equal(setUpLeft({ ...nothing, wasPaid: true }, only), null);
  assert.deepEqual(setUpLeft({ ...nothing, hasKey: true, wasPaid: true }, everywhere), {
    done: 2,
    all: 5,
    left: ['owner', 'passkey', 'business'],
  });
});
