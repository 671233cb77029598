/** All SQL about what people of the role support have given up by accepting less than the price, or kept. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';

export type SmallAcceptance = { readonly missing: string; readonly currency: string };
export type SmallExcess = { readonly worth: string; readonly currency: string };

/** A checkout that is accepted once more, after a payment of it vanished and came again, counts once, from then on. */
export async function saveSmallAcceptance(
  tx: Tx,
  { merchantId, checkoutId, actor }: { merchantId: string; checkoutId: string; actor: string },
  { missing, currency }: SmallAcceptance,
  at: Date,
): Promise<void> {
  await tx`
    insert into small_acceptance (merchant_id, checkout_id, actor, at, missing, currency)
    values (${merchantId}, ${checkoutId}, ${actor}, ${at}, ${missing}, ${currency})
    on conflict (merchant_id, checkout_id) do update
       set actor = excluded.actor, at = excluded.at, missing = excluded.missing, currency = excluded.currency`;
}

/** By currency: what this actor has given up since then. */
export async function smallAcceptancesSince(
  query: Query,
  merchantId: string,
  actor: string,
  since: Date,
): Promise<SmallAcceptance[]> {
  return query<SmallAcceptance>`
    select sum(missing)::text as missing, currency from small_acceptance
     where merchant_id = ${merchantId} and actor = ${actor} and at > ${since} group by currency`;
}

export async function saveSmallExcess(
  tx: Tx,
  { merchantId, checkoutId, actor }: { merchantId: string; checkoutId: string; actor: string },
  { worth, currency }: SmallExcess,
  at: Date,
): Promise<void> {
  await tx`
    insert into small_excess (merchant_id, checkout_id, actor, at, worth, currency)
    values (${merchantId}, ${checkoutId}, ${actor}, ${at}, ${worth}, ${currency})`;
}

/** By currency: what this actor has kept since then. */
export async function smallExcessesSince(
  query: Query,
  merchantId: string,
  actor: string,
  since: Date,
): Promise<SmallExcess[]> {
  return query<SmallExcess>`
    select sum(worth)::text as worth, currency from small_excess
     where merchant_id = ${merchantId} and actor = ${actor} and at > ${since} group by currency`;
}
