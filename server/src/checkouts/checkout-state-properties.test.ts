import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { at } from '../../test/sample-checkout.ts';
import { commitment, confirmed, facts } from '../../test/sample-facts.ts';
import { deriveCheckout, isCredited } from './checkout-state.ts';

const payments = fc.uniqueArray(
  fc.record({
    id: fc.stringMatching(/^[a-z]{1,4}$/),
    commitmentId: fc.constantFrom('c1', 'c2', null),
    units: fc.bigInt({ min: 1n, max: 1200n }),
    takenUnits: fc.constant(0n),
    state: fc.constantFrom(
      'SEEN' as const,
      'CONFIRMED' as const,
      'FINAL' as const,
      'REPLACED' as const,
      'DROPPED' as const,
    ),
    place: fc.constantFrom('none' as const, 'pending' as const, 'suspense' as const),
    firstSeenAt: fc.nat(200).map(at),
    blockTime: fc.option(fc.nat(2000).map(at)),
    inherited: fc.constant([]),
    valuations: fc.constant([]),
  }),
  { selector: (payment) => payment.id, maxLength: 6 },
);
const anyFacts = fc
  .record({
    payments,
    canceledAt: fc.option(fc.nat(100).map(at)),
    acceptedAt: fc.option(fc.nat(100).map(at)),
    secondCommitment: fc.option(fc.nat(100)),
  })
  .map(({ secondCommitment, ...rest }) => {
    const commitments = [
      commitment('c1', 0),
      ...(secondCommitment === null ? [] : [commitment('c2', secondCommitment, 777n)]),
    ];
    const known = rest.payments.filter(({ commitmentId }) => commitmentId !== 'c2' || secondCommitment !== null);
    return facts({ ...rest, commitments, payments: known });
  });
const clock = fc.nat(3000).map(at);

test('the order in which payments are listed does not matter', () => {
  fc.assert(
    fc.property(anyFacts, clock, (some, now) => {
      const turned = { ...some, payments: some.payments.toReversed() };
      assert.deepEqual(deriveCheckout(turned, now), deriveCheckout(some, now));
    }),
  );
});

test('nothing uncredited is ever derived as credited, and a credit is due only for confirmed money', () => {
  fc.assert(
    fc.property(anyFacts, clock, (some, now) => {
      const { state, isSettlementDue, isReversalDue } = deriveCheckout(some, now);
      assert.ok(!isCredited(state) && !isReversalDue);
      if (!isSettlementDue) return;
      assert.ok(state === 'PROCESSING' || (state === 'UNDERPAID' && some.acceptedAt !== null));
      assert.ok(some.payments.some((payment) => payment.state === 'CONFIRMED' || payment.state === 'FINAL'));
    }),
  );
});

const rank: Readonly<Record<string, number>> = { EXPIRED: 0, CANCELED: 0, PENDING: 1, UNDERPAID: 1, PROCESSING: 2 };

test('more confirmed money never takes a checkout further from its credit', () => {
  const gift = fc.record({ units: fc.bigInt({ min: 1n, max: 1200n }), minute: fc.nat(200) });
  fc.assert(
    fc.property(anyFacts, gift, clock, (some, { units, minute }, now) => {
      const before = deriveCheckout(some, now);
      const more = { ...some, payments: [...some.payments, confirmed(units, minute, { id: 'gift' })] };
      const after = deriveCheckout(more, now);
      assert.ok((rank[after.state] ?? -1) >= (rank[before.state] ?? 9), `${before.state} became ${after.state}`);
      // An accepted part may wait once the full price is on its way; otherwise what was due stays due.
      if (before.isSettlementDue && before.state === 'PROCESSING') assert.ok(after.isSettlementDue);
    }),
  );
});

test('the state changes with the clock alone only when it said so', () => {
  fc.assert(
    fc.property(anyFacts, clock, clock, (some, a, b) => {
      const [now, later] = a < b ? [a, b] : [b, a];
      const { state, lookAgainAt } = deriveCheckout(some, now);
      if (lookAgainAt !== null) assert.ok(lookAgainAt > now, 'looking again at once would never end');
      if (lookAgainAt === null || later < lookAgainAt) assert.equal(deriveCheckout(some, later).state, state);
    }),
  );
});
