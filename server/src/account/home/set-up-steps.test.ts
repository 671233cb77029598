import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SetUpFacts, type SetUpStep, setUpLeft, stepAfter, stepAt } from './set-up-steps.ts';

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
const left = (facts: Partial<SetUpFacts>): readonly string[] =>
  setUpLeft({ ...nothing, ...facts }, everywhere)?.left ?? [];

test('each step is left until its fact is true', () => {
  assert.deepEqual(left({}), ['business', 'key', 'payment', 'owner', 'passkey']);
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
  const only = (step: SetUpStep): boolean => step === 'payment';
  assert.deepEqual(setUpLeft(nothing, only), { steps: ['payment'], left: ['payment'] });
  assert.equal(setUpLeft({ ...nothing, wasPaid: true }, only), null);
  assert.deepEqual(setUpLeft({ ...nothing, hasKey: true, wasPaid: true }, everywhere), {
    steps: ['business', 'key', 'payment', 'owner', 'passkey'],
    left: ['business', 'owner', 'passkey'],
  });
});

test('one step leads to the next that is left, and the last one to what was left out', () => {
  assert.equal(stepAfter(['key', 'owner'], 'business'), 'key');
  assert.equal(stepAfter(['business', 'key', 'owner'], 'key'), 'owner', 'also if it was not done');
  assert.equal(stepAfter(['key'], 'owner'), 'key');
  assert.equal(stepAfter(['owner'], 'owner'), undefined);
  assert.deepEqual(
    ['/account/developers/keys/new', '/account/checkouts/x/link', '/account', '/account/peoples'].map(stepAt),
    ['key', 'payment', undefined, undefined],
  );
});
