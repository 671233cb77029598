/** What is noted, ordered and told while a credit is due. `litecoin` costs 10 000 units and is credited as 79 000 of USDC. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, aDossier, aRefund, at, BTC, LTC, sampleTerms, USDC } from '../../test/sample-checkout.ts';
import { balancesOf, eventsOf, postedBy, type Story, tellStory } from '../../test/settlement-story.ts';
import { beginDraft, type Draft, forgetUnusedAcceptance, moveTo } from './advance-draft.ts';
import { type AdvancePlan, planAdvance } from './plan-advance.ts';
import { type ExchangeTerms, shortOfStock, treasuryOnly } from './plan-exchange.ts';

const bitcoin = aCommitment({ id: 'c1', asset: BTC, due: 1_000n, minute: 0 });
const litecoin = aCommitment({ id: 'c1', asset: LTC, due: 10_000n, credited: USDC, gross: 79_000n, minute: 0 });
const rates = sampleTerms({ LTC: '80', USDC: '1' });
const exchangedBy = (exchange: Partial<ExchangeTerms>) => ({ ...rates, exchange: { ...treasuryOnly, ...exchange } });
const market = exchangedBy({
  venuesOf: () => ['stellar-dex'],
  orderOf: (_paid, _credited, units) => ({ sourceUnits: units, leastUnits: 1n }),
});
const notesOf = ({ notes }: AdvancePlan) => notes.map(({ what, why }) => [what, why ?? {}]);

/** What would be done. Whoever really does it knows of the order the next time. */
const planned = ({ dossier, ledger }: Story, minute: number, terms = market): AdvancePlan =>
  planAdvance(dossier, terms, ledger.merchantBalances('m', [BTC, LTC, USDC]), at(minute));

function paid(commitment = litecoin, minute = 5): Story {
  const story = tellStory([commitment]);
  story.pay({ id: 'p', units: commitment.dueUnits, minute, asset: commitment.asset });
  return story;
}

test('a credit that needs no market orders nothing, waits for nothing and is told without a refund', () => {
  const plan = paid(bitcoin).advance(10);
  assert.deepEqual([plan.orders, plan.overdueOrders, plan.isShortOfStock], [[], [], false]);
  assert.deepEqual(Object.keys(plan.events[0] ?? {}), ['type', 'dossier']);
});

test('what a market is to exchange is ordered and noted once, and nothing is odd about it', () => {
  const story = paid();
  const plan = planned(story, 10);
  assert.deepEqual(notesOf(plan), [
    ['exchange_ordered', { attempt: 1 }],
    ['state', { from: 'PENDING', to: 'PROCESSING' }],
  ]);
  assert.deepEqual(
    plan.orders.map(({ sourceUnits, attempt }) => [sourceUnits, attempt]),
    [[10_000n, 1]],
  );
  assert.deepEqual([plan.overdueOrders, plan.isShortOfStock, plan.after.checkout.exceptions], [[], false, []]);
});

test('an order that takes too long is to be taken back', () => {
  const story = paid();
  const [order] = planned(story, 10).orders;
  assert.ok(order);
  const pending = {
    ...order,
    state: 'PENDING',
    createdAt: at(10),
    endedAt: null,
    txHash: null,
    failure: null,
  } as const;
  const terms = exchangedBy({
    venuesOf: () => ['stellar-dex', 'treasury'],
    orders: [{ ...pending, targetUnits: null } as never],
  });
  assert.deepEqual(planned(story, 11, terms).overdueOrders, []);
  assert.deepEqual(planned(story, 9_999, terms).overdueOrders, [order.id]);
});

test('without a market the merchant is told so once, beside whatever else is odd', () => {
  const story = paid(litecoin, 70); // late
  const nobody = exchangedBy({ venuesOf: () => [] });
  const plan = story.advance(75, nobody);
  assert.deepEqual(
    plan.notes.filter(({ what }) => what === 'no_market'),
    [{ what: 'no_market', why: { reason: 'There is no market for this pair.' } }],
  );
  assert.deepEqual(new Set(story.dossier.checkout.exceptions), new Set(['NO_MARKET', 'LATE']));
  assert.equal(plan.isShortOfStock, false);
  assert.deepEqual(notesOf(story.advance(80, nobody)), [], 'it is known');

  const done = story.advance(81, rates);
  assert.deepEqual([eventsOf(done), story.dossier.checkout.exceptions], [['CHECKOUT_COMPLETED'], ['LATE']]);
});

test('once a venue is at work there is a market again', () => {
  const story = paid(litecoin, 70);
  story.advance(75, exchangedBy({ venuesOf: () => [] }));
  const plan = planned(story, 76);
  assert.deepEqual(notesOf(plan), [['exchange_ordered', { attempt: 1 }]]);
  assert.deepEqual(plan.after.checkout.exceptions, ['LATE']);
});

test('a treasury that has too little says so, and only then is it short', () => {
  const story = paid();
  const plan = story.advance(10, exchangedBy({ treasuryUnits: () => 0n }));
  assert.deepEqual([plan.isShortOfStock, notesOf(plan)[0]], [true, ['no_market', { reason: shortOfStock }]]);
});

test('rates are stored again only when they have changed', () => {
  const story = tellStory([litecoin]);
  story.pay({ id: 'p', units: 9_960n, minute: 70, asset: LTC }); // enough, within the tolerance
  const waiting = exchangedBy({ venuesOf: () => [] });
  story.advance(75, waiting);
  const kept = story.dossier.checkout.keptRates;
  assert.equal(kept.length, 1);
  story.advance(76, waiting);
  assert.equal(story.dossier.checkout.keptRates, kept, 'the very same');
  story.pay({ id: 'q', units: 40n, minute: 77, asset: LTC });
  story.advance(80, waiting);
  assert.deepEqual(
    story.dossier.checkout.keptRates.map(({ paymentId }) => paymentId),
    ['p', 'q'],
  );
});

test('the wait for the bridge is noted once, orders nothing and ends without a word', () => {
  const bridged = exchangedBy({ needsBridge: () => true });
  const story = paid(bitcoin);
  const waiting = story.advance(6, bridged);
  assert.deepEqual(
    notesOf(waiting).map(([what]) => what),
    ['bridge_awaited', 'state'],
  );
  assert.deepEqual([waiting.orders, waiting.overdueOrders], [[], []]);
  assert.deepEqual(notesOf(story.advance(7, bridged)), []);
  story.change('p', { state: 'SEEN', blockTime: null });
  assert.deepEqual(notesOf(story.advance(8, bridged)), []);
  assert.equal(story.dossier.checkout.awaitsBridgeSince, null);
});

test('what came in an asset that nobody chose is not credited with the price, but kept apart', () => {
  const story = paid(bitcoin);
  story.pay({ id: 'odd', units: 77n, minute: 6, asset: LTC, commitmentId: null });
  story.advance(10);
  assert.deepEqual(
    story.dossier.payments.map(({ id, place }) => [id, place]),
    [
      ['p', 'settled'],
      ['odd', 'suspense'],
    ],
  );
  assert.equal(balancesOf(story.ledger)['suspense LTC'], 77n);
});

test('an event about a refund names it', () => {
  const story = tellStory([bitcoin]);
  story.pay({ id: 'p', units: 600n, minute: 5 });
  story.advance(61);
  const refund = aRefund({
    id: 'r',
    asset: BTC,
    units: 600n,
    takes: [{ paymentId: 'p', units: '600', feeUnits: '0' }],
  });
  story.refund(refund);
  story.advance(62);
  story.refund({ ...refund, state: 'COMPLETED', txHash: 'tx' });
  const plan = story.advance(63);
  assert.deepEqual(
    plan.events.map(({ type, refund: about }) => [type, about?.id, about?.place]),
    [['REFUND_COMPLETED', 'r', 'sent']],
  );
});

test('a credit that was refunded, taken back and granted again is no reason to ship', () => {
  const story = paid(bitcoin);
  story.advance(10);
  const refund = aRefund({
    id: 'r',
    asset: BTC,
    units: 1_000n,
    takes: [],
    context: 'COMPLETED_CHECKOUT' as const,
    covers: [{ commitmentId: 'c1', units: '1000' }],
  });
  story.refund(refund);
  story.advance(11);
  story.refund({ ...refund, state: 'COMPLETED', txHash: 'tx' });
  assert.deepEqual(eventsOf(story.advance(12)), ['REFUND_COMPLETED']);
  story.change('p', { state: 'SEEN', blockTime: null });
  assert.deepEqual(eventsOf(story.advance(13)), ['CHECKOUT_REVERSED']);
  assert.equal(story.dossier.checkout.state, 'REFUNDED', 'the customer has it all the same');
  story.change('p', { state: 'CONFIRMED', blockTime: at(14) });
  const again = story.advance(14);
  assert.deepEqual([eventsOf(again), notesOf(again)], [[], [['credited_again', {}]]]);
  assert.ok(postedBy(again)['settlement settlement:checkout:2']);
  assert.deepEqual(
    story.dossier.settlements.map(({ reversedAt }) => reversedAt),
    [at(13), null],
    'an earlier one stays as it was',
  );
  story.change('p', { state: 'SEEN', blockTime: null });
  story.advance(15);
  assert.deepEqual(
    story.dossier.settlements.map(({ reversedAt }) => reversedAt),
    [at(13), at(15)],
  );
});

const draft = (checkout: Parameters<typeof aDossier>[0]['checkout'], settledAt: Date | null = null): Draft => {
  const dossier = aDossier({ commitments: [bitcoin], checkout: checkout ?? {} });
  const settlements = settledAt ? [{ generation: 1, reference: 's', parts: [], settledAt, reversedAt: at(50) }] : [];
  return beginDraft({ ...dossier, settlements }, rates, { available: new Map(), owed: new Map() }, at(60));
};

test('a move that the table does not know stops everything', () => {
  assert.throws(() => moveTo(draft({ state: 'COMPLETED' }), 'CREATED', []));
  assert.throws(() => moveTo(draft({ state: 'PENDING' }), 'RESOLVED', []));
  const moved = moveTo(draft({ state: 'PENDING' }), 'REFUNDED', ['PARTIAL']);
  assert.deepEqual(
    moved.notes.map(({ why }) => [why?.['from'], why?.['to']]),
    [
      ['PENDING', 'UNDERPAID'],
      ['UNDERPAID', 'REFUNDED'],
    ],
  );
});

test('an acceptance is void when its money is gone, unless it was credited since', () => {
  const isVoid = (settledAt: Date | null) =>
    forgetUnusedAcceptance(draft({ acceptedAt: at(30) }, settledAt), 'gone').dossier.checkout.acceptedAt === null;
  assert.deepEqual([isVoid(null), isVoid(at(29)), isVoid(at(30)), isVoid(at(31))], [true, true, false, false]);
  assert.deepEqual(forgetUnusedAcceptance(draft({ acceptedAt: null }), 'gone').notes, []);
});
