/** What is exchanged when a checkout is paid in several steps, and what the record of it is made of. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, aDossier, aPayment, at, BTC, USDC } from '../../test/sample-checkout.ts';
import type { SettledPart } from '../checkouts/checkout.ts';
import type { VenueOrder } from '../venues/venue-order.ts';
import type { VenueName } from '../venues/venue-plan.ts';
import { type ExchangePlan, type ExchangeTerms, planExchange } from './plan-exchange.ts';

const aPart = (counted: bigint, changes: Partial<SettledPart> = {}): SettledPart => ({
  commitmentId: 'c1',
  network: 'BITCOIN',
  paidAsset: BTC,
  creditedAsset: USDC,
  basis: 'QUOTE',
  countedUnits: counted.toString(),
  excessUnits: '7',
  grossUnits: (counted * 6n + 1n).toString(),
  feeUnits: '11',
  netUnits: (counted * 6n - 10n).toString(),
  ...changes,
});

const anOrder = (attempt: number, units: bigint, changes: Partial<VenueOrder> = {}): VenueOrder => ({
  id: `order-${attempt}`,
  reference: 'settlement:checkout:1',
  purpose: 'checkout',
  merchantId: 'm',
  ownerId: 'checkout',
  attempt,
  sourceAsset: BTC,
  sourceUnits: units,
  targetAsset: USDC,
  leastUnits: 1n,
  state: 'DONE',
  receivedUnits: units * 6n,
  txHash: `hash-${attempt}`,
  failure: null,
  createdAt: at(attempt),
  endedAt: at(attempt),
  ...changes,
});

const failed = { state: 'FAILED', receivedUnits: null, txHash: null, failure: 'Nobody buys.' } as const;

const dossier = aDossier({
  commitments: [aCommitment({ id: 'c1', asset: BTC, due: 1_010_000n, minute: 0, credited: USDC })],
  payments: [aPayment({ id: 'p1', units: 1_010_000n, minute: 1 })], // no tokens have been issued for it
  checkout: { awaitsBridgeSince: at(2) },
});

function plan(
  orders: readonly VenueOrder[],
  parts: readonly SettledPart[],
  {
    venues = ['stellar-dex'] as readonly VenueName[],
    minute = 99,
    isBridged = false,
    stock = null as bigint | null,
    treasury = null as bigint | null,
  } = {},
): ExchangePlan {
  const terms: ExchangeTerms = {
    orders,
    venuesOf: () => venues,
    needsBridge: () => isBridged,
    stockOf: () => stock,
    homeOf: () => 'STELLAR',
    treasuryUnits: () => treasury,
    isTooFine: (_asset, units) => units < 10n,
    orderOf: (_paid, _credited, units) => ({ sourceUnits: units - (units % 10n), leastUnits: 1n }),
  };
  return planExchange(dossier, parts, terms, at(minute));
}

const ordered = (outcome: ExchangePlan): bigint[] =>
  'orders' in outcome ? outcome.orders.map(({ sourceUnits }) => sourceUnits) : [];
const piecesOf = (outcome: ExchangePlan): string[] =>
  'parts' in outcome ? outcome.parts.map(({ countedUnits, tx }) => `${countedUnits} ${tx ?? 'in the books'}`) : [];

test('what arrived after an exchange is exchanged too', () => {
  const outcome = plan([anOrder(1, 200_000n)], [aPart(1_010_000n)]);
  assert.deepEqual(ordered(outcome), [810_000n]);
  assert.equal('why' in outcome && outcome.why, null, 'a market is at work');
});

test('an order that is not done yet is waited for', () => {
  const pending = anOrder(2, 810_000n, { state: 'PENDING', txHash: null, endedAt: null });
  const outcome = plan([anOrder(1, 200_000n), pending], [aPart(1_010_000n)]);
  assert.deepEqual([ordered(outcome), piecesOf(outcome)], [[], []]);
});

test('an order that takes long is taken back where another venue could do it, or the merchant is told', () => {
  const orders = [anOrder(1, 1_010_000n, { state: 'PENDING', txHash: null, endedAt: null })];
  const planIn = (minute: number, venues: readonly VenueName[]): unknown => {
    const outcome = plan(orders, [aPart(1_010_000n)], { minute, venues });
    return 'why' in outcome && [outcome.overdue, outcome.why];
  };
  assert.deepEqual(planIn(10, ['stellar-dex']), [[], null]);
  assert.deepEqual(planIn(11, ['stellar-dex']), [[], 'The market has not carried it out yet.']);
  assert.deepEqual(planIn(11, ['stellar-dex', 'treasury']), [['order-1'], null]);
});

test('each exchange has its own transaction and its share of the credit, to the last unit', () => {
  const outcome = plan([anOrder(1, 200_000n), anOrder(2, 810_000n)], [aPart(1_010_003n)]);
  assert.deepEqual(piecesOf(outcome), ['200000 hash-1', '810003 hash-2']);
  assert.ok('parts' in outcome);
  const total = (field: 'grossUnits' | 'feeUnits' | 'netUnits' | 'excessUnits'): string =>
    outcome.parts.reduce((sum, part) => sum + BigInt(part[field]), 0n).toString();
  const { grossUnits, feeUnits, netUnits, excessUnits } = aPart(1_010_003n);
  assert.deepEqual(
    [total('grossUnits'), total('feeUnits'), total('netUnits'), total('excessUnits')],
    [grossUnits, feeUnits, netUnits, excessUnits],
  );
});

test('parts that were exchanged one after the other carry the transaction that was theirs', () => {
  const late = aPart(810_000n, { basis: 'RATE_OF_ARRIVAL' });
  const outcome = plan([anOrder(1, 200_000n), anOrder(2, 810_000n)], [aPart(200_000n), late]);
  assert.deepEqual(piecesOf(outcome), ['200000 hash-1', '810000 hash-2']);
});

test('a little more or less than what was exchanged is the operator’s', () => {
  assert.deepEqual(piecesOf(plan([anOrder(1, 1_000_000n)], [aPart(1_010_000n)])), ['1010000 hash-1']);
  assert.deepEqual(piecesOf(plan([anOrder(1, 1_000_000n)], [aPart(400_000n)])), ['400000 hash-1']);
  assert.deepEqual(ordered(plan([anOrder(1, 999_000n)], [aPart(1_010_000n)])), [11_000n]);
});

test('what the market does not take is exchanged by the next venue, and the record says so', () => {
  const venues = ['stellar-dex', 'treasury'] as const;
  assert.deepEqual(ordered(plan([anOrder(1, 200_000n)], [aPart(1_010_000n)], { venues })), [810_000n]);
  const orders = [anOrder(1, 200_000n), anOrder(2, 810_000n, failed)];
  assert.deepEqual(piecesOf(plan(orders, [aPart(1_010_000n)], { venues })), ['200000 hash-1', '810000 in the books']);
});

test('a market that failed before it exchanged is no news any more', () => {
  const outcome = plan([anOrder(1, 200_000n, failed), anOrder(2, 200_000n)], [aPart(1_010_000n)], { minute: 2 });
  assert.deepEqual(['why' in outcome && outcome.why, ordered(outcome)], [null, [810_000n]]);
});

test('what is too little for the ledger of the market does not wait for it', () => {
  assert.deepEqual(piecesOf(plan([], [aPart(9n)])), ['9 in the books']);
  assert.deepEqual(piecesOf(plan([anOrder(1, 80n)], [aPart(89n)])), ['80 hash-1', '9 in the books']);
});

test('coins that are long on their way to the market go elsewhere, or the merchant is told', () => {
  const whyIn = (minute: number): unknown => {
    const outcome = plan([], [aPart(1_010_000n)], { isBridged: true, minute });
    return 'why' in outcome && outcome.why;
  };
  assert.deepEqual([whyIn(11), whyIn(12)], [null, 'The coins have not come to the market yet.']);
  const venues = ['stellar-dex', 'treasury'] as const;
  assert.deepEqual(piecesOf(plan([], [aPart(1_010_000n)], { venues, isBridged: true })), ['1010000 in the books']);
});

test('what was paid on another network is sold out of what the market’s ledger has, or not there', () => {
  const parts = [aPart(1_010_000n)];
  assert.deepEqual(ordered(plan([], parts, { stock: 1_010_000n })), [1_010_000n]);
  const short = { stock: 1_009_999n };
  const waiting = plan([], parts, short);
  assert.deepEqual(ordered(waiting), []);
  assert.equal('why' in waiting && waiting.why, 'What was paid is not on the ledger of the market.');
  const elsewhere = plan([], parts, { ...short, venues: ['stellar-dex', 'treasury'] });
  assert.deepEqual(piecesOf(elsewhere), ['1010000 in the books']);
  assert.deepEqual(ordered(plan([], parts, { ...short, isBridged: true, minute: 2 })), [], 'tokens come by themselves');
});

test('an order beyond what is there is taken back after a while, so that others can send', () => {
  const pending = anOrder(1, 1_010_000n, { state: 'PENDING', txHash: null, endedAt: null });
  const overdueAt = (minute: number, stock: bigint) => {
    const outcome = plan([pending], [aPart(1_010_000n)], { minute, stock });
    return 'overdue' in outcome && outcome.overdue;
  };
  assert.deepEqual([overdueAt(10, -1n), overdueAt(12, -1n), overdueAt(12, 0n)], [[], ['order-1'], []]);
});

test('what the treasury cannot give goes to a market, and without one it waits', () => {
  const venues = ['stellar-dex', 'treasury'] as const;
  const part = { ...aPart(1_000n), grossUnits: '60' };
  const tried = anOrder(1, 1_000n, failed);
  assert.deepEqual(piecesOf(plan([tried], [part], { venues, treasury: 60n })), ['1000 in the books']);
  assert.deepEqual(ordered(plan([tried], [part], { venues, treasury: 59n })), [1_000n], 'the market is asked again');
  assert.deepEqual(ordered(plan([], [part], { venues: ['treasury', 'stellar-dex'], treasury: 59n })), [1_000n]);
  const short = plan([], [part], { venues: ['treasury'], treasury: 59n });
  assert.match('why' in short ? (short.why ?? '') : '', /not enough of the credited asset in stock/);
});

test('of what cannot be divided no piece has more than its share: the last one has the rest', () => {
  const part = aPart(3_000n, { feeUnits: '10', netUnits: '20', grossUnits: '30' });
  const outcome = plan([anOrder(1, 1_000n), anOrder(2, 1_000n), anOrder(3, 1_000n)], [part]);
  assert.ok('parts' in outcome);
  assert.deepEqual(
    outcome.parts.map(({ feeUnits, netUnits, grossUnits }) => [feeUnits, netUnits, grossUnits]),
    [
      ['3', '6', '9'],
      ['3', '7', '10'],
      ['4', '7', '11'],
    ],
  );
});

test('what the treasury has to give for a part of it is rounded up', () => {
  const half = [anOrder(1, 1_000n), anOrder(2, 1_000n, failed)];
  const isCovered = (basis: SettledPart['basis'], treasury: bigint): boolean => {
    const part = aPart(2_000n, { basis, grossUnits: '61' });
    return 'parts' in plan(half, [part], { venues: ['stellar-dex', 'treasury'], treasury });
  };
  for (const basis of ['QUOTE', 'RATE_OF_ARRIVAL'] as const)
    assert.deepEqual([isCovered(basis, 30n), isCovered(basis, 31n)], [false, true], basis);
});

test('a hundredth that was not exchanged is not waited for, and a unit more is', () => {
  assert.deepEqual(piecesOf(plan([anOrder(1, 99_000n)], [aPart(100_000n)])), ['100000 hash-1']);
  assert.deepEqual(ordered(plan([anOrder(1, 98_990n)], [aPart(100_000n)])), [1_010n]);
});
