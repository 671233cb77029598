/** By what people find payments: at a bank by what its statement says, elsewhere by their transactions. */
import { sentAs } from '../catalog/sent-as.ts';
import type { CheckoutDossier, Payment } from '../checkouts/checkout.ts';
import type { Query } from '../db/database.ts';
import type { ShownBooking } from '../networks/port/known-as.ts';
import { findBookings } from '../payments/find-bookings.ts';

/** By the ids of payments. */
export type Bookings = ReadonlyMap<string, ShownBooking>;

export const bookingsOf = (
  query: Query,
  merchantId: string,
  dossiers: Iterable<Pick<CheckoutDossier, 'checkout' | 'payments'>>,
): Promise<Bookings> =>
  findBookings(
    query,
    merchantId,
    [...dossiers].flatMap(({ checkout, payments }) => payments.map((each) => ({ ...each, ownerId: checkout.id }))),
  );

/** Of what came: the reference that whoever paid was given, and what the banks call it. */
export const paidFoundBy = (
  { commitments }: Pick<CheckoutDossier, 'commitments'>,
  payments: readonly Payment[],
  bookings: Bookings,
): string[] => {
  const all = payments.flatMap(({ id, commitmentId, txHash }) => {
    const booking = bookings.get(id);
    if (!booking) return [txHash];
    const reference = commitments.find((commitment) => commitment.id === commitmentId)?.memo;
    return [reference, booking.bankReference, booking.endToEndId].filter((name) => name != null);
  });
  return [...new Set(all)];
};

export const sentFoundBy = (network: string, txHash: string | null): string[] => {
  const name = sentAs(network, txHash);
  return name === null ? [] : [name];
};
