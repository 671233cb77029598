import { findNetwork } from '../catalog/network-catalog.ts';
import type { Query } from '../db/database.ts';
import type { ShownBooking } from '../networks/port/known-as.ts';
import { type OwnedPayment, tracesOfPayments } from './payment-store.ts';

/** By which people find payments, where what we call them is a mark of our own: by the payment's id. */
export async function findBookings(
  query: Query,
  merchantId: string,
  payments: readonly (OwnedPayment & { readonly network: string })[],
): Promise<ReadonlyMap<string, ShownBooking>> {
  const known = payments.flatMap(({ ownerId, id, network }) => {
    const { knownAs } = findNetwork(network) ?? {};
    return knownAs ? [{ ownerId, id, knownAs }] : [];
  });
  if (known.length === 0) return new Map();
  const traces = await tracesOfPayments(query, merchantId, known);
  return new Map(known.map(({ id, knownAs }) => [id, knownAs.booking(traces.get(id) ?? {})]));
}
