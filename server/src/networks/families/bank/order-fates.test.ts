/**
 * What each thing that a bank may tell of a payment of ours means, whatever has become of it before: fates × bookings, as a
 * table. And two of them at once mean what they mean one after the other, each but for what the first one changed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KnownOrder } from '../../port/orders.ts';
import type { ToldBefore } from '../../port/receiving.ts';
import type { FileAnswer } from './bank-statement.ts';
import type { BookingTold } from './bank-told.ts';
import { type OwnBookings, ownBookings, type ToldOfOrders } from './own-bookings.ts';

const [payoutId, fileId, units] = ['aaaaaaaaaaaa', 'file00000001', 200n];
const txHash = 'AAAAAAAAAAAA-FILE00000001';

const fates = ['open', 'booked', 'done', 'failed', 'void'] as const;
type Fate = (typeof fates)[number];
const orderWith = (fate: Fate, more: Partial<KnownOrder> = {}): KnownOrder => ({
  txHash,
  payoutId,
  fileId,
  raw: JSON.stringify({ units: String(units) }),
  trace: {},
  fate,
  wasDoubted: false,
  ...more,
});

const noIds = { instructionId: null, messageId: null, paymentInfoId: null, entryRef: null, batches: [] };
const booked =
  (kind: BookingTold['kind'], signed: bigint) =>
  (place: number): ToldOfOrders => ({
    what: 'booking',
    identity: `booking ${place}`,
    booking: { tx: `booking ${place}`, kind, ids: { ...noIds, endToEndId: txHash }, note: null },
    units: signed,
    block: { hash: `document ${place}`, height: place, time: new Date('2026-03-02T22:00:00Z') },
  });
const refused = (about: FileAnswer['about']) => (): ToldOfOrders => ({
  what: 'answer',
  answer: {
    about,
    messageId: 'PAY-FILE00000001',
    paymentInfoId: null,
    instructionId: null,
    endToEndId: about === 'payment' ? txHash : null,
    status: 'RJCT',
    meaning: 'rejected',
    reasons: [],
  },
});

const tellings = {
  'leaves whole': booked('own-payment', -200n),
  'leaves with a cent more': booked('own-payment', -201n),
  'leaves with a cent less': booked('own-payment', -199n),
  'a fee of a cent less': booked('fee', -199n),
  'a fee of as much': booked('fee', -200n),
  'comes back whole': booked('return', 200n),
  'comes back but for a cent': booked('return', 199n),
  'comes back with a cent more': booked('return', 201n),
  'is corrected whole': booked('correction', 200n),
  'is corrected but for a cent': booked('correction', 199n),
  'is refused': refused('payment'),
  'is refused with its file': refused('file'),
} as const;
type Telling = keyof typeof tellings;

/** What was made of the thing at this place. */
function meaningOf({ sent, comebacks, explained, doubted }: OwnBookings, each: ToldOfOrders): string {
  const [update] = sent;
  if (each.what === 'answer') return update?.outcome ?? '-';
  const { identity } = each;
  if (doubted.has(identity)) return `in doubt: ${doubted.get(identity)?.join()}`;
  if (comebacks.some(({ comebackId }) => comebackId === identity)) return `came back: ${comebacks[0]?.units}`;
  return explained.has(identity) ? (update?.outcome ?? 'known') : '-';
}

const nothingBefore = async () => new Map<string, ToldBefore>();
const tell = (order: KnownOrder, ...told: readonly ToldOfOrders[]) =>
  ownBookings(told, 'EUR', { orders: async () => [order], toldBefore: nothingBefore });

const doubt = `in doubt: ${payoutId}`;
const back = (cents: bigint) => `came back: ${cents}`;
const all = (meaning: string) => fates.map(() => meaning);

/** In the order of `fates`: a payment is booked once, comes back once, and is refused only before it was booked. */
const meanings: Readonly<Record<Telling, readonly string[]>> = {
  'leaves whole': ['included', doubt, doubt, doubt, doubt],
  'leaves with a cent more': all(doubt),
  'leaves with a cent less': all(doubt),
  'a fee of a cent less': all('-'),
  'a fee of as much': [doubt, '-', '-', '-', doubt], // It may be what nobody has seen leave.
  'comes back whole': [back(200n), 'failed', back(200n), back(200n), back(200n)],
  'comes back but for a cent': all(back(199n)),
  'comes back with a cent more': all(back(201n)),
  'is corrected whole': [back(200n), 'failed', back(200n), back(200n), back(200n)],
  'is corrected but for a cent': all(back(199n)),
  'is refused': ['failed', '-', '-', '-', '-'],
  'is refused with its file': ['failed', '-', '-', '-', '-'],
};

/** Where something else has left under its name, the bank corrects that one; and an answer may be about a second file. */
const inDoubt: Partial<typeof meanings> = {
  'is corrected whole': [back(200n), '-', '-', back(200n), back(200n)],
  'is corrected but for a cent': [back(199n), '-', '-', back(199n), back(199n)],
  'is refused': all('-'),
  'is refused with its file': all('-'),
};

test('of a payment in any state each thing that a bank tells means one thing', async () => {
  for (const wasDoubted of [false, true]) {
    const expected = { ...meanings, ...(wasDoubted && inDoubt) };
    for (const [telling, at] of Object.entries(tellings)) {
      const found: string[] = [];
      for (const fate of fates) {
        const each = at(1);
        found.push(meaningOf(await tell(orderWith(fate, { wasDoubted }), each), each));
      }
      assert.deepEqual(found, expected[telling as Telling], `${telling}${wasDoubted ? ', in doubt' : ''}`);
    }
  }
});

const fateAfter: Readonly<Record<string, Fate>> = { included: 'booked', failed: 'failed' };

/** As it is kept in between. */
const keptOf = (order: KnownOrder, { sent: [update], doubted }: OwnBookings): KnownOrder => ({
  ...order,
  fate: fateAfter[update?.outcome ?? ''] ?? order.fate,
  trace: { ...order.trace, ...update?.traced },
  wasDoubted: order.wasDoubted || doubted.size > 0,
});

test('two things that are told at once mean what they mean one after the other, for a payment in any state', async () => {
  const both = Object.keys(tellings).flatMap((one) => Object.keys(tellings).map((two) => [one, two] as const));
  for (const [one, two] of both)
    for (const fate of fates)
      for (const wasDoubted of [false, true]) {
        const order = orderWith(fate, { wasDoubted });
        const [first, second] = [tellings[one as Telling](1), tellings[two as Telling](2)];
        const between = await tell(order, first);
        const after = await tell(keptOf(order, between), second);
        const together = await tell(order, first, second);
        const where = `${fate}${wasDoubted ? ' in doubt' : ''}: ${one}, then ${two}`;
        assert.deepEqual(together.comebacks, [...between.comebacks, ...after.comebacks], where);
        assert.deepEqual(together.explained, new Set([...between.explained, ...after.explained]), where);
        assert.deepEqual(together.doubted, new Map([...between.doubted, ...after.doubted]), where);
        assert.equal(together.sent.at(-1)?.outcome, (after.sent.at(-1) ?? between.sent.at(-1))?.outcome, where);
      }
});

test('what is read again is what it was, and a second return is none of the first one', async () => {
  const returned = orderWith('failed', { trace: { bookedAs: 'booking 1', returnedAs: 'booking 2' } });
  for (const [telling, place, meaning] of [
    ['leaves whole', 1, 'known'],
    ['leaves whole', 3, doubt],
    ['comes back whole', 2, 'known'],
    ['comes back whole', 3, back(200n)],
    ['is corrected whole', 3, back(200n)],
  ] as const) {
    const each = tellings[telling](place);
    assert.equal(meaningOf(await tell(returned, each), each), meaning, `${telling} as ${place}`);
  }
});
