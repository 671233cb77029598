/** The table of legal moves, what counts as credited, and what becomes of a checkout that was refunded. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at } from '../../test/sample-checkout.ts';
import { commitment, confirmed, facts, seen, settled, valued } from '../../test/sample-facts.ts';
import { decimal } from '../money/decimal.ts';
import {
  assertMove,
  type CheckoutFacts,
  type CheckoutState,
  canMove,
  deriveCheckout,
  isCanceled,
  isCredited,
} from './checkout-state.ts';

const legal: Record<CheckoutState, string> = {
  CREATED: 'PENDING CANCELED',
  PENDING: 'PROCESSING EXPIRED UNDERPAID CANCELED',
  PROCESSING: 'COMPLETED DELAYED_COMPLETED PENDING EXPIRED CANCELED UNDERPAID REFUNDED',
  COMPLETED: 'PROCESSING REFUNDED',
  DELAYED_COMPLETED: 'PROCESSING REFUNDED',
  RESOLVED: 'PROCESSING REFUNDED',
  UNDERPAID: 'PROCESSING RESOLVED REFUNDED EXPIRED CANCELED PENDING',
  EXPIRED: 'PENDING PROCESSING UNDERPAID',
  CANCELED: 'PENDING PROCESSING UNDERPAID',
  REFUNDED: 'COMPLETED DELAYED_COMPLETED RESOLVED UNDERPAID PROCESSING EXPIRED CANCELED',
};
const states = Object.keys(legal) as CheckoutState[];

test('these moves are legal, staying is, and no other is', () => {
  for (const from of states)
    for (const to of states) {
      const isLegal = from === to || legal[from].split(' ').includes(to);
      assert.equal(canMove(from, to), isLegal, `${from} → ${to}`);
      if (isLegal) assertMove(from, to);
      else assert.throws(() => assertMove(from, to), /cannot become/, `${from} → ${to}`);
    }
});

test('credited are these three states', () => {
  assert.deepEqual(states.filter(isCredited), ['COMPLETED', 'DELAYED_COMPLETED', 'RESOLVED']);
});

test('a checkout is cancelled until somebody commits to it again', () => {
  const canceled = (canceledMinute: number | null, ...minutes: number[]) =>
    isCanceled({
      canceledAt: canceledMinute === null ? null : at(canceledMinute),
      commitments: minutes.map((minute) => commitment(`c${minute}`, minute)),
    });
  assert.deepEqual(
    [canceled(null), canceled(null, 5), canceled(7), canceled(7, 5), canceled(5, 5)],
    [false, false, true, true, true],
  );
  assert.deepEqual([canceled(7, 8), canceled(7, 5, 8)], [false, false]);
});

const derive = (changes: Partial<CheckoutFacts>, minute = 90) => deriveCheckout(facts(changes), at(minute));
const shown = (changes: Partial<CheckoutFacts>, minute = 90) => {
  const { state, exceptions } = derive(changes, minute);
  return [state, ...exceptions];
};

test('an underpayment of which all was sent back is refunded, and a checkout that waits for more is not', () => {
  const isAllSentBack = true;
  assert.deepEqual(shown({ payments: [confirmed(500n, 5)], isAllSentBack }), ['REFUNDED', 'PARTIAL', 'DUPLICATE']);
  assert.deepEqual(shown({ payments: [confirmed(500n, 5, { takenUnits: 500n })], isAllSentBack }), [
    'REFUNDED',
    'PARTIAL',
  ]);
  assert.deepEqual(shown({ payments: [confirmed(500n, 5)], isAllSentBack }, 30), ['PENDING', 'PARTIAL']);
  assert.deepEqual(shown({ payments: [confirmed(500n, 5)] }), ['UNDERPAID', 'PARTIAL']);
  assert.deepEqual(shown({ isAllSentBack }), ['EXPIRED']);
});

test('a credited checkout is refunded when the merchant has given all of it back, unless it is being taken back', () => {
  const credited = { isSettled: true, creditedAs: 'COMPLETED' as const, isCreditRefunded: true };
  assert.deepEqual(shown({ ...credited, payments: [settled(1000n, 5)] }), ['REFUNDED']);
  assert.deepEqual(shown({ ...credited, isCreditRefunded: false, payments: [settled(1000n, 5)] }), ['COMPLETED']);
  assert.deepEqual(
    shown({ ...credited, isCreditRefunded: false, isAllSentBack: true, payments: [settled(1000n, 5)] }),
    ['COMPLETED'],
  );
  const vanished = derive({ ...credited, payments: [settled(1000n, 5, { state: 'SEEN', blockTime: null })] });
  assert.deepEqual([vanished.state, vanished.isReversalDue], ['PROCESSING', true]);
});

test('refunded stays refunded, whatever comes, but for what was refunded', () => {
  for (const payments of [[], [confirmed(1000n, 5)], [seen(2000n, 70)], [settled(1000n, 5)]])
    assert.equal(derive({ refundedWith: [], payments }).state, 'REFUNDED');
});

const refunded = (changes: Partial<CheckoutFacts>) => {
  const derived = derive({ refundedWith: [], ...changes });
  assert.equal(derived.state, 'REFUNDED');
  return derived.exceptions;
};

test('a refunded checkout keeps what was odd then, but for a missing market', () => {
  assert.deepEqual(refunded({ refundedWith: ['LATE', 'NO_MARKET', 'PARTIAL'] }), ['LATE', 'PARTIAL']);
});

test('and says what is odd since: a reorganisation, a wrong asset, an excess, but nothing else', () => {
  assert.deepEqual(refunded({ reversals: 1 }), ['REORGED']);
  assert.deepEqual(refunded({ hasStrays: true }), ['WRONG_ASSET']);
  const overpaid = { isSettled: true, hasExcess: true, payments: [settled(2000n, 5)] };
  assert.deepEqual(refunded(overpaid), ['OVERPAID']);
  assert.deepEqual(refunded({ payments: [confirmed(10n, 5, { place: 'none' })] }), [], 'PARTIAL is of no order');
});

test('what arrives after the refund is a duplicate, as soon as it is booked and while anything is left of it', () => {
  const duplicate = (payment: Parameters<typeof confirmed>[2]) => refunded({ payments: [confirmed(100n, 5, payment)] });
  assert.deepEqual(duplicate({ place: 'pending' }), ['DUPLICATE']);
  assert.deepEqual(duplicate({ place: 'suspense' }), ['DUPLICATE']);
  assert.deepEqual(duplicate({ place: 'none' }), []);
  assert.deepEqual(duplicate({ place: 'settled' }), []);
  assert.deepEqual(duplicate({ commitmentId: null }), ['WRONG_ASSET']);
  assert.deepEqual(duplicate({ takenUnits: 100n }), []);
  assert.deepEqual(duplicate({ takenUnits: 99n }), ['DUPLICATE']);
});

test("what comes in place of a credited payment that vanished is the merchant's, who has given it back", () => {
  const again = { refundedWith: [], payments: [confirmed(1000n, 5)], wasCreditRefunded: true };
  const settling = derive(again);
  assert.deepEqual([settling.state, settling.exceptions, settling.isSettlementDue], ['REFUNDED', [], true]);
  assert.deepEqual(derive({ ...again, isMarketMissing: true }).exceptions, ['NO_MARKET']);
  const nobody = derive({ ...again, wasCreditRefunded: false, isMarketMissing: true });
  assert.deepEqual([nobody.exceptions, nobody.isSettlementDue], [['DUPLICATE'], false]);
  const little = derive({ ...again, payments: [confirmed(10n, 5)], isMarketMissing: true });
  assert.deepEqual([little.exceptions, little.isSettlementDue], [['DUPLICATE'], false]);
});

test('and is valued first if it came late', () => {
  const late = { refundedWith: [], lateTolerance: decimal('0.05'), payments: [confirmed(1000n, 70)] };
  const mine = derive({ ...late, wasCreditRefunded: true, isMarketMissing: true });
  assert.deepEqual([mine.isValuationDue, mine.exceptions], [true, ['NO_MARKET']]);
  const nobodys = derive(late);
  assert.deepEqual([nobodys.isValuationDue, nobodys.exceptions], [false, ['DUPLICATE']]);
  const little = derive({ ...late, wasCreditRefunded: true, payments: [confirmed(10n, 70)] });
  assert.deepEqual([little.isValuationDue, little.exceptions], [false, ['DUPLICATE']]);
});

test('of a refunded checkout nothing else is due', () => {
  const derived = derive({
    refundedWith: [],
    acceptFrom: decimal('0.1'),
    lateTolerance: decimal('0.05'),
    payments: [confirmed(500n, 5), seen(1000n, 70, { valuations: [valued(9000n, 70)] })],
  });
  const { isAccepted, isAcceptanceDue, isDevalued, isOverdue, lookAgainAt, isReversalDue } = derived;
  assert.deepEqual(
    [isAccepted, isAcceptanceDue, isDevalued, isOverdue, lookAgainAt, isReversalDue],
    [false, false, false, false, null, false],
  );
});

test('of a settled checkout nothing is due', () => {
  const { exceptions, state, ...rest } = derive({ isSettled: true, payments: [settled(1000n, 5)] });
  assert.deepEqual([state, exceptions], ['COMPLETED', []]);
  assert.deepEqual(rest, {
    isSettlementDue: false,
    paidAt: null,
    isReversalDue: false,
    isAccepted: false,
    isAcceptanceDue: false,
    isValuationDue: false,
    isDevalued: false,
    isOverdue: false,
    lookAgainAt: null,
  });
});

test('what was accepted for its worth although its units were enough came late', () => {
  const devalued = {
    payments: [settled(1000n, 70, { valuations: [valued(2000n, 70)] })],
    lateTolerance: decimal('0.05'),
  };
  assert.deepEqual(shown({ isSettled: true, ...devalued }), ['RESOLVED', 'PARTIAL', 'LATE']);
  assert.deepEqual(shown({ isSettled: true, payments: [settled(500n, 5)] }), ['RESOLVED', 'PARTIAL']);
  assert.deepEqual(shown({ isSettled: true, payments: [settled(1000n, 70)] }), ['DELAYED_COMPLETED', 'LATE']);
});

test('enough that no block takes is overdue when its grace ends, unless the rest is enough without it', () => {
  const overdue = (minute: number, ...payments: CheckoutFacts['payments']) => {
    const { state, isOverdue, lookAgainAt } = derive({ payments }, minute);
    return [state, isOverdue, lookAgainAt];
  };
  assert.deepEqual(overdue(299, seen(1000n, 5)), ['PROCESSING', false, at(300)]);
  assert.deepEqual(overdue(300, seen(1000n, 5)), ['PROCESSING', true, null]);
  assert.deepEqual(overdue(300, seen(500n, 5), confirmed(500n, 6)), ['PROCESSING', true, null]);
  assert.deepEqual(overdue(300, seen(500n, 5), confirmed(1000n, 6)), ['PROCESSING', false, null]);
  assert.deepEqual(overdue(290, seen(500n, 70), seen(500n, 5)), ['PROCESSING', false, at(300)], 'the first of them');
  assert.deepEqual(overdue(290, seen(500n, 5), seen(500n, 70)), ['PROCESSING', false, at(300)]);
  assert.deepEqual(overdue(305, seen(500n, 70), seen(500n, 5)), ['PROCESSING', true, at(310)]);
  assert.deepEqual(overdue(90, confirmed(1000n, 5)), ['PROCESSING', false, null]);
});

test('a missing market is told only while something waits for it', () => {
  const isMarketMissing = true;
  assert.deepEqual(shown({ isMarketMissing, payments: [confirmed(1000n, 5)] }), ['PROCESSING', 'NO_MARKET']);
  assert.deepEqual(shown({ isMarketMissing, payments: [seen(1000n, 5)] }), ['PROCESSING']);
  assert.deepEqual(shown({ isMarketMissing, payments: [seen(1000n, 70)], lateTolerance: decimal('0.05') }), [
    'PROCESSING',
    'NO_MARKET',
    'LATE',
  ]);
  assert.deepEqual(shown({ isMarketMissing, payments: [confirmed(500n, 5)], acceptedAt: at(70) }), [
    'UNDERPAID',
    'NO_MARKET',
    'PARTIAL',
  ]);
  assert.deepEqual(shown({ isMarketMissing, payments: [confirmed(500n, 5)] }), ['UNDERPAID', 'PARTIAL']);
});

test('an underpayment is accepted by itself from exactly the part that the merchant says', () => {
  const due = (units: bigint, changes: Partial<CheckoutFacts> = {}, minute = 90) =>
    derive({ acceptFrom: decimal('0.5'), payments: [confirmed(units, 5)], ...changes }, minute).isAcceptanceDue;
  assert.deepEqual([due(500n), due(499n), due(500n, { acceptFrom: null })], [true, false, false]);
  assert.equal(due(500n, { acceptedAt: at(70) }), false, 'it was accepted');
  assert.equal(due(500n, {}, 30), false, 'the customer may still pay');
  assert.equal(due(0n, { payments: [confirmed(600n, 5, { takenUnits: 1n })] }), false);
  assert.equal(
    due(0n, { payments: [confirmed(600n, 5), seen(9n, 70, { takenUnits: 1n })] }),
    true,
    'nothing confirmed was taken',
  );
});
