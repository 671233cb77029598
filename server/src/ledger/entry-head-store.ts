/** The SQL of entries without their lines: what happened when, in the order of time. Decides nothing. */
import type { Query, Row } from '../db/database.ts';
import type { EntryKind, Subject, SubjectKind } from './entry.ts';
import type { EntryPosition } from './entry-list-store.ts';

export type EntryHead = EntryPosition & { readonly kind: string; readonly subject: Subject };

type HeadRow = Row & EntryPosition & { kind: string; subject_kind: SubjectKind; subject_id: string };

const toHead = ({ reference, postedAt, kind, subject_kind, subject_id }: HeadRow): EntryHead => ({
  reference,
  postedAt,
  kind,
  subject: { kind: subject_kind, id: subject_id },
});

/** Of these kinds, between two moments and after a position. That a payment came for the first time is left out. */
export async function listEntryHeads(
  query: Query,
  merchantId: string,
  kinds: readonly EntryKind[],
  cut: { readonly from: Date; readonly to: Date; readonly after: EntryPosition | null; readonly limit: number },
): Promise<EntryHead[]> {
  const { from, to, after, limit } = cut;
  const rows = await query<HeadRow>`
    select reference, posted_at as "postedAt", kind, subject_kind, subject_id from ledger_entry
     where merchant_id = ${merchantId} and kind = any(${kinds}::text[])
       and (posted_at, reference) > (${(after?.postedAt ?? from).toISOString()}::timestamptz, ${after?.reference ?? ''})
       and posted_at < ${to}
       and (kind <> 'payment_received' or split_part(reference, ':', 3) <> '1')
     order by posted_at, reference limit ${limit}`;
  return rows.map(toHead);
}

/** All of these kinds about these subjects of the merchant; likewise. */
export async function entryHeadsAbout(
  query: Query,
  merchantId: string,
  kinds: readonly EntryKind[],
  subjects: readonly Subject[],
): Promise<EntryHead[]> {
  const rows = await query<HeadRow>`
    select reference, posted_at as "postedAt", kind, subject_kind, subject_id
      from unnest(${subjects.map(({ kind }) => kind)}::text[], ${subjects.map(({ id }) => id)}::text[])
             as wanted (subject_kind, subject_id)
      join ledger_entry using (subject_kind, subject_id)
     where merchant_id = ${merchantId} and kind = any(${kinds}::text[])
       and (kind <> 'payment_received' or split_part(reference, ':', 3) <> '1')
     order by posted_at, reference`;
  return rows.map(toHead);
}
