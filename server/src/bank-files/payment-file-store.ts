/** All SQL of payment files. What becomes of the orders in them is in `sending`. */
import type { Query, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { BankAsset } from './accept-store.ts';
import { type PaymentFileState, paymentFileStates } from './payment-file-state.ts';

export type NewPaymentFile = {
  readonly id: string;
  readonly network: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly digest: string;
  readonly orderCount: number;
  readonly asset: BankAsset;
  /** At the scale of `asset`. */
  readonly units: bigint;
  readonly madeBy: Actor;
  readonly madeAt: Date;
};

export type PaymentFile = NewPaymentFile & {
  readonly state: PaymentFileState;
  readonly downloads: number;
  readonly downloadedAt: Date | null;
  readonly voidBy: Actor | null;
  readonly voidAt: Date | null;
};

type FileRow = Omit<PaymentFile, 'asset' | 'units'> & BankAsset & { readonly units: string };

const toFile = ({ assetCode, scale, units, ...row }: FileRow): PaymentFile => ({
  ...row,
  asset: { assetCode, scale },
  units: BigInt(units),
});

export async function insertPaymentFile(tx: Tx, file: NewPaymentFile): Promise<void> {
  const [opening] = paymentFileStates.first;
  await tx`
    insert into payment_file (id, network, file_name, media_type, digest, order_count, asset_code, scale, units, made_by, made_at, state)
    values (${file.id}, ${file.network}, ${file.fileName}, ${file.mediaType}, ${file.digest}, ${file.orderCount}, ${file.asset.assetCode},
            ${file.asset.scale}, ${file.units.toString()}, ${file.madeBy}, ${file.madeAt}, ${opening})`;
}

export async function insertPaymentPiece(tx: Tx, fileId: string, number: number, sealed: Buffer): Promise<void> {
  await tx`insert into payment_file_piece (file_id, number, sealed) values (${fileId}, ${number}, ${sealed})`;
}

export async function paymentPieces(query: Query, fileId: string): Promise<Buffer[]> {
  const rows = await query<{ sealed: Buffer }>`
    select sealed from payment_file_piece where file_id = ${fileId} order by number`;
  return rows.map(({ sealed }) => sealed);
}

export async function findPaymentFile(query: Query, id: string): Promise<PaymentFile | undefined> {
  return (await findPaymentFiles(query, [id]))[0];
}

export async function findPaymentFiles(query: Query, ids: readonly string[]): Promise<PaymentFile[]> {
  const rows = await query<FileRow>`
    select id, network, file_name as "fileName", media_type as "mediaType", digest, order_count as "orderCount", asset_code as "assetCode",
           scale, units::text, made_by as "madeBy", made_at as "madeAt", state, downloads, downloaded_at as "downloadedAt",
           void_by as "voidBy", void_at as "voidAt"
      from payment_file where id = any(${[...ids]}) order by made_at, id`;
  return rows.map(toFile);
}

/** Whoever else downloads it or declares it void waits. */
export async function lockPaymentFile(tx: Tx, id: string): Promise<PaymentFile | undefined> {
  await tx`select from payment_file where id = ${id} for update`;
  return findPaymentFile(tx, id);
}

/** The newest first. `before`: those that were made before this one, for the next page. */
export async function listPaymentFiles(
  query: Query,
  network: string,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<PaymentFile[]> {
  const rows = await query<FileRow>`
    select id, network, file_name as "fileName", media_type as "mediaType", digest, order_count as "orderCount", asset_code as "assetCode",
           scale, units::text, made_by as "madeBy", made_at as "madeAt", state, downloads, downloaded_at as "downloadedAt",
           void_by as "voidBy", void_at as "voidAt"
      from payment_file
     where network = ${network}
       and (${before}::text is null or (made_at, id) < (select made_at, id from payment_file where id = ${before}::text))
     order by made_at desc, id desc limit ${limit}`;
  return rows.map(toFile);
}

/** False: it is not in a state in which it is given out. */
export async function markDownloaded(tx: Tx, id: string, at: Date): Promise<boolean> {
  const { from, to } = paymentFileStates;
  const rows = await tx`
    update payment_file
       set state = ${to('download')}, downloads = downloads + 1, downloaded_at = coalesce(downloaded_at, ${at})
     where id = ${id} and state = any(${from('download')}) returning id`;
  return rows.length === 1;
}

export async function markVoid(
  tx: Tx,
  id: string,
  move: 'void' | 'declareVoid',
  { by, at }: { readonly by: Actor; readonly at: Date },
): Promise<boolean> {
  const { from, to } = paymentFileStates;
  const rows = await tx`
    update payment_file set state = ${to(move)}, void_by = ${by}, void_at = ${at}
     where id = ${id} and state = any(${from(move)}) returning id`;
  return rows.length === 1;
}

/** Files made before this time whose bytes are still here. */
export async function oldPaymentFiles(query: Query, before: Date): Promise<string[]> {
  const rows = await query<{ id: string }>`
    select id from payment_file
     where made_at < ${before} and exists (select from payment_file_piece where file_id = payment_file.id)
     order by id`;
  return rows.map(({ id }) => id);
}

export async function forgetPaymentBytes(query: Query, fileIds: readonly string[]): Promise<void> {
  await query`delete from payment_file_piece where file_id = any(${[...fileIds]})`;
}
