/** Writes what was accepted. Documents and their records pass over what somebody else wrote meanwhile: the document says so. */
import type { Query, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { ReadDocument, ReadRecord } from '../networks/port/documents.ts';

export type FileWay = 'COMMAND' | 'FOLDER' | 'UPLOAD';

export type AcceptedFile = {
  readonly id: string;
  readonly network: string;
  readonly fileName: string;
  readonly digest: string;
  readonly byteCount: number;
  readonly broughtBy: Actor;
  readonly way: FileWay;
  readonly at: Date;
};

export async function insertFile(tx: Tx, file: AcceptedFile): Promise<void> {
  await tx`
    insert into bank_file (id, network, file_name, digest, byte_count, brought_by, way, accepted_at)
    values (${file.id}, ${file.network}, ${file.fileName}, ${file.digest}, ${file.byteCount}, ${file.broughtBy},
            ${file.way}, ${file.at})`;
}

export async function insertPiece(tx: Tx, fileId: string, number: number, sealed: Buffer): Promise<void> {
  await tx`insert into bank_file_piece (file_id, number, sealed) values (${fileId}, ${number}, ${sealed})`;
}

export async function piecesOf(query: Query, fileId: string): Promise<Buffer[]> {
  const rows = await query<{ sealed: Buffer }>`
    select sealed from bank_file_piece where file_id = ${fileId} order by number`;
  return rows.map(({ sealed }) => sealed);
}

/** The bytes go; that the file was there, and all that was in it, stays. */
export async function forgetBytes(query: Query, before: Date): Promise<void> {
  await query`
    delete from bank_file_piece
     where file_id in (select id from bank_file where accepted_at < ${before})`;
}

/** A bank account is in one currency. */
export type BankAsset = { readonly assetCode: string; readonly scale: number };

export type KindSum = { readonly kind: string; readonly count: number; readonly units: bigint };

/** False: another document has the position, the name or the digest. */
export async function insertDocument(
  tx: Tx,
  network: string,
  document: Pick<ReadDocument, 'name' | 'digest' | 'time' | 'told' | 'closingUnits'>,
  accepted: { position: number; fileId: string; asset: BankAsset; recordCount: number; kinds: readonly KindSum[] },
): Promise<boolean> {
  const { name, digest, time, told, closingUnits = null } = document;
  const kinds = accepted.kinds.map(({ kind, count, units }) => ({ kind, count, units: units.toString() }));
  const rows = await tx`
    insert into bank_document (network, position, digest, name, kind, document_time, told, file_id, record_count, kinds,
                               asset_code, scale, closing_units)
    values (${network}, ${accepted.position}, ${digest}, ${name}, ${told.kind}, ${time}, ${JSON.stringify(told)},
            ${accepted.fileId}, ${accepted.recordCount}, ${JSON.stringify(kinds)}, ${accepted.asset.assetCode}, ${accepted.asset.scale},
            ${closingUnits})
    on conflict do nothing
    returning position`;
  return rows.length === 1;
}

/** `after`: the number of the record before the first. */
export async function insertRecords(
  tx: Tx,
  network: string,
  { position, after }: { readonly position: number; readonly after: number },
  records: readonly ReadRecord[],
): Promise<void> {
  await tx`
    insert into bank_record (network, position, number, identity, likeness, kind, units, note, told)
    select ${network}, ${position}, ${after} + number, identity, likeness, kind, units, note, told
      from unnest(${records.map(({ identity }) => identity)}::text[],
                  ${records.map(({ likeness }) => likeness)}::text[],
                  ${records.map(({ kind }) => kind)}::text[],
                  ${records.map(({ units }) => units)}::numeric[],
                  ${records.map(({ note }) => note ?? null)}::text[],
                  ${records.map(({ told }) => JSON.stringify(told))}::json[])
           with ordinality as record (identity, likeness, kind, units, note, told, number)
    on conflict do nothing`;
}

/** Which of these are told already, in this transaction or before. */
export async function knownIdentities(
  tx: Tx,
  network: string,
  identities: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ identity: string }>`
    select identity from bank_record where network = ${network} and identity = any(${identities})`;
  return new Set(rows.map(({ identity }) => identity));
}
