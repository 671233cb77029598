import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { at } from '../../test/sample-checkout.ts';
import { commitment, confirmed, facts, seen, valued } from '../../test/sample-facts.ts';
import { type Decimal, decimal } from '../money/decimal.ts';
import { inheritedSights } from '../payments/inherit-sights.ts';
import { deriveCheckout, isConfirmed, isCredited } from './checkout-state.ts';
import { type PaymentFact, portionsOf } from './payment-portions.ts';

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
    dayBegan: fc.option(fc.integer({ min: -60, max: 200 }).map(at)),
    inherited: fc.array(
      fc
        .record({ units: fc.bigInt({ min: 1n, max: 900n }), minute: fc.nat(200) })
        .map(({ units, minute }) => ({ units: `${units}`, seenAt: at(minute).toISOString(), valuation: null })),
      { maxLength: 2 },
    ),
    valuations: fc.array(
      fc.tuple(fc.bigInt({ min: 500n, max: 2000n }), fc.nat(200)).map(([price, minute]) => valued(price, minute)),
      { maxLength: 1 },
    ),
  }),
  { selector: (payment) => payment.id, maxLength: 6 },
);
const anyFacts = fc
  .record({
    payments,
    canceledAt: fc.option(fc.nat(100).map(at)),
    acceptedAt: fc.option(fc.nat(100).map(at)),
    lateTolerance: fc.constantFrom('0', '0.05', '1').map(decimal),
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

test('nothing is credited below the promise: the price in units, and in value less the late tolerance', () => {
  fc.assert(
    fc.property(anyFacts, clock, (some, now) => {
      const { isSettlementDue, isAccepted } = deriveCheckout(some, now);
      if (!isSettlementDue || isAccepted) return;
      const counted = some.payments.filter((payment) => payment.commitmentId !== null && isConfirmed(payment));
      const portions = counted.flatMap((payment) => portionsOf(some, payment, now));
      const million = 1_000_000n;
      const share = (of: (typeof portions)[number], due: bigint): bigint => (of.units * million) / due;
      const byUnits = portions.map((portion) => share(portion, portion.dueUnits));
      const byValue = portions.map((portion) => {
        const { isLate, priceUnits, dueUnits } = portion;
        assert.ok(!isLate || priceUnits !== null || some.lateTolerance.digits === 1n || portion.unvalued !== null);
        if (portion.unvalued !== null) return 0n;
        return share(portion, priceUnits !== null && priceUnits.numerator > dueUnits ? priceUnits.numerator : dueUnits);
      });
      const least = (tolerance: Decimal): bigint =>
        million - (tolerance.digits * million) / 10n ** BigInt(tolerance.scale) - 10n; // what was rounded away above
      const forgiven = some.lateTolerance.digits === 0n ? some.tolerance : some.lateTolerance;
      assert.ok(sum(byUnits) >= least(some.tolerance));
      assert.ok(sum(byValue) >= least(forgiven));
    }),
  );
});

test('replacing a payment is worth no more than keeping it and paying the rest when the replacement came', () => {
  const told = fc.record({
    units: fc.bigInt({ min: 1n, max: 1200n }),
    newUnits: fc.bigInt({ min: 1n, max: 1200n }),
    minute: fc.nat(400),
    later: fc.nat(400),
    blockAfter: fc.nat(400),
    prices: fc.tuple(fc.bigInt({ min: 900n, max: 1200n }), fc.bigInt({ min: 900n, max: 1200n })),
  });
  fc.assert(
    fc.property(told, ({ units, newUnits, minute, later, blockAfter, prices: [price, newPrice] }) => {
      const [second, block] = [minute + later + 1, minute + later + 1 + blockAfter];
      const inBlock = { state: 'CONFIRMED' as const, blockTime: at(block) };
      const blocks = [valued(newPrice, block, 'BLOCK')];
      const original = seen(units, minute, { valuations: [valued(price, minute)] });
      const link = (payment: PaymentFact, txHash: string, replacedBy: string | null) => ({
        ...payment,
        txHash,
        replacedBy,
      });
      const own = seen(newUnits, second, { ...inBlock, valuations: [valued(newPrice, second), ...blocks] });
      const line = [link(original, 'a', 'b'), link(own, 'b', null)];
      const inherited = inheritedSights(line, 'b').get(own.id) ?? [];
      const kept = seen(units < newUnits ? units : newUnits, minute, {
        ...inBlock,
        valuations: [valued(price, minute), ...blocks],
      });
      const rest = seen(newUnits - kept.units, second, { ...inBlock, valuations: own.valuations });
      const derive = (payments: readonly PaymentFact[]) =>
        deriveCheckout(facts({ lateTolerance: decimal('0.05'), payments }), at(9999));
      const replaced = derive([
        { ...original, state: 'REPLACED' },
        { ...own, inherited },
      ]);
      const added = derive([kept, ...(rest.units > 0n ? [rest] : [])]);
      assert.deepEqual([replaced.state, replaced.isSettlementDue], [added.state, added.isSettlementDue]);
    }),
  );
});

const sum = (units: readonly bigint[]): bigint => units.reduce((total, each) => total + each, 0n);
