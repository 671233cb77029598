/** The operator's own money: it is booked when it is confirmed, and taken out of the books when it vanishes. */
import type { Db } from '../db/database.ts';
import { operatorId } from '../deposits/deposit-target-store.ts';
import { isConfirmed } from '../deposits/payment-state.ts';
import { chainWallet, operatorAccount } from '../ledger/chart-of-accounts.ts';
import { type Entry, type Line, opposite } from '../ledger/entry.ts';
import { postEntries } from '../ledger/ledger-store.ts';
import { assert, present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { type PlacedPayment, placePayments } from '../payments/payment-decision-store.ts';
import { type FundingPayment, lockUnbookedFunding } from './funding-store.ts';

export async function bookFunding(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { network }: { readonly network: string },
): Promise<void> {
  // Anybody can send to the target at which the operator brings in money, as often as they like: so many at a time.
  while ((await bookSome(db, network, clock.now())) === paymentsPerStep);
}

const paymentsPerStep = 500;

async function bookSome(db: Db, network: string, now: Date): Promise<number> {
  return db.begin(async (tx) => {
    const payments = await lockUnbookedFunding(tx, network, paymentsPerStep);
    if (payments.length === 0) return 0;
    const booked = payments.map(
      (payment): FundingPayment => ({
        ...payment,
        place: isConfirmed(payment) ? 'settled' : 'none',
        generation: payment.generation + 1,
      }),
    );
    const [posted] = await Promise.all([
      postEntries(tx, booked.map(entryOf), now),
      placePayments(
        tx,
        payments.map(({ ownerId, id, place: from }, position): PlacedPayment => {
          const { place, generation } = present(booked[position], 'the payment afterwards');
          return { merchantId: operatorId, ownerId, id, from, place, generation };
        }),
      ),
    ]);
    assert(posted.size === booked.length, 'a funding had already been booked');
    return booked.length;
  });
}

/** Every booking of a payment has a number of its own, so that a second booking is posted too. */
const entryOf = (payment: FundingPayment): Entry => ({
  reference: `payment:${payment.id}:${payment.generation}`,
  kind: payment.place === 'settled' ? 'funding_received' : 'funding_reversed',
  merchantId: null,
  subject: { kind: 'funding', id: payment.id },
  lines: payment.place === 'settled' ? fundingLines(payment) : opposite(fundingLines(payment)),
});

const fundingLines = ({ network, asset, units }: FundingPayment): Line[] => [
  { account: chainWallet(network, asset), units: -units },
  { account: operatorAccount('equity', asset), units },
];
