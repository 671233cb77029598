/**
 * What matched nobody and is too small for a person to read one by one. Each is a row, booked and found by its id, and can be assigned
 * or sent back like any other; here they are counted, and listed for who looks for one of them.
 */
import type { Query } from '../db/database.ts';
import { type UnmatchedPayment, type UnmatchedRow, unmatchedFromRow, unmatchedShown } from './unmatched-store.ts';

/** Which of them: those of an asset on a network. */
export type CrumbRail = { readonly network: string; readonly asset: string };

export type CrumbSum = CrumbRail & { readonly count: number; readonly units: bigint };

/** What there is of them in suspense. */
export async function unmatchedCrumbs(query: Query): Promise<CrumbSum[]> {
  const rows = await query<{ network: string; asset: string; count: number; units: string }>`
    select network, asset, count(*)::integer as count, sum(units) as units from unmatched_payment
     where is_crumb and assigned_at is null and returned_at is null and reversed_at is null
     group by network, asset order by network, asset`;
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

/**
 * The newest first, because whoever asks for one has sent it lately. `wanted`: only those of whose sender or text it is a part,
 * however they are spaced; `after`: the next page.
 */
export async function listCrumbs(
  query: Query,
  { network, asset }: CrumbRail,
  { after, wanted }: { readonly after: string | null; readonly wanted: string },
): Promise<UnmatchedPayment[]> {
  const rows = await query<UnmatchedRow>`
    select * from unmatched_payment
     where is_crumb and assigned_at is null and returned_at is null and reversed_at is null
       and network = ${network} and asset = ${asset}
       and (${after}::text is null
            or (seen_at, id) < (select last.seen_at, last.id from unmatched_payment last where last.id = ${after}))
       and (${wanted} = '' or position(${squeezed(wanted)} in
              lower(replace(coalesce(sender, '') || ' ' || coalesce(memo, ''), ' ', ''))) > 0)
     order by seen_at desc, id desc limit ${unmatchedShown}`;
  return rows.map(unmatchedFromRow);
}

const squeezed = (text: string): string => text.replaceAll(/\s+/g, '').toLowerCase();
