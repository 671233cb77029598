/** What owners of payments (a checkout, a deposit, the operator) have decided about them. Decides nothing itself. */
import type { Tx } from '../db/database.ts';
import { type PaymentPlace, paymentPlaces } from '../deposits/payment-state.ts';
import type { KeptValuation } from './payment-sights.ts';

/** The owners may differ: a payment is found by its own id. */
export type PaymentKey = { readonly merchantId: string; readonly ownerId: string; readonly id: string };

export type PlacedPayment = PaymentKey & {
  /** Where its units were when this was decided. */
  readonly from: PaymentPlace;
  readonly place: PaymentPlace;
  readonly generation: number;
  /** It is credited now, and its record will never name a bridge, whatever is issued later. */
  readonly unbridgedAt?: Date | null;
};

/**
 * Stores where their units are in the books from now on. Fails as a whole when one of them has been moved meanwhile.
 */
export async function placePayments(tx: Tx, payments: readonly PlacedPayment[]): Promise<void> {
  if (payments.length === 0) return;
  for (const { from, place } of payments) paymentPlaces.assertMove(from, place);
  const placed = await tx`
    update payment
       set place = placed.place, generation = placed.generation,
           bridge_id = case when unbridged_at is null then bridge_id else 'unnamed' end,
           bridge_tx = case when unbridged_at is null then bridge_tx end,
           bridged_at = coalesce(unbridged_at, bridged_at)
      from unnest(${payments.map(({ merchantId }) => merchantId)}::text[],
                  ${payments.map(({ ownerId }) => ownerId)}::text[], ${payments.map(({ id }) => id)}::text[],
                  ${payments.map(({ from }) => from)}::text[], ${payments.map(({ place }) => place)}::text[],
                  ${payments.map(({ generation }) => generation)}::integer[],
                  ${payments.map(({ unbridgedAt }) => unbridgedAt?.toISOString() ?? null)}::timestamptz[])
             as placed (merchant_id, owner_id, id, was, place, generation, unbridged_at)
     where payment.merchant_id = placed.merchant_id and payment.owner_id = placed.owner_id
       and payment.id = placed.id and payment.place = placed.was
    returning payment.id`;
  if (placed.length !== payments.length)
    throw new Error(`one of the payments ${payments.map(({ id }) => id).join()} was not where we saw it any more`);
}

/** What late payments were worth, as far as it is known. */
export async function saveValuations(
  tx: Tx,
  valued: readonly (PaymentKey & { readonly valuations: readonly KeptValuation[] })[],
): Promise<void> {
  if (valued.length === 0) return;
  await tx`
    update payment set valuations = valued.valuations
      from unnest(${valued.map(({ merchantId }) => merchantId)}::text[],
                  ${valued.map(({ ownerId }) => ownerId)}::text[], ${valued.map(({ id }) => id)}::text[],
                  ${valued.map(({ valuations }) => JSON.stringify(valuations))}::jsonb[])
             as valued (merchant_id, owner_id, id, valuations)
     where payment.merchant_id = valued.merchant_id and payment.owner_id = valued.owner_id
       and payment.id = valued.id`;
}

/** Payments that belong to a commitment from now on. */
export async function assignPayments(
  tx: Tx,
  assigned: readonly (PaymentKey & { readonly commitmentId: string | null })[],
): Promise<void> {
  if (assigned.length === 0) return;
  await tx`
    update payment set commitment_id = assigned."commitmentId"
      from json_to_recordset(${JSON.stringify(assigned)}::json)
             as assigned ("merchantId" text, "ownerId" text, id text, "commitmentId" text)
     where payment.merchant_id = assigned."merchantId" and payment.owner_id = assigned."ownerId"
       and payment.id = assigned.id and payment.commitment_id is null`;
}
