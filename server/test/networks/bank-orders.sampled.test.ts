/**
 * What is paid out at a bank, told in any form: however the bank cuts its bookings into statements, repeats them and orders
 * the lines of a day, each payment has one fate, and all that is told comes to the closing balance. At SEPA and at SWIFT.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import type { Observed } from '../../src/networks/port/receiving.ts';
import type { Payout } from '../../src/networks/port/sending.ts';
import { isSample } from '../depth.ts';
import { answer, openOrders } from './sepa-order-world.ts';
import type { Booking, MessageKind } from './statement-bank.ts';

const opening = 1_000_000n;
const fileId = 'file00000001';
const payoutIds = ['k3x9ab72mq0z', 'aaaabbbbcccc', 'zz9zz8zz7zz6'];
const amounts = [2_500n, 1_000n, 1_000n];
const orderOf = (place: number): string => `${payoutIds[place]}-${fileId}`.toUpperCase();

/** The next thing that happens to a payment of ours: it is booked, then it comes back, whole or less what the other bank keeps. */
type Happening = { readonly place: number; readonly isShort: boolean } | { readonly booking: Booking };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ place: fc.nat({ max: 2 }), isShort: fc.boolean() }) },
  fc.record({
    booking: fc.oneof(
      fc.record({ cents: fc.constantFrom(700n, 1_000n), text: fc.constantFrom('thanks', orderOf(0)) }),
      fc.record({ cents: fc.constantFrom(-90n, -390n), code: fc.constant('808') }),
    ),
  }),
);

const story = fc.record({
  happenings: fc.array(happening, { minLength: 1, maxLength: 9 }),
  rejected: fc.option(fc.nat({ max: 2 }), { nil: null }),
  rail: fc.constantFrom(null, 'USD' as const, 'EUR' as const),
  kind: fc.constantFrom<MessageKind>('camt.053', 'camt.052', 'mt940'),
});
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

type Fate = 'open' | 'booked' | 'failed';
type Due = { readonly bookings: readonly Booking[]; readonly fates: readonly Fate[]; readonly back: bigint };

/** What the bank books, and what must be known in the end. A payment that was rejected is not booked. */
function dueOf({ happenings, rejected }: Story): Due {
  const fates: Fate[] = amounts.map((_, place) => (place === rejected ? 'failed' : 'open'));
  const cameBack = new Set<number>();
  const bookings: Booking[] = [];
  let back = 0n;
  for (const each of happenings) {
    if ('booking' in each) {
      bookings.push(each.booking);
      continue;
    }
    const { place, isShort } = each;
    const units = amounts[place] ?? 0n;
    if (fates[place] === 'open') {
      bookings.push({ cents: -units, endToEndId: orderOf(place) });
      fates[place] = 'booked';
    } else if (fates[place] === 'booked' && !cameBack.has(place)) {
      const kept = isShort ? 250n : 0n;
      bookings.push({ cents: units - kept, endToEndId: orderOf(place), code: '159' });
      cameBack.add(place);
      if (isShort) back += units - kept;
      else fates[place] = 'failed';
    }
  }
  return { bookings, fates, back };
}

type Split = { readonly cuts: readonly number[]; readonly isZip: boolean; readonly again: readonly number[] };
const split: fc.Arbitrary<Split> = fc.record({
  cuts: fc.array(fc.nat({ max: 9 }), { maxLength: 2 }), // Three days: nothing is done for good before the last of them.
  isZip: fc.boolean(),
  again: fc.array(fc.nat({ max: 2 }), { maxLength: 3 }),
});

async function tell({ rail, kind, rejected }: Story, bookings: readonly Booking[], { cuts, isZip, again }: Split) {
  const holder = { name: 'Lea', street: null, postCode: null, town: 'Köln', country: 'DE', bic: 'COBADEFFXXX' };
  const payouts = payoutIds.map(
    (id, place): Payout => ({
      id,
      assetCode: rail ?? 'EUR',
      units: amounts[place] ?? 0n,
      address: 'DE89370400440532013000',
      memo: null,
      memoType: null,
      holder,
    }),
  );
  const { bank, watched } = await openOrders({ creditsFrom: kind, payouts, ...(rail && { swiftCurrency: rail }) });
  const ends = [...new Set([...cuts.filter((cut) => cut < bookings.length), bookings.length])].toSorted(
    (a, b) => a - b,
  );
  let [from, balance] = [0, opening];
  const files = ends.map((end) => {
    const part = bookings.slice(from, end);
    const file = bank.write(kind, part.map(bank.entryOf), balance);
    balance += part.reduce((sum, { cents }) => sum + cents, 0n);
    from = end;
    bank.pass(1);
    return file;
  });
  if (rejected !== null)
    await bank.bring(answer('RJCT', { message: `PAY-${fileId.toUpperCase()}`, payment: orderOf(rejected) }));
  const rounds: Observed[] = [];
  if (isZip) await bank.bring(zipSync(Object.fromEntries(files.map((file, place) => [`${place}.xml`, file]))));
  for (const [place, file] of files.entries()) {
    await bank.bring(file);
    rounds.push(...(await watched.observe()));
    for (const earlier of again.filter((each) => each <= place)) await bank.bring(files[earlier] as Uint8Array);
  }
  rounds.push(...(await watched.observe()));
  return { rounds, balance, orders: watched.outgoing.orders({ hashes: [], fileIds: [fileId] }) };
}

const unitsIn = (told: readonly { readonly units: bigint }[]): bigint =>
  told.reduce((sum, { units }) => sum + units, 0n);

test('however statements are cut and repeated, each payment of ours has its fate, and the books come to the balance', async () => {
  await fc.assert(
    fc.asyncProperty(story, split, async (one, how) => {
      const due = dueOf(one);
      fc.pre(due.bookings.length > 0);
      const { rounds, balance, orders } = await tell(one, due.bookings, how);
      assert.deepEqual(
        orders.map(({ fate }) => fate),
        due.fates,
      );
      const comebacks = rounds.flatMap((round) => round.comebacks ?? []);
      assert.equal(unitsIn(comebacks), due.back, 'what came back in part is told, once');
      const others = rounds.flatMap(({ observations, unmatched = [], otherMovements = [] }) => [
        ...observations,
        ...unmatched,
        ...otherMovements,
      ]);
      const left = amounts.filter((_, place) => due.fates[place] === 'booked').reduce((sum, units) => sum + units, 0n);
      assert.equal(opening + unitsIn(others) + unitsIn(comebacks) - left, balance);
    }),
    { numRuns: isSample() ? 40 : 300 },
  );
});
