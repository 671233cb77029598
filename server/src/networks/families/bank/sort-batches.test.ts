/**
 * A watcher reads bookings in pieces, and where a piece ends is luck: what bookings are for us must not depend on it. So any
 * bookings are read at once and one by one, and nothing is taken back that is not there, twice, or in another currency.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { StandingArrival, WaitingUnmatched } from '../../port/receiving.ts';
import { asTold, type BookingTold } from './bank-told.ts';
import { type SortedBookings, sortBookings } from './sort-bookings.ts';

const time = new Date('2026-03-02T22:00:00Z');
const targets = ['abcdefghjkmn', 'bcdefghjkmnp'];
const nobody = { name: null, iban: null, other: null, bic: null, address: null };
const payers: readonly BookingTold['payer'][] = [
  { ...nobody, name: 'Ada', iban: 'DE22200411110123456789' },
  { ...nobody, name: 'Bob', iban: 'DE89370400440532013000' },
  { ...nobody, name: 'Cyd', other: '111', bic: 'CHASUS33' },
  nobody,
];

type Told = Pick<BookingTold, 'kind' | 'units' | 'payer' | 'texts'> & { readonly endToEndId: string | null };

/** Where it is told: `tx` is its place, and each has a document of its own. */
function bookingOf({ endToEndId, ...told }: Told, tx: string): BookingTold {
  const ids = { instructionId: null, messageId: null, paymentInfoId: null, entryRef: null, batches: [] };
  return {
    what: 'booked',
    tx,
    day: '2026-03-02',
    note: told.texts.join(' ') || null,
    ids: { ...ids, endToEndId },
    ...told,
  };
}

type Before = { readonly standing?: readonly StandingArrival[]; readonly waiting?: readonly WaitingUnmatched[] };

/** What the service keeps of what it was told. Of amounts that nobody asked for it says nothing. */
function createBooks({ standing = [], waiting = [] }: Before) {
  const kept = { standing: [...standing], waiting: [...waiting] };
  const story: string[] = [];
  return {
    story,
    async read(bookings: readonly (readonly [tx: string, told: Told])[]): Promise<void> {
      const documents = bookings.map(([tx]) => ({ position: Number(tx), digest: tx, time, told: {} }));
      const records = bookings.map(([tx, told]) => ({
        position: Number(tx),
        number: 1,
        identity: tx,
        told: asTold(bookingOf(told, tx)),
      }));
      const sorted = await sortBookings(
        records,
        documents,
        { assetCode: 'EUR', timeZone: 'Europe/Berlin', earliestZone: 'Europe/Berlin', isStillToCome: () => false },
        {
          knownTargets: async (keys) => new Set(keys.filter((key) => targets.includes(key))),
          arrivalsAt: async (keys) => kept.standing.filter(({ targetKey }) => keys.includes(targetKey)),
          waitingUnmatched: async (amounts) =>
            kept.waiting.filter((each) => amounts.some(({ units }) => units === each.units)),
          orders: async () => [],
          toldBefore: async () => new Map(),
        },
      );
      keep(sorted);
    },
  };

  function keep({ observations, unmatched, reversals, otherMovements }: SortedBookings): void {
    for (const each of observations) {
      kept.standing.push(each);
      story.push(`${each.txHash} pays ${each.units} to ${each.targetKey}`);
    }
    for (const each of unmatched) {
      kept.waiting.push(each);
      story.push(`${each.txHash} waits with ${each.units}`);
    }
    for (const { reversalId, txHash, units } of reversals) {
      takeBack(txHash, units);
      story.push(`${reversalId} takes ${units} back of ${txHash}`);
    }
    for (const { key, units, about } of otherMovements) story.push(`${key} moves ${units} about ${about?.join()}`);
  }

  function takeBack(txHash: string, units: bigint): void {
    const waits = kept.waiting.find((each) => each.txHash === txHash);
    const stands = kept.standing.find((each) => each.txHash === txHash);
    if (waits) {
      assert.deepEqual([waits.units, waits.assetCode, waits.returnId ?? null], [units, 'EUR', null]);
      kept.waiting.splice(kept.waiting.indexOf(waits), 1);
    } else {
      assert.ok(stands && stands.units >= units && stands.assetCode === 'EUR', `${units} of ${txHash} are not there`);
      kept.standing[kept.standing.indexOf(stands)] = { ...stands, units: stands.units - units };
    }
  }
}

const told = fc.record({
  kind: fc.constantFrom('payment-in' as const, 'correction' as const),
  units: fc.constantFrom('100', '200'),
  payer: fc.constantFrom(...payers),
  texts: fc.constantFrom<readonly string[]>([targets[0] ?? ''], [targets[1] ?? ''], ['invoice 5'], ['invoice 6'], []),
  endToEndId: fc.constantFrom(null, null, 'A', 'B'),
});
const signed = (each: Told): Told => (each.kind === 'correction' ? { ...each, units: `-${each.units}` } : each);

const at = (txHash: string, units: bigint, more: Partial<StandingArrival> = {}): StandingArrival => ({
  txHash,
  index: '0',
  assetCode: 'EUR',
  units,
  targetKey: targets[0] ?? '',
  trace: { payer: { name: 'Ada', iban: 'DE22200411110123456789', bic: null } },
  ...more,
});
const waits = (txHash: string, units: bigint, more: Partial<WaitingUnmatched> = {}): WaitingUnmatched => {
  const { targetKey: _, ...arrival } = at(txHash, units);
  return { ...arrival, memo: 'invoice 5', ...more };
};

/** Of another currency, and what shall be sent back: neither is ever taken. */
const before: Before = {
  standing: [at('old', 200n), at('old in dollars', 200n, { assetCode: 'USD' })],
  waiting: [
    waits('dollars', 100n, { assetCode: 'USD' }),
    waits('goes back', 200n, { returnId: 'payout000001' }),
    waits('alike', 100n),
    waits('alike too', 100n),
  ],
};

test('bookings are the same for us, whether they are read at once or one by one, and nothing is taken that is not there', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(told.map(signed), { minLength: 2, maxLength: 7 }), async (bookings) => {
      const all = bookings.map((each, place) => [String(place + 1), each] as const);
      const [together, apart] = [createBooks(before), createBooks(before)];
      await together.read(all);
      for (const each of all) await apart.read([each]);
      assert.deepEqual(together.story.toSorted(), apart.story.toSorted());
    }),
    { numRuns: 200 },
  );
});

const correction = (units: bigint, more: Partial<Told> = {}): Told => ({
  kind: 'correction',
  units: String(-units),
  payer: payers[0] ?? nobody,
  texts: ['invoice 5'],
  endToEndId: null,
  ...more,
});

/** What became of the last booking. */
async function last(known: Before, ...bookings: readonly Told[]): Promise<string> {
  const books = createBooks(known);
  await books.read(bookings.map((each, place) => [String(place + 1), each]));
  return books.story.findLast((line) => line.startsWith(`${bookings.length} `)) ?? 'nothing';
}

test('as many corrections as waits of a payer take it back, and one more is for a person', async () => {
  const known = { waiting: [waits('one', 100n), waits('two', 100n), waits('of more', 101n)] };
  assert.equal(await last(known, correction(100n)), '1 takes 100 back of one');
  assert.equal(await last(known, correction(100n), correction(100n)), '2 takes 100 back of two');
  assert.equal(await last(known, correction(100n), correction(100n), correction(100n)), '3 moves -100 about ');
});

test('of what stands at a target the very amount is taken, else a part of the only one that is large enough', async () => {
  const ofAnybody = (units: bigint) => correction(units, { payer: nobody, texts: [targets[0] ?? ''] });
  const known = { standing: [at('two', 200n), at('three', 300n)] };
  assert.equal(await last(known, ofAnybody(200n)), '1 takes 200 back of two');
  assert.equal(await last(known, ofAnybody(300n)), '1 takes 300 back of three');
  assert.equal(await last(known, ofAnybody(201n)), '1 takes 201 back of three');
  assert.equal(await last(known, ofAnybody(301n)), '1 moves -301 about ', 'nobody paid so much');
  assert.equal(await last(known, ofAnybody(199n)), '1 moves -199 about ', 'it may be of either');
  assert.equal(await last(known, ofAnybody(201n), ofAnybody(99n)), '2 takes 99 back of three', 'what was left of it');
  assert.equal(await last(known, ofAnybody(201n), ofAnybody(100n)), '2 takes 100 back of two');
});

test('what its payer sent to nobody goes before what somebody else paid there, also where it shall be sent back', async () => {
  const bob = { trace: { payer: { name: 'Bob', iban: 'DE89370400440532013000', bic: null } } };
  const standing = [at('of bob', 100n, bob)];
  const named = correction(100n, { texts: [targets[0] ?? ''] });
  const early = waits('too early', 100n, { memo: targets[0] ?? '' });
  assert.equal(await last({ standing, waiting: [early] }, named), '1 takes 100 back of too early');
  const returning = { ...early, returnId: 'payout000001' };
  assert.equal(await last({ standing, waiting: [returning] }, named), '1 moves -100 about payout000001');
  assert.equal(
    await last({ standing: [...standing, at('of ada', 100n)], waiting: [early] }, named),
    '1 takes 100 back of of ada',
  );
  assert.equal(await last({ standing }, named), '1 takes 100 back of of bob', 'where nothing else can be meant');
});

test('what is told again with what stands of it is there once, and with as much as stands', async () => {
  const payer = payers[0] ?? nobody;
  const paid: Told = { kind: 'payment-in', units: '300', payer, texts: [targets[0] ?? ''], endToEndId: null };
  const back = (units: bigint) => correction(units, { texts: [targets[0] ?? ''] });
  // As `1` it is known already, and 200 of it were taken back.
  assert.equal(await last({ standing: [at('1', 100n)] }, paid, back(100n)), '2 takes 100 back of 1');
  assert.equal(await last({ standing: [at('1', 100n)] }, paid, back(300n)), '2 moves -300 about ');
  const unknown = { ...paid, texts: ['invoice 5'] };
  assert.equal(
    await last({ waiting: [waits('1', 300n)] }, unknown, correction(300n), correction(300n)),
    '3 moves -300 about ',
  );
});
