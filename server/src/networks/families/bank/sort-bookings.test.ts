/** Which arrival in suspense a correction takes back, where several could be meant. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KnownOrder } from '../../port/orders.ts';
import type { StandingArrival, WaitingUnmatched } from '../../port/receiving.ts';
import { asTold, type BookingTold } from './bank-told.ts';
import { sortBookings } from './sort-bookings.ts';

const text = 'invoice 5';
const time = new Date('2026-03-02T22:00:00Z');
const document = { position: 1, digest: 'doc', time, told: {} };

type Account = { readonly iban?: string; readonly number?: string; readonly bic?: string };

const waiting = (txHash: string, account: Account, endToEndId?: string): WaitingUnmatched => ({
  txHash,
  index: '0',
  assetCode: 'USD',
  units: 500n,
  memo: text,
  trace: { payer: { name: 'Ada', iban: null, bic: null, ...account }, ...(endToEndId && { endToEndId }) },
});

function correction(payer: Partial<BookingTold['payer']>, endToEndId: string | null = null): BookingTold {
  const noIds = { instructionId: null, messageId: null, paymentInfoId: null, entryRef: null, batches: [] };
  const nobody = { name: null, iban: null, other: null, bic: null, address: null };
  return {
    what: 'booked',
    tx: 'taken',
    kind: 'correction',
    units: '-500',
    day: '2026-03-02',
    payer: { ...nobody, ...payer },
    texts: [text],
    note: text,
    ids: { ...noIds, endToEndId },
  };
}

const targetKey = 'abcdefghjkmn';

type Known = { readonly orders?: readonly KnownOrder[]; readonly standing?: readonly StandingArrival[] };

const sorted = (
  booking: BookingTold,
  arrivals: readonly WaitingUnmatched[],
  { orders = [], standing = [] }: Known = {},
) =>
  sortBookings(
    [{ position: 1, number: 1, identity: booking.tx, told: asTold(booking) }],
    [document],
    { assetCode: 'USD', timeZone: 'Europe/Berlin', earliestZone: 'Pacific/Kiritimati', isStillToCome: () => false },
    {
      knownTargets: async (keys) => new Set(keys.filter((key) => key === targetKey)),
      arrivalsAt: async () => standing,
      waitingUnmatched: async (amounts) => arrivals.filter((each) => amounts.some(({ units }) => each.units === units)),
      orders: async () => orders,
      toldBefore: async () => new Map(),
    },
  );

async function takenBack(booking: BookingTold, arrivals: readonly WaitingUnmatched[], known: Known = {}) {
  const { otherMovements, reversals } = await sorted(booking, arrivals, known);
  const [moved] = otherMovements;
  return moved ? `${moved.kind} about ${(moved.about ?? []).join()}` : reversals.map(({ txHash }) => txHash).join();
}

const others = [waiting('of 111', { number: '111' }), waiting('of an IBAN', { iban: 'DE22200411110123456789' })];

test('a day may have begun elsewhere before it did where its end is counted', async () => {
  const told = { ...correction({ name: 'Ada' }), kind: 'payment-in', units: '500' } as const;
  const { unmatched } = await sorted(told, []);
  assert.deepEqual(unmatched[0]?.dayBegan, new Date('2026-03-01T10:00:00Z'), 'in Kiribati');
  assert.deepEqual(unmatched[0]?.block.time, time, 'the document was brought before the day was over');
  const later = await sorted({ ...told, day: '2026-03-01' }, []);
  assert.deepEqual(
    later.unmatched[0]?.block.time,
    new Date('2026-03-01T23:00:00Z'),
    'when its own day was over, in Berlin',
  );
});

test('of accounts without an IBAN the number says whose arrival it was', async () => {
  const all = [...others, waiting('of 222', { number: '222' })];
  assert.equal(await takenBack(correction({ other: '222' }), all), 'of 222');
  assert.equal(await takenBack(correction({ other: '333' }), all), 'UNKNOWN about ', 'an account that paid nothing');
  assert.equal(await takenBack(correction({}), all), 'UNKNOWN about ', 'a text alone fits three of them');
  assert.equal(await takenBack(correction({}), others.slice(0, 1)), 'of 111', 'and here one');
});

test('a number is an account of one bank', async () => {
  const both = [
    waiting('here', { number: '111', bic: 'CHASUS33' }),
    waiting('there', { number: '111', bic: 'CITIUS33' }),
  ];
  assert.equal(await takenBack(correction({ other: '111', bic: 'CITIUS33XXX' }), both), 'there');
  assert.equal(await takenBack(correction({ other: '111', bic: 'BOFAUS3N' }), both), 'UNKNOWN about ');
  assert.equal(await takenBack(correction({ other: '111' }), both), 'UNKNOWN about ', 'nobody knows of which');
});

test('of several that are alike the one of the same order is taken back', async () => {
  const both = [waiting('first', { number: '111' }, 'A'), waiting('second', { number: '111' }, 'B')];
  assert.equal(await takenBack(correction({ other: '111' }, 'B'), both), 'second');
  assert.equal(await takenBack(correction({ other: '111' }, 'C'), both), 'first');
  assert.equal(await takenBack(correction({ other: '111' }), both), 'first');
  assert.equal(await takenBack(correction({}, 'B'), both), 'second');
});

test('of equal payments at a target the one of the same order is taken back, whoever paid first', async () => {
  const iban = 'DE22200411110123456789';
  const standing = ['A', 'B'].map((order) => ({ ...waiting(`order ${order}`, { iban }, order), targetKey }));
  const ofOrder = (payer: Account, order: string | null) =>
    takenBack({ ...correction(payer, order), texts: [targetKey] }, [], { standing });
  assert.equal(await ofOrder({ iban }, 'B'), 'order B');
  assert.equal(await ofOrder({}, 'B'), 'order B');
  assert.equal(await ofOrder({ iban }, 'C'), 'order A');
  assert.equal(await ofOrder({ iban }, null), 'order A');
});

test('what nobody can see in a text does not keep it from being found again', async () => {
  const booking = { ...correction({}), texts: ['inv\u200boice \u202e5'] };
  assert.equal(await takenBack(booking, others.slice(0, 1)), 'of 111');
});

test('what names a payment of ours is about that, however well an arrival fits', async () => {
  const named = correction({ other: '111' }, 'AAAAAAAAAAAA-FILE00000001');
  assert.equal(await takenBack(named, others.slice(0, 1)), 'UNKNOWN about aaaaaaaaaaaa');
});

test('what shall be sent back is not taken, but the payout that does so is in doubt', async () => {
  const [waits, other] = [waiting('waits', { number: '111' }), waiting('of another', { number: '222' })];
  const returning = { ...waiting('returning', { number: '111' }), returnId: 'payout000001' };
  assert.equal(await takenBack(correction({ other: '111' }), [returning, other]), 'UNKNOWN about payout000001');
  assert.equal(await takenBack(correction({ other: '111' }), [waits, returning]), 'waits', 'what waits comes first');
  assert.equal(await takenBack(correction({ other: '333' }), [returning]), 'UNKNOWN about ');
  const named = correction({ other: '111' }, 'AAAAAAAAAAAA-FILE00000001');
  assert.equal(await takenBack(named, [returning]), 'UNKNOWN about aaaaaaaaaaaa', 'what it names');
});

test('what a bank calls a fee is one, unless it may be a payment of ours, alone or with its charge', async () => {
  const txHash = 'AAAAAAAAAAAA-FILE00000001';
  const names = { txHash, payoutId: 'aaaaaaaaaaaa', fileId: 'file00000001', wasDoubted: false, fate: 'open' } as const;
  const order = (units: string): KnownOrder => ({ ...names, raw: JSON.stringify({ units }), trace: {} });
  for (const kind of ['fee', 'interest'] as const) {
    const taken = { ...correction({}, txHash), kind };
    const asTold = async (units: string) =>
      (await sorted(taken, [], { orders: [order(units)] })).otherMovements.map((each) => [each.kind, each.about]);
    for (const units of ['700', '501']) assert.deepEqual(await asTold(units), [[kind.toUpperCase(), []]], units);
    for (const units of ['500', '475']) assert.deepEqual(await asTold(units), [['UNKNOWN', ['aaaaaaaaaaaa']]], units);
  }
});
