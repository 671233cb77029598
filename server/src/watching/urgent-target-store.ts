/**
 * Which targets are looked at first, where money can arrive though no transaction or log names them and only so many
 * can be looked at. Those of open checkouts first, then deposits, each with a fair share for every merchant. However
 * many targets a merchant has, the others get their turn in the same round; whoever has more than a share has all of
 * them looked at in the following rounds.
 */
import type { Query } from '../db/database.ts';

export type UrgentRequest = {
  readonly asset: string;
  /** The number of this look: what it leaves out comes in the next. */
  readonly round: number;
  readonly limit: number;
  /** Checkouts committed to since then are open, or were so a moment ago. */
  readonly openSince: Date;
  /** A single-use deposit older than this is not expected any more. */
  readonly since: Date;
};

export async function urgentTargetSums(
  query: Query,
  network: string,
  { asset, round, limit, openSince, since }: UrgentRequest,
): Promise<{ key: string; units: bigint }[]> {
  const rows = await query<{ key: string; units: string }>`
    with candidate as (
      select distinct 'checkout' as kind, merchant_id, target_key as key from commitment
       where network = ${network} and committed_at >= ${openSince}
       union all
      select 'deposit', merchant_id, target_key from deposit
       where network = ${network} and closed_at is null and (is_reusable or created_at >= ${since})
    ), crowd as (
      select kind, count(distinct merchant_id) as merchants from candidate group by kind
    ), placed as (
      select kind, key, merchants,
             row_number() over (partition by kind, merchant_id order by key) - 1 as place,
             count(*) over (partition by kind, merchant_id) as own,
             dense_rank() over (partition by kind order by merchant_id) - 1 as merchant_place,
             -- Two thirds are for checkouts: there somebody is waiting.
             case kind when 'checkout' then ${limit}::bigint * 2 / 3 else ${limit}::bigint / 3 end as places
        from candidate join crowd using (kind)
    ), turn as (
      -- How many targets of the same merchant come before it in this round, and how many merchants before its own.
      select kind, key, places,
             row_number() over (
               partition by kind
               order by mod(place - mod(${round}::bigint * greatest(1, places / merchants), own) + own, own),
                        mod(merchant_place - mod(${round}::bigint * places, merchants) + merchants, merchants)) as turn
        from placed
    ), urgent as (
      select distinct key from turn where turn <= places
    )
    select urgent.key,
           (coalesce(sum(payment.units), 0)
             + coalesce((select sum(move.units) from outgoing_move move
                          where move.network = ${network} and move.target_key = urgent.key
                            and move.asset = ${asset}), 0))::text as units
      from urgent
      left join payment on payment.network = ${network} and payment.target_key = urgent.key
            and payment.asset = ${asset} and payment.block_height is not null
            and payment.state in ('SEEN', 'CONFIRMED', 'FINAL')
     group by urgent.key order by urgent.key`;
  return rows.map(({ key, units }) => ({ key, units: BigInt(units) }));
}
