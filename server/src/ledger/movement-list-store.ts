/**
 * The SQL of what a merchant's entries did to its money, entry by entry and in the order of time: the same as `sumMovements`,
 * before it is summed. Decides nothing.
 *
 * `offset 0` holds the order: first the entries, then the lines of each, and no further than the limit.
 */
import type { Query, Row } from '../db/database.ts';
import { merchantAccount, operatorAccount } from './chart-of-accounts.ts';
import type { Subject, SubjectKind } from './entry.ts';
import type { EntryPosition } from './entry-list-store.ts';

export type EntryMovement = EntryPosition & {
  readonly kind: string;
  readonly subject: Subject;
  readonly asset: string;
  readonly available: bigint;
  readonly receivable: bigint;
  /** What came to the operator's fees with it. */
  readonly fee: bigint;
};

export type MovementCut = {
  readonly from: Date;
  readonly to: Date;
  /** Only what was posted after this one. */
  readonly after: EntryPosition | null;
  /** So many entries; one has a movement for each of its assets. */
  readonly limit: number;
};

type MovementRow = Row &
  EntryPosition &
  Record<'kind' | 'subject_id' | 'asset' | 'available' | 'receivable' | 'fee', string> & { subject_kind: SubjectKind };

/** How many entries there are of those that `listMovements` lists, at most `max`. */
export async function countMovements(
  query: Query,
  merchantId: string,
  subjects: readonly SubjectKind[],
  { from, to }: Pick<MovementCut, 'from' | 'to'>,
  max: number,
): Promise<number> {
  const [available, receivable] = (['available', 'receivable'] as const).map((purpose) =>
    merchantAccount(merchantId, purpose, ''),
  );
  const fees = operatorAccount('fees', '');
  const [row] = await query<{ count: number }>`
    select count(*)::integer as count
      from (select from ledger_entry
             where merchant_id = ${merchantId} and subject_kind = any(${subjects}::text[])
               and posted_at >= ${from} and posted_at < ${to}
               and exists (select from ledger_line
                            where ledger_line.reference = ledger_entry.reference
                              and (starts_with(account_id, ${available}) or starts_with(account_id, ${receivable})
                                   or starts_with(account_id, ${fees})))
             limit ${max}) as moved`;
  return row?.count ?? 0;
}

/** Of entries about such subjects, as far as they moved what is available or owed. */
export async function listMovements(
  query: Query,
  merchantId: string,
  subjects: readonly SubjectKind[],
  { from, to, after, limit }: MovementCut,
): Promise<EntryMovement[]> {
  const [available, receivable] = (['available', 'receivable'] as const).map((purpose) =>
    merchantAccount(merchantId, purpose, ''),
  );
  const fees = operatorAccount('fees', '');
  const rows = await query<MovementRow>`
    select entry.*, asset, available::text, receivable::text, fee::text
      from (select reference, posted_at as "postedAt", kind, subject_kind, subject_id from ledger_entry
             where merchant_id = ${merchantId} and subject_kind = any(${subjects}::text[])
               and (posted_at, reference) > (${(after?.postedAt ?? from).toISOString()}::timestamptz, ${after?.reference ?? ''})
               and posted_at < ${to}
               and exists (select from ledger_line
                            where ledger_line.reference = ledger_entry.reference
                              and (starts_with(account_id, ${available}) or starts_with(account_id, ${receivable})
                                   or starts_with(account_id, ${fees})))
             order by posted_at, reference limit ${limit} offset 0) as entry
     cross join lateral (
       select substring(account_id from '[^/]*$') as asset,
              coalesce(sum(units) filter (where starts_with(account_id, ${available})), 0) as available,
              coalesce(sum(units) filter (where starts_with(account_id, ${receivable})), 0) as receivable,
              coalesce(sum(units) filter (where starts_with(account_id, ${fees})), 0) as fee
         from ledger_line
        where ledger_line.reference = entry.reference
          and (starts_with(account_id, ${available}) or starts_with(account_id, ${receivable})
               or starts_with(account_id, ${fees}))
        group by 1 offset 0) as moved
     order by "postedAt", reference, asset`;
  return rows.map((row) => ({
    reference: row.reference,
    postedAt: row.postedAt,
    kind: row.kind,
    subject: { kind: row.subject_kind, id: row.subject_id },
    asset: row.asset,
    available: BigInt(row.available),
    receivable: BigInt(row.receivable),
    fee: BigInt(row.fee),
  }));
}
