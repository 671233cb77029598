/** All SQL of beneficiaries. */
import type { Query, Row, Tx } from '../db/database.ts';
import type { PageKey, PagePosition } from '../http/page-cursor.ts';
import { parseExactly } from '../http/parse-json.ts';
import type { BeneficiaryFieldChanges, BeneficiaryFields } from './beneficiary-fields.ts';

export type Beneficiary = {
  readonly id: string;
  readonly type: 'PERSON' | 'COMPANY';
  readonly fields: BeneficiaryFields;
  readonly meta: unknown;
  readonly createdAt: Date;
};

export type BeneficiaryToStore = {
  readonly id: string;
  readonly type: 'PERSON' | 'COMPANY';
  readonly fields: BeneficiaryFieldChanges;
  readonly meta: object | null;
};

export async function insertBeneficiary(
  query: Query,
  merchantId: string,
  { id, type, fields, meta }: BeneficiaryToStore,
  at: Date,
): Promise<void> {
  await query`
    insert into beneficiary (merchant_id, id, type, fields, meta, created_at, updated_at)
    values (${merchantId}, ${id}, ${type}, jsonb_strip_nulls(${JSON.stringify(fields)}::jsonb),
            ${meta && JSON.stringify(meta)}::json, ${at}, ${at})`;
}

export async function updateBeneficiary(
  tx: Tx,
  merchantId: string,
  { id, type, fields, meta }: BeneficiaryToStore,
  at: Date,
): Promise<void> {
  await tx`
    update beneficiary
       set type = ${type}, fields = jsonb_strip_nulls(fields || ${JSON.stringify(fields)}::jsonb),
           meta = coalesce(${meta && JSON.stringify(meta)}::json, meta), updated_at = ${at}
     where merchant_id = ${merchantId} and id = ${id}`;
}

/** What was known of them goes at once. Transfers that were made keep whom they went to: that is in their own rows. */
export async function markBeneficiaryDeleted(tx: Tx, merchantId: string, id: string, at: Date): Promise<void> {
  await tx`
    update beneficiary set deleted_at = ${at}, fields = '{}'::jsonb, meta = null
     where merchant_id = ${merchantId} and id = ${id}`;
}

export async function findBeneficiary(query: Query, merchantId: string, id: string): Promise<Beneficiary | undefined> {
  const [row] = await query<BeneficiaryRow>`
    select id, type, fields, meta, created_at from beneficiary
     where merchant_id = ${merchantId} and id = ${id} and deleted_at is null`;
  return row && toBeneficiary(row);
}

export async function lockBeneficiary(tx: Tx, merchantId: string, id: string): Promise<Beneficiary | undefined> {
  const [row] = await tx<BeneficiaryRow>`
    select id, type, fields, meta, created_at from beneficiary
     where merchant_id = ${merchantId} and id = ${id} and deleted_at is null for update`;
  return row && toBeneficiary(row);
}

/** Whose these destinations are, by their ids; also of those that were deleted since: what was sent there stays. */
export async function beneficiariesOfTargets(
  query: Query,
  merchantId: string,
  targetAccountIds: readonly string[],
): Promise<Map<string, Beneficiary>> {
  const rows = await query<BeneficiaryRow & { target: string }>`
    select target_account.id as target, beneficiary.id, type, fields, meta, beneficiary.created_at
      from target_account
      join beneficiary on beneficiary.merchant_id = target_account.merchant_id
                      and beneficiary.id = target_account.beneficiary_id
     where target_account.merchant_id = ${merchantId} and target_account.id = any(${[...targetAccountIds]})`;
  return new Map(rows.map((row) => [row.target, toBeneficiary(row)]));
}

/** The destinations that name this beneficiary. */
export async function labelsOfBeneficiary(query: Query, merchantId: string, id: string): Promise<string[]> {
  const rows = await query<{ label: string }>`
    select label from target_account
     where merchant_id = ${merchantId} and beneficiary_id = ${id} and deleted_at is null order by label limit 5`;
  return rows.map(({ label }) => label);
}

/** Newest first, those after `position`. */
export async function beneficiariesAfter(
  query: Query,
  merchantId: string,
  { position, limit }: { readonly position: PagePosition | null; readonly limit: number },
): Promise<PageKey[]> {
  return query<Row & PageKey>`
    select id, created_at as "createdAt", coalesce(octet_length(meta::text), 0) as bytes from beneficiary
     where merchant_id = ${merchantId} and deleted_at is null
       and (created_at, id) < (coalesce(${position?.createdAt ?? null}::timestamptz, 'infinity'), ${position?.id ?? ''}::text)
     order by created_at desc, id desc limit ${limit}`;
}

/** In the order of the ids; who was deleted is left out. */
export async function findBeneficiaries(
  query: Query,
  merchantId: string,
  ids: readonly string[],
): Promise<(Beneficiary | undefined)[]> {
  const rows = await query<BeneficiaryRow>`
    select id, type, fields, meta, created_at from beneficiary
     where merchant_id = ${merchantId} and id = any(${[...ids]}) and deleted_at is null`;
  const found = new Map(rows.map((row) => [row.id, toBeneficiary(row)]));
  return ids.map((id) => found.get(id));
}

type BeneficiaryRow = Row & {
  id: string;
  type: Beneficiary['type'];
  fields: BeneficiaryFields;
  meta: string | null;
  created_at: Date;
};

const toBeneficiary = ({ id, type, fields, meta, created_at }: BeneficiaryRow): Beneficiary => ({
  id,
  type,
  fields,
  meta: meta === null ? null : parseExactly(meta),
  createdAt: created_at,
});
