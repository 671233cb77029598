/** What is ordered of a market, of what, and what the treasury covers, when a settlement is of several pairs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, aDossier, aPayment, at, BTC, LTC, type PaymentTerms, USDC } from '../../test/sample-checkout.ts';
import type { Checkout, SettledPart } from '../checkouts/checkout.ts';
import type { VenueOrder } from '../venues/venue-order.ts';
import { bridgeWait, type ExchangeTerms, isUnbridged, planExchange, treasuryOnly } from './plan-exchange.ts';

const part = (paidAsset: string, counted: bigint, changes: Partial<SettledPart> = {}): SettledPart => ({
  commitmentId: 'c1',
  network: 'BITCOIN',
  paidAsset,
  creditedAsset: USDC,
  basis: 'QUOTE',
  countedUnits: counted.toString(),
  excessUnits: '0',
  feeUnits: '0',
  grossUnits: counted.toString(),
  netUnits: counted.toString(),
  ...changes,
});

const order = (changes: Partial<VenueOrder> = {}): VenueOrder => ({
  id: 'o1',
  reference: 'r',
  purpose: 'checkout',
  merchantId: 'm',
  ownerId: 'checkout',
  attempt: 1,
  sourceAsset: BTC,
  sourceUnits: 1000n,
  targetAsset: USDC,
  leastUnits: 1n,
  state: 'DONE',
  receivedUnits: 1000n,
  txHash: 'hash',
  failure: null,
  createdAt: at(1),
  endedAt: at(1),
  ...changes,
});

const dossier = (
  payments: readonly (Partial<PaymentTerms> & { units: bigint })[] = [],
  checkout: Partial<Checkout> = {},
) =>
  aDossier({
    commitments: [
      aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0, credited: USDC, gross: 1000n }),
      aCommitment({ id: 'c2', asset: LTC, due: 1000n, minute: 0, credited: USDC, gross: 600n }),
      aCommitment({ id: 'c3', asset: BTC, due: 1000n, minute: 0, credited: LTC, gross: 90_000n }),
    ],
    payments: payments.map((terms, position) => aPayment({ id: `p${position}`, minute: 1, ...terms })),
    checkout,
  });

const terms = (changes: Partial<ExchangeTerms> = {}): ExchangeTerms => ({
  ...treasuryOnly,
  venuesOf: () => ['stellar-dex'],
  orderOf: (_paid, _credited, units) => ({ sourceUnits: units, leastUnits: units - 1n }),
  ...changes,
});

const plan = (parts: readonly SettledPart[], changes: Partial<ExchangeTerms> = {}, some = dossier(), minute = 50) =>
  planExchange(some, parts, terms(changes), at(minute));
const whyOf = (outcome: ReturnType<typeof plan>) => ('why' in outcome ? outcome.why : 'credited');

test('an order says who it is for, of what, and which attempt it is', () => {
  const outcome = plan([part(BTC, 1000n)], { orders: [order({ sourceAsset: LTC })] }, dossier([], { settlements: 2 }));
  assert.ok('orders' in outcome);
  assert.deepEqual(outcome.orders, [
    {
      id: 'checkout:checkout:BTC:2',
      reference: 'settlement:checkout:3',
      attempt: 2,
      purpose: 'checkout',
      merchantId: 'm',
      ownerId: 'checkout',
      sourceAsset: BTC,
      targetAsset: USDC,
      sourceUnits: 1000n,
      leastUnits: 999n,
    },
  ]);
  assert.deepEqual(outcome.lookAgainAt, at(51));
});

test('without a venue at all, or without a rate for an order, there is no market', () => {
  assert.equal(whyOf(plan([part(BTC, 1000n)], { venuesOf: () => [] })), 'There is no market for this pair.');
  assert.equal(whyOf(plan([part(BTC, 1000n)], { orderOf: () => null })), 'There is no market for this pair.');
});

test('what is credited in the asset that was paid, or counts for nothing, is not exchanged', () => {
  const parts = [part(USDC, 500n), part(BTC, 0n, { excessUnits: '70' })];
  const outcome = plan(parts, { venuesOf: () => [] });
  assert.deepEqual('parts' in outcome && outcome.parts, parts);
});

test('a pair without a market holds up the others, and its reason is told', () => {
  const outcome = plan([part(BTC, 1000n), part(LTC, 500n)], {
    venuesOf: (paid) => (paid === BTC ? ['stellar-dex'] : []),
  });
  assert.ok('orders' in outcome);
  assert.deepEqual([outcome.orders.length, outcome.why], [1, 'There is no market for this pair.']);
});

test('an order that failed is tried again after a minute, and until then its reason is told', () => {
  const failed = order({ state: 'FAILED', failure: 'Nobody buys.', endedAt: at(49) });
  const tried = (minute: number) => {
    const outcome = plan([part(BTC, 1000n)], { orders: [failed] }, dossier(), minute);
    return 'orders' in outcome && [outcome.orders.length, outcome.why];
  };
  assert.deepEqual(
    [tried(49.5), tried(50)],
    [
      [0, 'Nobody buys.'],
      [1, 'Nobody buys.'],
    ],
  );
});

test('one in a hundred need not be exchanged', () => {
  const done = (units: bigint) => 'parts' in plan([part(BTC, 1000n)], { orders: [order({ sourceUnits: units })] });
  assert.deepEqual([done(990n), done(989n)], [true, false]);
});

test('the excess stays with the first piece, and each piece says where it was exchanged', () => {
  const orders = [
    order({ sourceUnits: 400n, txHash: 'a' }),
    order({ id: 'o2', attempt: 2, sourceUnits: 600n, txHash: 'b' }),
  ];
  const outcome = plan([part(BTC, 1000n, { excessUnits: '9', feeUnits: '10', netUnits: '990' })], { orders });
  assert.ok('parts' in outcome);
  assert.deepEqual(
    outcome.parts.map(({ countedUnits, excessUnits, grossUnits, feeUnits, netUnits, venue, tx }) =>
      [countedUnits, excessUnits, grossUnits, feeUnits, netUnits, venue, tx].join(' '),
    ),
    ['400 9 400 4 396 stellar-dex a', '600 0 600 6 594 stellar-dex b'],
  );
});

/** The treasury has so much for everything. */
const covers = (units: bigint, parts: readonly SettledPart[]) =>
  whyOf(plan(parts, { venuesOf: () => ['treasury'], treasuryUnits: () => units })) === 'credited';

test('the treasury covers all pairs of a settlement together, by quotes never more than the largest of them', () => {
  const both = [part(BTC, 700n), part(LTC, 500n, { commitmentId: 'c2' })];
  assert.deepEqual([covers(1000n, both), covers(999n, both)], [true, false], 'not 1200: a price is paid once');
  const little = [part(BTC, 300n), part(LTC, 200n)];
  assert.deepEqual([covers(500n, little), covers(499n, little)], [true, false]);
});

test('what is credited at another rate comes on top', () => {
  const parts = [part(BTC, 1000n), part(LTC, 200n, { basis: 'RATE_OF_ARRIVAL' })];
  assert.deepEqual([covers(1200n, parts), covers(1199n, parts)], [true, false]);
  const accepted = [part(BTC, 1000n), part(BTC, 300n, { basis: 'RATE_OF_ACCEPTANCE' })];
  assert.deepEqual([covers(1300n, accepted), covers(1299n, accepted)], [true, false]);
});

const bridged = terms({ needsBridge: (asset) => asset === BTC });

test('coins wait for the bridge only if they came elsewhere, need it, and nothing was issued for them', () => {
  const bridge = { txHash: 'x', at: at(2) };
  assert.equal(isUnbridged(aPayment({ id: 'p', units: 1n, minute: 1 }), bridged), true);
  assert.equal(isUnbridged(aPayment({ id: 'p', units: 1n, minute: 1, network: 'STELLAR' }), bridged), false);
  assert.equal(isUnbridged(aPayment({ id: 'p', units: 1n, minute: 1, bridge }), bridged), false);
  assert.equal(isUnbridged(aPayment({ id: 'p', units: 1n, minute: 1, asset: LTC }), bridged), false);
});

test('a credit waits ten minutes for the bridge, for what is to be credited', () => {
  const wait = (terms: Partial<PaymentTerms>, minute = 50, since: Date | null = at(45)) => {
    const waiting = bridgeWait(dossier([{ units: 10n, ...terms }], { awaitsBridgeSince: since }), bridged, at(minute));
    return waiting && [waiting.since, waiting.until];
  };
  assert.deepEqual(wait({}), [at(45), at(55)]);
  assert.deepEqual(wait({}, 54.9), [at(45), at(55)]);
  assert.equal(wait({}, 55), null);
  assert.deepEqual(wait({}, 50, null), [at(50), at(60)]);
  assert.equal(wait({ commitmentId: null }), null);
  assert.equal(wait({ state: 'SEEN' }), null);
  assert.equal(wait({ takenUnits: 10n }), null);
  assert.deepEqual(wait({ takenUnits: 9n }), [at(45), at(55)]);
});

test('an order waits only for coins of its own that are on their way', () => {
  const why = (payment: Partial<PaymentTerms>) => {
    const some = dossier([{ units: 1000n, ...payment }], { awaitsBridgeSince: at(2) });
    return whyOf(planExchange(some, [part(BTC, 1000n)], bridged, at(50)));
  };
  const late = 'The coins have not come to the market yet.';
  assert.equal(why({}), late);
  assert.equal(why({ asset: LTC }), null);
  assert.equal(why({ state: 'SEEN' }), null);
  assert.equal(why({ bridge: { txHash: 'x', at: at(2) } }), null);
  assert.equal(why({ network: 'STELLAR' }), null);
});

test('what is sold out of stock is only what was paid on another network', () => {
  const why = (payment: Partial<PaymentTerms>) =>
    whyOf(plan([part(BTC, 1000n)], { stockOf: () => 999n }, dossier([{ units: 1000n, ...payment }])));
  assert.equal(why({}), 'What was paid is not on the ledger of the market.');
  assert.equal(why({ network: 'STELLAR' }), null);
});

test('the treasury alone exchanges everything, at once and without limits', () => {
  const outcome = planExchange(dossier([{ units: 1000n }]), [part(BTC, 1000n)], treasuryOnly, at(50));
  assert.deepEqual('parts' in outcome && outcome.parts, [part(BTC, 1000n)]);
  assert.equal(treasuryOnly.homeOf(part(BTC, 1n)), 'BITCOIN');
  assert.equal(bridgeWait(dossier([{ units: 1000n }]), treasuryOnly, at(50)), null);
});
