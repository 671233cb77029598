/**
 * An excess that was kept is credited; if a chain takes its payment back, that is not, until the payment is there again.
 * In the books both are part of how the payment itself is booked, together with what was refunded of it, which never was a
 * credit. So what was kept is read from the checkout. It is worth what it was worth when it was kept, whenever that is
 * undone.
 */
import { findAcceptedExcess } from '../checkouts/checkout-count-store.ts';
import type { AcceptedExcess } from '../checkouts/refund.ts';
import type { Query } from '../db/database.ts';
import { type HourSum, listRebooked, type Rebooked } from '../ledger/ledger-day-store.ts';
import type { DaySpan } from '../lib/local-day.ts';
import { hourOf } from '../pricing/rate-hours.ts';

export async function sumKeptAnew(
  query: Query,
  merchantId: string,
  accounts: readonly string[],
  spans: readonly DaySpan[],
): Promise<(HourSum & { readonly checkoutId: string })[]> {
  const rebooked = await listRebooked(query, merchantId, accounts, spans);
  if (rebooked.length === 0) return [];
  const kept = await findAcceptedExcess(query, merchantId, [...new Set(rebooked.map(({ subjectId }) => subjectId))]);
  return rebooked.flatMap((entry) => sumsOf(entry, kept.get(entry.subjectId) ?? []));
}

function sumsOf(entry: Rebooked, kept: readonly AcceptedExcess[]): (HourSum & { readonly checkoutId: string })[] {
  const { day, account, at, kind, subjectId: checkoutId, paymentId } = entry;
  return kept.flatMap(({ acceptedAt, takes }) => {
    const keptAt = new Date(acceptedAt);
    if (keptAt > at) return []; // Of a payment that was there again by then.
    return takes
      .filter((take) => take.paymentId === paymentId)
      .map((take) => {
        const units = BigInt(take.units) - BigInt(take.feeUnits);
        return { day, hour: hourOf(keptAt), account, checkoutId, units: kind === 'payment_received' ? units : -units };
      });
  });
}
