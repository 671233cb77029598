/** All SQL of checkouts. Decides nothing. */
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Query, Tx } from '../db/database.ts';
import type { Destination } from '../networks/port/sending.ts';
import type { Checkout, CheckoutDossier, Commitment, Settlement } from './checkout.ts';
import {
  type CheckoutRow,
  type DossierRow,
  fromCheckout,
  fromCommitment,
  fromSettlement,
  toCheckout,
  toDossier,
} from './checkout-rows.ts';
import type { CheckoutException, CheckoutState } from './checkout-state.ts';

/**
 * One statement, one round trip and one commit for all of them: this is the most frequent write of the service. If a
 * checkout is there already, it is our own, from a commit whose answer was lost: ids are random.
 */
export async function insertCheckouts(query: Query, checkouts: readonly Checkout[]): Promise<void> {
  await query`
    with created as (
      insert into checkout (merchant_id, id, api_key, type, origin, state, exceptions, billing_currency, total,
                            settlement_asset, language, webhook, customer_id, customer_country, buyer, tolerance,
                            late_tolerance, accept_from, extra_confirmations, payload, payload_bytes, quotes, quoted_at, created_at,
                            updated_at, settlements)
      select made.merchant_id, made.id, api_key, type, origin, state, exceptions, billing_currency, total,
             settlement_asset, language, webhook, customer_id,
             case when customer_id is not null then coalesce(known.fields ->> 'countrycode', known.country, '') end,
             case when known.email is not null
                  then jsonb_build_object('email', known.email, 'fields', known.fields) end,
             tolerance, late_tolerance, accept_from,
             extra_confirmations, payload, octet_length(payload::text), quotes, quoted_at, created_at, created_at, settlements
        from json_populate_recordset(null::checkout, ${JSON.stringify(checkouts.map(fromCheckout))}::json) as made
        left join lateral (select email, coalesce(named, fields) as fields, fields ->> 'countrycode' as country from customer
                            where customer.merchant_id = made.merchant_id and customer.id = made.customer_id) as known on true
          on conflict (merchant_id, id) do nothing
      returning merchant_id, id, created_at
    )
    insert into timeline (merchant_id, checkout_id, at, what) select merchant_id, id, created_at, 'created' from created`;
}

export async function findCheckout(query: Query, merchantId: string, id: string): Promise<Checkout | undefined> {
  const [row] = await query<CheckoutRow>`select * from checkout where merchant_id = ${merchantId} and id = ${id}`;
  return row && toCheckout(row);
}

/** For the hosted page, which has no merchant: whoever knows the id in its URL may see it. */
export async function findPublicCheckout(query: Query, id: string): Promise<Checkout | undefined> {
  const [row] = await query<CheckoutRow>`select * from checkout where id = ${id}`;
  return row && toCheckout(row);
}

/**
 * A text for each hosted checkout that changes whenever the checkout, its payments or its timeline change; unknown ids
 * are left out. For many at once: each costs a look into two indexes. `xmin` is the transaction that last wrote the
 * row. Not a join with the ids: before there are statistics, PostgreSQL would compare each of them with every checkout.
 */
export async function findCheckoutVersions(query: Query, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await query<{ id: string; version: string }>`
    select checkout.id,
           checkout.xmin::text || '-' ||
             (select max(timeline.id) from timeline
               where timeline.merchant_id = checkout.merchant_id and timeline.checkout_id = checkout.id) as version
      from checkout
     where checkout.id = any(${ids}::text[]) and checkout.type = 'HOSTED'`;
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** So many letters take a few milliseconds, and a request of any kind waits no longer for them. */
const readAtOnce = 64 * 1024;

export type CheckoutKey = { readonly merchantId: string; readonly id: string };

/**
 * Everything about these checkouts, in the order of the keys. One statement, so everything read of a checkout is of one
 * moment. Amounts are text inside the JSON, because a JSON number would become a float.
 *
 * The quotes are the largest part of most checkouts, and are not needed to show one: whoever can leaves them out (then they
 * are empty). One may be as long as a request: many such are read with turns of others in between.
 */
export async function findDossiers(
  query: Query,
  keys: readonly CheckoutKey[],
  { hasQuotes = true }: { hasQuotes?: boolean } = {},
): Promise<(CheckoutDossier | undefined)[]> {
  const rows = await query<{ dossier: string }>`
    select row_to_json(dossier)::text as dossier from (
    select checkout.merchant_id, checkout.id, api_key, type, origin, state, exceptions, billing_currency, total::text,
           settlement_asset, language, webhook, customer_id, tolerance::text, late_tolerance::text,
           accept_from::text, extra_confirmations, payload::text,
           case when ${hasQuotes} then quotes else '[]' end as quotes, quoted_at, created_at, window_ends_at, canceled_at,
           accepted_at, accepted_excess, kept_rates, awaits_bridge_since, awaits_decision, settlements,
           (select json_agg(part) from (
              select id, network, asset, due_units::text, quote, target_key, address, memo, memo_type, committed_at,
                     expires_at
                from commitment where merchant_id = checkout.merchant_id and checkout_id = checkout.id
               order by committed_at, id) as part) as commitment_rows,
           (select json_agg(part) from (
              select id, commitment_id, network, tx_hash, asset, units::text, state, place, generation, replaced_by, rest_of,
                     confirmations_required, block_height, block_time, first_seen_at, day_began_at, inherited, valuations,
                     bridge_tx, bridged_at
                from payment where merchant_id = checkout.merchant_id and owner_id = checkout.id
               order by first_seen_at, id) as part) as payment_rows,
           (select json_agg(part) from (
              select network, asset, waiting_count as count, waiting_units::text as units
                from crumb_heap where merchant_id = checkout.merchant_id and owner_id = checkout.id
                 and waiting_count > 0) as part) as crumb_rows,
           (select json_agg(part) from (
              select generation, reference, parts, settled_at, reversed_at
                from settlement where merchant_id = checkout.merchant_id and checkout_id = checkout.id
               order by generation) as part) as settlement_rows,
           (select json_agg(part) from (
              select id, context, state, place, network, asset, units::text, sent_units::text, fee_units::text,
                     fee_paid_by, held_fee_units::text, cost_units::text,
                     came_back_units::text, came_back_at, takes, covers, basis, rates, address, memo, memo_type, holder, claim_expires_at, tx_hash,
                     failure, meta::text, requested_at, ended_at
                from refund where merchant_id = checkout.merchant_id and checkout_id = checkout.id
               order by requested_at, id) as part) as refund_rows,
           exists (select from stray_transfer
                    where merchant_id = checkout.merchant_id and owner_id = checkout.id
                      and vanished_at is null) as has_strays
      from unnest(${keys.map((key) => key.merchantId)}::text[], ${keys.map((key) => key.id)}::text[])
             as wanted (merchant_id, id)
      join checkout on checkout.merchant_id = wanted.merchant_id and checkout.id = wanted.id) as dossier`;
  const found = new Map<string, CheckoutDossier>();
  let read = 0;
  for (const { dossier } of rows) {
    if (read > readAtOnce) {
      await othersTurn();
      read = 0;
    }
    read += dossier.length;
    const row = JSON.parse(dossier) as DossierRow;
    found.set(`${row.merchant_id}/${row.id}`, toDossier(row));
  }
  return keys.map(({ merchantId, id }) => found.get(`${merchantId}/${id}`));
}

export async function findDossier(query: Query, merchantId: string, id: string): Promise<CheckoutDossier | undefined> {
  return (await findDossiers(query, [{ merchantId, id }]))[0];
}

/** Locks checkouts until the transaction ends and reads everything about them. These locks come before any ledger lock. */
export async function lockDossiers(tx: Tx, keys: readonly CheckoutKey[]): Promise<(CheckoutDossier | undefined)[]> {
  // In the order of the keys, so that two batches wait for each other instead of deadlocking. All statements are sent
  // at once and run one after the other: the later ones see everything that the locks waited for.
  const [, dossiers] = await Promise.all([
    tx`
      select from checkout
        join unnest(${keys.map((key) => key.merchantId)}::text[], ${keys.map((key) => key.id)}::text[])
               as wanted (merchant_id, id)
          on checkout.merchant_id = wanted.merchant_id and checkout.id = wanted.id
       order by checkout.merchant_id, checkout.id
         for update of checkout`,
    findDossiers(tx, keys),
  ]);
  return dossiers;
}

export async function lockDossier(tx: Tx, merchantId: string, id: string): Promise<CheckoutDossier | undefined> {
  return (await lockDossiers(tx, [{ merchantId, id }]))[0];
}

export async function insertCommitments(
  tx: Tx,
  commitments: readonly { readonly checkout: CheckoutKey; readonly commitment: Commitment }[],
): Promise<void> {
  if (commitments.length === 0) return;
  const rows = commitments.map(({ checkout, commitment }) => fromCommitment(checkout, commitment));
  await tx`
    insert into commitment (merchant_id, checkout_id, id, network, asset, due_units, quote, target_key, address, memo,
                            memo_type, committed_at, expires_at)
    select merchant_id, checkout_id, id, network, asset, due_units, quote, target_key, address, memo,
           memo_type, committed_at, expires_at
      from json_populate_recordset(null::commitment, ${JSON.stringify(rows)}::json)`;
}

/** The newest of our own addresses on a network. */
export async function newestAddress(query: Query, network: string): Promise<Destination | undefined> {
  const [row] = await query<Destination>`
    select address, memo, memo_type as "memoType" from commitment
     where network = ${network} order by committed_at desc limit 1`;
  return row;
}

export async function saveQuotes(tx: Tx, checkout: Checkout, at: Date): Promise<void> {
  await tx`
    update checkout set quotes = ${JSON.stringify(checkout.quotes)}::jsonb, quoted_at = ${at}
     where merchant_id = ${checkout.merchantId} and id = ${checkout.id}`;
}

export type CheckoutChange = {
  readonly state: CheckoutState;
  readonly exceptions: readonly CheckoutException[];
  readonly windowEndsAt: Date | null;
  readonly canceledAt: Date | null;
  readonly acceptedAt: Date | null;
  readonly acceptedExcess: Checkout['acceptedExcess'];
  readonly keptRates: Checkout['keptRates'];
  readonly awaitsBridgeSince: Checkout['awaitsBridgeSince'];
  readonly awaitsDecision: boolean;
  readonly settlements: number;
};

/** Stores decisions made under the lock. To be safe, the state that we saw is part of the condition. */
export async function saveCheckouts(
  tx: Tx,
  changes: readonly { readonly before: Checkout; readonly after: CheckoutChange }[],
  at: Date,
): Promise<void> {
  if (changes.length === 0) return;
  const changed = changes.map(({ before, after }) => ({
    merchant_id: before.merchantId,
    id: before.id,
    seen: before.state,
    state: after.state,
    exceptions: after.exceptions,
    window_ends_at: after.windowEndsAt,
    canceled_at: after.canceledAt,
    accepted_at: after.acceptedAt,
    accepted_excess: after.acceptedExcess,
    kept_rates: after.keptRates,
    awaits_bridge_since: after.awaitsBridgeSince,
    awaits_decision: after.awaitsDecision,
    settlements: after.settlements,
  }));
  const rows = await tx`
    update checkout
       set state = change.state, exceptions = change.exceptions, window_ends_at = change.window_ends_at,
           canceled_at = change.canceled_at, accepted_at = change.accepted_at,
           accepted_excess = change.accepted_excess, kept_rates = change.kept_rates,
           awaits_bridge_since = change.awaits_bridge_since, awaits_decision = change.awaits_decision,
           settlements = change.settlements, updated_at = ${at}
      from json_to_recordset(${JSON.stringify(changed)}::json)
             as change (merchant_id text, id text, seen text, state text, exceptions text[], window_ends_at timestamptz,
                        canceled_at timestamptz, accepted_at timestamptz, accepted_excess jsonb,
                        kept_rates jsonb, awaits_bridge_since timestamptz, awaits_decision boolean,
                        settlements integer)
     where checkout.merchant_id = change.merchant_id and checkout.id = change.id and checkout.state = change.seen
    returning checkout.id`;
  if (rows.length !== changes.length)
    throw new Error(
      `one of the checkouts ${changes.map(({ before }) => before.id).join()} was not as we saw it any more`,
    );
}

export const saveCheckout = (tx: Tx, before: Checkout, after: CheckoutChange, at: Date): Promise<void> =>
  saveCheckouts(tx, [{ before, after }], at);

export async function insertSettlements(
  tx: Tx,
  settlements: readonly { readonly checkout: CheckoutKey; readonly settlement: Settlement }[],
): Promise<void> {
  if (settlements.length === 0) return;
  const rows = settlements.map(({ checkout, settlement }) => fromSettlement(checkout, settlement));
  await tx`
    insert into settlement (merchant_id, checkout_id, generation, reference, parts, settled_at)
    select merchant_id, checkout_id, generation, reference, parts, settled_at
      from json_populate_recordset(null::settlement, ${JSON.stringify(rows)}::json)`;
}

export async function markSettlementReversed(
  tx: Tx,
  checkout: CheckoutKey,
  generation: number,
  at: Date,
): Promise<void> {
  await tx`
    update settlement set reversed_at = ${at}
     where merchant_id = ${checkout.merchantId} and checkout_id = ${checkout.id} and generation = ${generation}`;
}

/** For the operator: the newest checkouts of all merchants, or of one. */
export async function listNewestCheckouts(
  query: Query,
  filter: { readonly merchantId: string | null; readonly state: string | null; readonly limit: number },
): Promise<Checkout[]> {
  const rows = await query<CheckoutRow>`
    select * from checkout
     where (${filter.merchantId}::text is null or merchant_id = ${filter.merchantId})
       and (${filter.state}::text is null or state = ${filter.state})
     order by created_at desc, id desc
     limit ${filter.limit}`;
  return rows.map(toCheckout);
}

/**
 * In which countries the customers of these checkouts were when each was made, also of those who were deleted since; without
 * those of which nobody knew. What a release made that did not keep it has the customer's country of the present.
 */
export async function countriesOfCheckouts(
  query: Query,
  merchantId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await query<{ id: string; country: string }>`
    select * from (
      select checkout.id, coalesce(customer_country, (
               select fields ->> 'countrycode' from customer
                where customer.merchant_id = checkout.merchant_id and customer.id = checkout.customer_id), '') as country
        from checkout where merchant_id = ${merchantId} and id = any(${ids}) and customer_id is not null) as known
     where country <> ''`;
  return new Map(rows.map(({ id, country }) => [id, country]));
}

/** Whether the merchant has this customer. Another slice owns customers. */
export async function findCustomerId(
  query: Query,
  merchantId: string,
  customerId: string,
): Promise<string | undefined> {
  const [row] = await query<{ id: string }>`
    select id from customer where merchant_id = ${merchantId} and id = ${customerId} and deleted_at is null`;
  return row?.id;
}
