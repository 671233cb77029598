/** All SQL of timelines: what happened to a checkout, append-only. */
import type { Query, Tx } from '../db/database.ts';
import type { Checkout } from './checkout.ts';

export type TimelineNote = { readonly what: string; readonly why?: Readonly<Record<string, unknown>> };

export const addToTimeline = (
  tx: Tx,
  checkout: Pick<Checkout, 'merchantId' | 'id'>,
  notes: readonly TimelineNote[],
  at: Date,
): Promise<void> =>
  addToTimelines(
    tx,
    notes.map((note) => ({ ...note, merchantId: checkout.merchantId, checkoutId: checkout.id })),
    at,
  );

export async function addToTimelines(
  tx: Tx,
  notes: readonly (TimelineNote & { readonly merchantId: string; readonly checkoutId: string })[],
  at: Date,
): Promise<void> {
  if (notes.length === 0) return;
  await tx`
    insert into timeline (merchant_id, checkout_id, at, what, why)
    select merchant_id, checkout_id, ${at}::timestamptz, what, why
      from unnest(${notes.map((note) => note.merchantId)}::text[], ${notes.map((note) => note.checkoutId)}::text[],
                  ${notes.map((note) => note.what)}::text[],
                  ${notes.map((note) => JSON.stringify(note.why ?? {}))}::jsonb[])
             as note (merchant_id, checkout_id, what, why)`;
}

/**
 * Which of its commitments the payer went back to, if that was the last choice of a way to pay; null: the newest
 * commitment is the choice.
 */
export async function findChosenAgain(
  query: Query,
  { merchantId, id }: Pick<Checkout, 'merchantId' | 'id'>,
): Promise<string | null> {
  const [row] = await query<{ commitment_id: string | null }>`
    select case when what = 'chosen_again' then why ->> 'commitmentId' end as commitment_id
      from timeline
     where merchant_id = ${merchantId} and checkout_id = ${id} and what in ('committed', 'chosen_again')
     order by id desc limit 1`;
  return row?.commitment_id ?? null;
}

export type TimelineRow = { at: Date; what: string; why: Record<string, unknown> };

const notesShown = 500;

/** The newest notes, oldest first. */
export async function findTimeline(query: Query, merchantId: string, checkoutId: string): Promise<TimelineRow[]> {
  const rows = await query<TimelineRow>`
    select at, what, why from timeline where merchant_id = ${merchantId} and checkout_id = ${checkoutId}
     order by id desc limit ${notesShown}`;
  return rows.reverse();
}
