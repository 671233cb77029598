/** One commitment costs 1000 units and runs from minute 0 to minute 60, unless a test says otherwise. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at } from '../../test/sample-checkout.ts';
import { commitment, confirmed, facts, seen, settled, valued } from '../../test/sample-facts.ts';
import { decimal } from '../money/decimal.ts';
import {
  assertMove,
  type CheckoutException,
  type CheckoutFacts,
  type CheckoutState,
  canMove,
  checkoutStates,
  deriveCheckout,
  isCredited,
} from './checkout-state.ts';
import { type PaymentFact, portionsOf, windowEnd } from './payment-portions.ts';

function expectState(
  changes: Partial<CheckoutFacts>,
  minute: number,
  state: CheckoutState,
  exceptions: readonly CheckoutException[] = [],
) {
  const derived = deriveCheckout(facts(changes), at(minute));
  assert.deepEqual([derived.state, [...derived.exceptions].sort()], [state, [...exceptions].sort()]);
  return derived;
}

const grace = 4 * 60;
const day = 24 * 60;

test('a checkout without a commitment is created, or cancelled', () => {
  expectState({ commitments: [] }, 500, 'CREATED');
  expectState({ commitments: [], canceledAt: at(1) }, 2, 'CANCELED');
});

test('a committed checkout is pending until its window is over, and looks again then', () => {
  const { lookAgainAt } = expectState({}, 59.99, 'PENDING');
  assert.deepEqual(lookAgainAt, at(60));
  expectState({}, 60, 'EXPIRED');
});

test('a further commitment extends the window, and the older one still counts', () => {
  const commitments = [commitment('c1', 0), commitment('c2', 50, 7n)];
  expectState({ commitments }, 70, 'PENDING');
  expectState({ commitments }, 110, 'EXPIRED');
  expectState({ commitments, payments: [seen(1000n, 55)] }, 70, 'PROCESSING');
});

test('an expired or cancelled checkout that is committed again is pending again', () => {
  const commitments = [commitment('c1', 0), commitment('c2', 200)];
  expectState({ commitments }, 210, 'PENDING');
  expectState({ commitments, canceledAt: at(5) }, 210, 'PENDING');
});

test('enough that is only seen is processed and not credited', () => {
  const { isSettlementDue } = expectState({ payments: [seen(1000n, 5)] }, 6, 'PROCESSING');
  assert.equal(isSettlementDue, false);
});

test('enough that is confirmed is to be credited', () => {
  for (const state of ['CONFIRMED', 'FINAL'] as const) {
    const { isSettlementDue } = expectState({ payments: [confirmed(1000n, 5, { state })] }, 6, 'PROCESSING');
    assert.equal(isSettlementDue, true);
  }
});

test('seen enough but confirmed too little is not credited', () => {
  const payments = [confirmed(990n, 5), seen(10n, 6)];
  assert.equal(expectState({ payments }, 7, 'PROCESSING').isSettlementDue, false);
});

test('a part of the price leaves the checkout pending', () => {
  expectState({ payments: [seen(1n, 5)] }, 6, 'PENDING', ['PARTIAL']);
  expectState({ payments: [confirmed(400n, 5), seen(594n, 6)] }, 7, 'PENDING', ['PARTIAL']);
});

test('the tolerance is exact to the unit', () => {
  expectState({ payments: [seen(995n, 5)] }, 6, 'PROCESSING');
  expectState({ payments: [seen(994n, 5)] }, 6, 'PENDING', ['PARTIAL']);
  // 0.5 % of 1001 are 5.005 units: 995.995 would do, so 996 does and 995 does not.
  const commitments = [commitment('c1', 0, 1001n)];
  expectState({ commitments, payments: [seen(996n, 5)] }, 6, 'PROCESSING');
  expectState({ commitments, payments: [seen(995n, 5)] }, 6, 'PENDING', ['PARTIAL']);
  const tolerance = decimal('0');
  expectState({ tolerance, payments: [seen(999n, 5)] }, 6, 'PENDING', ['PARTIAL']);
  expectState({ tolerance, payments: [seen(1000n, 5)] }, 6, 'PROCESSING');
});

test('something must have arrived, however large the tolerance', () => {
  expectState({ tolerance: decimal('1') }, 6, 'PENDING');
  expectState({ tolerance: decimal('1'), payments: [seen(1n, 5)] }, 6, 'PROCESSING');
});

test('parts on two networks add up as exact fractions', () => {
  const commitments = [commitment('c1', 0, 3n), commitment('c2', 1, 30_000_000n)];
  const tolerance = decimal('0');
  const third = confirmed(1n, 5);
  const rest = (units: bigint) => confirmed(units, 6, { commitmentId: 'c2' });
  expectState({ commitments, tolerance, payments: [third, rest(20_000_000n)] }, 7, 'PROCESSING');
  expectState({ commitments, tolerance, payments: [third, rest(19_999_999n)] }, 7, 'PENDING', ['PARTIAL']);
});

test('replaced and dropped payments do not count', () => {
  const payments = [seen(1000n, 5, { state: 'REPLACED' }), seen(1000n, 6, { state: 'DROPPED' })];
  expectState({ payments }, 7, 'PENDING');
  expectState({ payments }, 61, 'EXPIRED');
});

test('when the window is over, a confirmed part is an underpayment', () => {
  expectState({ payments: [confirmed(500n, 5)] }, 59, 'PENDING', ['PARTIAL']);
  const { isSettlementDue } = expectState({ payments: [confirmed(500n, 5)] }, 60, 'UNDERPAID', ['PARTIAL']);
  assert.equal(isSettlementDue, false);
});

test('a part that was seen in time and is not confirmed keeps the checkout pending after the window', () => {
  const { lookAgainAt } = expectState({ payments: [seen(500n, 59.9)] }, 61, 'PENDING', ['PARTIAL']);
  assert.deepEqual(lookAgainAt, at(60 + grace), 'four hours after the window');
  expectState({ payments: [confirmed(300n, 5), seen(300n, 6)] }, 61, 'PENDING', ['PARTIAL']);
  expectState({ payments: [confirmed(300n, 5), seen(300n, 6, { state: 'DROPPED' })] }, 61, 'UNDERPAID', ['PARTIAL']);
});

test('a part that was seen after the window does not make an expired checkout pending', () => {
  expectState({ payments: [seen(500n, 60)] }, 62, 'EXPIRED', ['PARTIAL']);
  expectState({ payments: [confirmed(500n, 61)] }, 80, 'UNDERPAID', ['PARTIAL']);
});

test('a part that is in no block four hours after the window no longer keeps the checkout pending', () => {
  const payments = [seen(500n, 5)];
  expectState({ payments }, 60 + grace - 1, 'PENDING', ['PARTIAL']);
  const { lookAgainAt } = expectState({ payments }, 60 + grace, 'EXPIRED', ['PARTIAL']);
  assert.equal(lookAgainAt, null);
});

test('a part that came into a block in time is waited for until it is confirmed', () => {
  const payments = [seen(500n, 5, { blockTime: at(30 + grace) })];
  const { lookAgainAt } = expectState({ payments }, 70 + day, 'PENDING', ['PARTIAL']);
  assert.equal(lookAgainAt, null, 'only the network can change this');
});

test('cancelling ends the window at once, and a payment still revives the checkout', () => {
  const canceledAt = at(10);
  expectState({ canceledAt }, 10, 'CANCELED');
  expectState({ canceledAt }, 100, 'CANCELED');
  expectState({ canceledAt, payments: [seen(500n, 11)] }, 12, 'CANCELED', ['PARTIAL']);
  expectState({ canceledAt, payments: [confirmed(500n, 11)] }, 30, 'UNDERPAID', ['PARTIAL']);
  expectState({ canceledAt, payments: [seen(1000n, 11)] }, 12, 'PROCESSING', ['LATE']);
  const done = { canceledAt, isSettled: true };
  expectState({ ...done, payments: [settled(1000n, 11)] }, 30, 'DELAYED_COMPLETED', ['LATE']);
  expectState({ ...done, payments: [settled(1000n, 9)] }, 30, 'COMPLETED');
});

test('what was cancelled is over, though the clock that is asked is behind the one that noted it', () => {
  const canceledAt = at(10);
  assert.equal(expectState({ canceledAt }, 9.99, 'CANCELED').lookAgainAt, null);
  expectState({ canceledAt, payments: [seen(500n, 9)] }, 9.99, 'CANCELED', ['PARTIAL']);
});

test('cancelling late does not reopen a window that had ended', () => {
  assert.deepEqual(windowEnd(facts({ canceledAt: at(90) })), at(60));
});

test('paid in full in time is completed, whenever it confirms', () => {
  expectState({ isSettled: true, payments: [settled(1000n, 59.9, { blockTime: at(299) })] }, 400, 'COMPLETED');
});

test('paid in full after the window is delayed', () => {
  const payments = [confirmed(1000n, 60)];
  expectState({ payments }, 80, 'PROCESSING', ['LATE']);
  expectState({ isSettled: true, payments: [settled(1000n, 61)] }, 80, 'DELAYED_COMPLETED', ['LATE']);
});

test('the payment that fills the price decides whether it is late', () => {
  const inTime = [settled(300n, 5), settled(700n, 59)];
  expectState({ isSettled: true, payments: inTime }, 90, 'COMPLETED');
  const late = [settled(300n, 5), settled(700n, 61)];
  expectState({ isSettled: true, payments: late }, 90, 'DELAYED_COMPLETED', ['LATE']);
  const more = [settled(1000n, 5), settled(700n, 61)];
  expectState({ isSettled: true, payments: more }, 90, 'COMPLETED');
});

test('a block that is older than our first sight of the payment proves that it was in time', () => {
  expectState({ isSettled: true, payments: [settled(1000n, 200, { blockTime: at(59) })] }, 210, 'COMPLETED');
});

test('a payment that is in no block four hours after the window is late, although it was seen in time', () => {
  expectState({ payments: [seen(1000n, 5)] }, 60 + grace - 1, 'PROCESSING');
  expectState({ payments: [seen(1000n, 5)] }, 60 + grace, 'PROCESSING', ['LATE']);
  const mined = (minute: number) => [settled(1000n, 5, { blockTime: at(minute) })];
  expectState({ isSettled: true, payments: mined(59 + grace) }, 9 * day, 'COMPLETED');
  expectState({ isSettled: true, payments: mined(60 + grace) }, 9 * day, 'DELAYED_COMPLETED', ['LATE']);
});

test('a network without blocks never makes a confirmed payment late', () => {
  expectState({ isSettled: true, payments: [settled(1000n, 5, { blockTime: null })] }, 9 * day, 'COMPLETED');
});

test('what the merchant was told stays, even if the payment is then found in a later block', () => {
  const payments = [settled(1000n, 5, { blockTime: at(3 * day) })];
  expectState({ isSettled: true, creditedAs: 'COMPLETED', payments }, 4 * day, 'COMPLETED');
});

test('a quote holds to the end of its own window, even while a later commitment keeps the checkout open', () => {
  const commitments = [commitment('c1', 0), commitment('c2', 59)];
  const isLate = (payment: PaymentFact) => portionsOf(facts({ commitments }), payment, at(100))[0]?.isLate;
  assert.equal(isLate(confirmed(1000n, 59.9)), false);
  assert.equal(isLate(confirmed(1000n, 60)), true);
  assert.equal(isLate(confirmed(1000n, 61, { commitmentId: 'c2' })), false);
  expectState({ commitments, isSettled: true, payments: [settled(1000n, 61)] }, 100, 'COMPLETED');
});

const lateTolerance = decimal('0.05');

test('what came late is worth what it was when it was seen: down to the late tolerance that is enough', () => {
  const late = (priceUnits: bigint, units = 1000n) => [confirmed(units, 70, { valuations: [valued(priceUnits, 70)] })];
  const enough = expectState({ lateTolerance, payments: late(1052n) }, 90, 'PROCESSING', ['LATE']);
  assert.equal(enough.isSettlementDue, true);
  const tooLittle = expectState({ lateTolerance, payments: late(1054n) }, 90, 'UNDERPAID', ['PARTIAL', 'LATE']);
  assert.deepEqual([tooLittle.isSettlementDue, tooLittle.isDevalued], [false, true]);
  expectState({ lateTolerance, payments: late(1054n, 1010n) }, 90, 'PROCESSING', ['LATE']);
  expectState({ lateTolerance: decimal('1'), payments: late(9999n) }, 90, 'PROCESSING', ['LATE']);
  expectState({ lateTolerance: decimal('0'), payments: late(1005n) }, 90, 'PROCESSING', ['LATE']); // the tolerance
  expectState({ lateTolerance: decimal('0'), payments: late(1006n) }, 90, 'UNDERPAID', ['PARTIAL', 'LATE']);
});

test('a late tolerance forgives a loss of value, and no missing units', () => {
  const payments = [confirmed(994n, 70, { valuations: [valued(1000n, 70)] })];
  expectState({ lateTolerance, payments }, 90, 'UNDERPAID', ['PARTIAL']);
  const risen = [confirmed(500n, 70, { valuations: [valued(500n, 70)] })];
  expectState({ lateTolerance, payments: risen }, 90, 'UNDERPAID', ['PARTIAL']);
});

test('only the late part is valued anew', () => {
  const inTime = confirmed(900n, 5, { valuations: [valued(9000n, 5)] });
  const rest = (priceUnits: bigint) => confirmed(100n, 70, { valuations: [valued(priceUnits, 70)] });
  expectState({ lateTolerance, payments: [inTime, rest(2000n)] }, 90, 'PROCESSING', ['LATE']);
  expectState({ lateTolerance, payments: [inTime, rest(2100n)] }, 90, 'UNDERPAID', ['PARTIAL', 'LATE']);
});

test('what has no value yet is awaited, and credited to nobody', () => {
  const derived = expectState({ lateTolerance, payments: [confirmed(1000n, 70)] }, 90, 'PROCESSING', ['LATE']);
  assert.deepEqual([derived.isSettlementDue, derived.isValuationDue], [false, true]);
  const isMarketMissing = true;
  expectState({ lateTolerance, isMarketMissing, payments: [confirmed(1000n, 70)] }, 90, 'PROCESSING', [
    'LATE',
    'NO_MARKET',
  ]);
});

test('a block that comes hours after the first sight decides the value, and another block another one', () => {
  const at70 = valued(1000n, 70);
  const payment = (minute: number, ...more: (typeof at70)[]) => [
    confirmed(1000n, 70, { blockTime: at(minute), valuations: [at70, ...more] }),
  ];
  const facts = { lateTolerance };
  assert.equal(expectState({ ...facts, payments: payment(309) }, 900, 'PROCESSING', ['LATE']).isSettlementDue, true);
  const unvalued = expectState({ ...facts, payments: payment(310) }, 900, 'PROCESSING', ['LATE']);
  assert.deepEqual([unvalued.isSettlementDue, unvalued.isValuationDue], [false, true]);
  const inBlock = valued(2000n, 310, 'BLOCK');
  expectState({ ...facts, payments: payment(310, inBlock) }, 900, 'UNDERPAID', ['PARTIAL', 'LATE']);
  assert.equal(
    expectState({ ...facts, payments: payment(311, inBlock) }, 900, 'PROCESSING', ['LATE']).isValuationDue,
    true,
  );
});

test('a replacement is in time only with what it inherited', () => {
  const inherited = [{ units: '6', seenAt: at(59).toISOString(), valuation: null }];
  const payments = (priceUnits: bigint) => [
    confirmed(1000n, 200, { inherited, valuations: [valued(priceUnits, 200)] }),
  ];
  expectState({ lateTolerance, payments: payments(2000n) }, 300, 'UNDERPAID', ['PARTIAL', 'LATE']);
  expectState({ lateTolerance, payments: payments(1000n) }, 300, 'PROCESSING', ['LATE']);
  const all = [{ units: '1000', seenAt: at(59).toISOString(), valuation: null }];
  expectState({ lateTolerance, payments: [confirmed(1000n, 200, { inherited: all })] }, 290, 'PROCESSING');
});

test('a late part that is worth enough of the price is accepted by itself, if the merchant wants that', () => {
  const payments = [confirmed(1000n, 70, { place: 'suspense', valuations: [valued(1100n, 70)] })];
  const due = (acceptFrom: string) =>
    expectState({ lateTolerance, acceptFrom: decimal(acceptFrom), payments }, 90, 'UNDERPAID', ['PARTIAL', 'LATE'])
      .isAcceptanceDue;
  assert.deepEqual([due('0.9'), due('0.91')], [true, false]);
});

test('an accepted underpayment is to be credited, and is then resolved', () => {
  const payments = [confirmed(500n, 5, { place: 'suspense' })];
  const due = expectState({ acceptedAt: at(70), payments }, 70, 'UNDERPAID', ['PARTIAL']);
  assert.equal(due.isSettlementDue, true);
  expectState({ acceptedAt: at(70), isSettled: true, payments: [settled(500n, 5)] }, 71, 'RESOLVED', ['PARTIAL']);
});

test('an acceptance credits nothing while nothing is confirmed', () => {
  const { isSettlementDue } = expectState({ acceptedAt: at(70), payments: [seen(500n, 65)] }, 71, 'EXPIRED', [
    'PARTIAL',
  ]);
  assert.equal(isSettlementDue, false);
});

test('an acceptance waits when the rest of the price is on its way after all', () => {
  const payments = [confirmed(500n, 5), seen(500n, 65)];
  const { isSettlementDue } = expectState({ acceptedAt: at(70), payments }, 71, 'PROCESSING', ['LATE']);
  assert.equal(isSettlementDue, false);
});

test('an acceptance does not cover less than what was accepted', () => {
  const acceptedShare = { numerator: 1n, denominator: 2n };
  const derive = (units: bigint) =>
    deriveCheckout(facts({ acceptedAt: at(70), acceptedShare, payments: [confirmed(units, 5)] }), at(99));
  assert.equal(derive(500n).isSettlementDue, true);
  assert.equal(derive(499n).isSettlementDue, false);
  assert.equal(derive(499n).state, 'UNDERPAID');
});

test('a credited payment that is no longer confirmed demands a reversal', () => {
  for (const state of ['SEEN', 'REPLACED', 'DROPPED'] as const) {
    const payments = [settled(1000n, 5, { state, blockTime: null })];
    const derived = deriveCheckout(facts({ isSettled: true, creditedAs: 'COMPLETED', payments }), at(20));
    assert.equal(derived.isReversalDue, true);
    assert.equal(derived.isSettlementDue, false);
    assert.ok(derived.exceptions.includes('REORGED') && !isCredited(derived.state));
  }
});

test('after a reversal the checkout is processed again while enough is seen, and else goes by the clock', () => {
  const reversals = 1;
  expectState({ reversals, payments: [seen(1000n, 5)] }, 20, 'PROCESSING', ['REORGED']);
  expectState({ reversals, payments: [seen(1000n, 5, { state: 'DROPPED' })] }, 20, 'PENDING', ['REORGED']);
  expectState({ reversals, payments: [seen(1000n, 5, { state: 'DROPPED' })] }, 80, 'EXPIRED', ['REORGED']);
  const payments = [seen(600n, 5, { state: 'DROPPED' }), confirmed(400n, 6)];
  expectState({ reversals, payments }, 80, 'UNDERPAID', ['REORGED', 'PARTIAL']);
});

test('another payment after the credit is a duplicate, and changes nothing else', () => {
  const payments = [settled(1000n, 5), seen(1000n, 20)];
  expectState({ isSettled: true, payments }, 21, 'COMPLETED', ['DUPLICATE']);
  const parked = [settled(1000n, 5), confirmed(1n, 20, { place: 'suspense' })];
  expectState({ isSettled: true, payments: parked }, 21, 'COMPLETED', ['DUPLICATE']);
});

test('an excess is an overpayment', () => {
  expectState({ isSettled: true, hasExcess: true, payments: [settled(1500n, 5)] }, 21, 'COMPLETED', ['OVERPAID']);
});

test('an asset that nobody asked for counts for nothing', () => {
  const odd = confirmed(10n ** 9n, 5, { commitmentId: null, place: 'suspense' });
  expectState({ payments: [odd] }, 6, 'PENDING', ['WRONG_ASSET']);
  expectState({ payments: [odd] }, 60, 'EXPIRED', ['WRONG_ASSET']);
  expectState({ isSettled: true, payments: [settled(1000n, 5), odd] }, 60, 'COMPLETED', ['WRONG_ASSET']);
  expectState({ hasStrays: true }, 6, 'PENDING', ['WRONG_ASSET']);
});

test('a missing market is an exception only while it is what the credit waits for', () => {
  const isMarketMissing = true;
  expectState({ isMarketMissing, payments: [confirmed(1000n, 61)] }, 80, 'PROCESSING', ['LATE', 'NO_MARKET']);
  expectState({ isMarketMissing }, 80, 'EXPIRED');
  expectState({ isMarketMissing, isSettled: true, payments: [settled(1000n, 5)] }, 80, 'COMPLETED');
});

test('every state is reachable, and none is the end: a refund too may come back', () => {
  const reached = new Set<CheckoutState>(['CREATED']);
  for (const from of reached) for (const to of checkoutStates) if (canMove(from, to)) reached.add(to);
  assert.deepEqual([...reached].sort(), [...checkoutStates].sort());
  const ends = checkoutStates.filter((from) => checkoutStates.every((to) => from === to || !canMove(from, to)));
  assert.deepEqual(ends, []);
});

test('no credited state is left but through a reversal or a refund, and none is entered from nowhere', () => {
  for (const from of checkoutStates) {
    for (const to of checkoutStates) {
      if (from === to || !canMove(from, to)) continue;
      if (isCredited(from)) assert.ok(to === 'PROCESSING' || to === 'REFUNDED');
      const entrances = [to === 'RESOLVED' ? 'UNDERPAID' : 'PROCESSING', 'REFUNDED'];
      if (isCredited(to)) assert.ok(entrances.includes(from), `${from} becomes ${to}`);
    }
  }
});

test('an illegal move stops the operation', () => {
  assert.throws(() => assertMove('COMPLETED', 'EXPIRED'), /a checkout that is COMPLETED cannot become EXPIRED/);
  assert.throws(() => assertMove('REFUNDED', 'PENDING'));
  assert.throws(() => assertMove('PENDING', 'COMPLETED'));
});
