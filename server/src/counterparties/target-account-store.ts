/** All SQL of target accounts. */
import type { Query, Row, Tx } from '../db/database.ts';
import type { PagePosition } from '../http/page-cursor.ts';
import type { TargetAccount } from './target-account.ts';

/** By its id or, without one, by its label. */
export type TargetAccountName = { readonly id?: string | undefined; readonly label?: string | undefined };

export async function insertTargetAccount(tx: Tx, merchantId: string, account: TargetAccount, at: Date): Promise<void> {
  await tx`
    insert into target_account (merchant_id, id, label, network, assets, address, memo, memo_type, beneficiary_id, bic,
                                usable_from, created_at, updated_at)
    values (${merchantId}, ${account.id}, ${account.label}, ${account.network}, ${[...account.assets]},
            ${account.address}, ${account.memo}, ${account.memoType}, ${account.beneficiaryId}, ${account.bic}, ${account.usableFrom},
            ${at}, ${at})`;
}

export async function updateTargetAccount(tx: Tx, merchantId: string, account: TargetAccount, at: Date): Promise<void> {
  await tx`
    update target_account
       set label = ${account.label}, network = ${account.network}, assets = ${[...account.assets]},
           address = ${account.address}, memo = ${account.memo}, memo_type = ${account.memoType},
           beneficiary_id = ${account.beneficiaryId}, bic = ${account.bic}, usable_from = ${account.usableFrom}, updated_at = ${at}
     where merchant_id = ${merchantId} and id = ${account.id}`;
}

export async function markTargetAccountDeleted(tx: Tx, merchantId: string, id: string, at: Date): Promise<void> {
  await tx`update target_account set deleted_at = ${at} where merchant_id = ${merchantId} and id = ${id}`;
}

export async function findTargetAccount(
  query: Query,
  merchantId: string,
  { id = null, label = null }: { [N in keyof TargetAccountName]: TargetAccountName[N] | null },
): Promise<TargetAccount | undefined> {
  const [row] = await query<TargetAccountRow>`
    select * from target_account
     where merchant_id = ${merchantId} and deleted_at is null
       and (id = ${id} or ${id}::text is null and label = ${label})`;
  return row && toTargetAccount(row);
}

export async function lockTargetAccount(
  tx: Tx,
  merchantId: string,
  { id = null, label = null }: { [N in keyof TargetAccountName]: TargetAccountName[N] | null },
): Promise<TargetAccount | undefined> {
  const [row] = await tx<TargetAccountRow>`
    select * from target_account
     where merchant_id = ${merchantId} and deleted_at is null
       and (id = ${id} or ${id}::text is null and label = ${label}) for update`;
  return row && toTargetAccount(row);
}

/** Whose waiting time ended within that time. */
export async function targetAccountsUsableSince(
  query: Query,
  merchantId: string,
  { after, now, limit }: { readonly after: Date; readonly now: Date; readonly limit: number },
): Promise<TargetAccount[]> {
  const rows = await query<TargetAccountRow>`
    select * from target_account
     where merchant_id = ${merchantId} and deleted_at is null
       and usable_from > ${after} and usable_from <= ${now} and usable_from > updated_at
     order by usable_from, id limit ${limit}`;
  return rows.map(toTargetAccount);
}

/** Newest first, those after `position`. */
export async function targetAccountsAfter(
  query: Query,
  merchantId: string,
  page: { readonly position: PagePosition | null; readonly network: string | null; readonly limit: number },
): Promise<TargetAccount[]> {
  const { position, network } = page;
  const rows = await query<TargetAccountRow>`
    select * from target_account
     where merchant_id = ${merchantId} and deleted_at is null and (${network}::text is null or network = ${network})
       and (created_at, id) < (coalesce(${position?.createdAt ?? null}::timestamptz, 'infinity'), ${position?.id ?? ''}::text)
     order by created_at desc, id desc limit ${page.limit}`;
  return rows.map(toTargetAccount);
}

type TargetAccountRow = Row &
  Record<'id' | 'label' | 'network' | 'address', string> &
  Record<'memo' | 'memo_type' | 'beneficiary_id' | 'bic', string | null> & {
    assets: string[];
    usable_from: Date;
    created_at: Date;
  };

const toTargetAccount = (row: TargetAccountRow): TargetAccount => ({
  id: row.id,
  label: row.label,
  network: row.network,
  assets: row.assets,
  address: row.address,
  memo: row.memo,
  memoType: row.memo_type,
  beneficiaryId: row.beneficiary_id,
  bic: row.bic,
  usableFrom: row.usable_from,
  createdAt: row.created_at,
});
