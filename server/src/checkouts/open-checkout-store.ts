/** The SQL of checkouts that are open now, of all merchants together or of one customer. Decides nothing. */
import type { Query, Row } from '../db/database.ts';

/** Counted up to a limit. The states stand here as texts, because the index is of just these. */
export async function countOpenCheckouts(query: Query, limit: number): Promise<number> {
  const [row] = await query<{ count: number }>`
    select count(*)::integer as count
      from (select from checkout where state in ('PENDING', 'PROCESSING') limit ${limit}) as open`;
  return row?.count ?? 0;
}

/** For how many of them money is awaited on each network; one may be awaited on several. */
export async function countAwaited(query: Query, limit: number): Promise<Map<string, number>> {
  const rows = await query<{ network: string; count: number }>`
    select network, count(distinct (open.merchant_id, open.id))::integer as count
      from (select merchant_id, id from checkout where state = 'PENDING' limit ${limit}) as open
      join commitment on commitment.merchant_id = open.merchant_id and commitment.checkout_id = open.id
     group by network`;
  return new Map(rows.map(({ network, count }) => [network, count]));
}

export type WaitedFor = {
  readonly id: string;
  /** It may still be paid; it waits for a decision of the shop; or money of it is being given back. */
  readonly why: 'open' | 'undecided' | 'refund';
};

/** Those of a customer that are not over for one of these reasons, newest first. `since`: before that nothing was chosen. */
export async function unfinishedCheckouts(
  query: Query,
  merchantId: string,
  customerId: string,
  {
    since,
    waitsFor,
    limit,
  }: { readonly since: Date; readonly waitsFor: readonly WaitedFor['why'][]; readonly limit: number },
): Promise<WaitedFor[]> {
  return query<Row & WaitedFor>`
    select id, why
      from (select id, created_at,
                   case when state in ('PENDING', 'PROCESSING') or (state = 'CREATED' and created_at > ${since}) then 'open'
                        when exists (select from refund
                                      where refund.merchant_id = checkout.merchant_id and refund.checkout_id = checkout.id
                                        and refund.place in ('none', 'reserved') and refund.ended_at is null
                                        and refund.state <> 'AWAITING_APPROVAL') then 'refund'
                        when state = 'UNDERPAID' or awaits_decision
                             or exists (select from refund
                                         where refund.merchant_id = checkout.merchant_id and refund.checkout_id = checkout.id
                                           and refund.state = 'AWAITING_APPROVAL') then 'undecided' end as why
              from checkout where merchant_id = ${merchantId} and customer_id = ${customerId}) as looked_at
     where why = any(${waitsFor}::text[])
     order by created_at desc, id limit ${limit}`;
}
