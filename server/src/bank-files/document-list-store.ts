/** Accepted documents and their bookings, as lists for people, the newest first. */
import type { Query } from '../db/database.ts';
import type { BankAsset, FileWay, KindSum } from './accept-store.ts';
import { type BookingFacts, type BookingFate, bookingFate } from './booking-fate.ts';
import { readPlace } from './read-place.ts';

export type ListedDocument = {
  readonly network: string;
  readonly position: number;
  readonly name: string;
  readonly kind: string;
  readonly time: Date;
  /** Until which it tells of bookings; null: it is an answer, and tells of none. */
  readonly lastDay: string | null;
  readonly recordCount: number;
  readonly kinds: readonly KindSum[];
  readonly asset: BankAsset;
  readonly closingUnits: bigint | null;
  readonly fileId: string;
  readonly fileName: string;
  readonly broughtBy: string;
  readonly way: FileWay;
  readonly acceptedAt: Date;
};

type ListedRow = Omit<ListedDocument, 'position' | 'kinds' | 'closingUnits' | 'asset'> &
  BankAsset & {
    readonly position: string;
    readonly kinds: string;
    readonly closing: string | null;
  };

const toListed = ({ position, kinds, closing, assetCode, scale, ...row }: ListedRow): ListedDocument => ({
  ...row,
  position: Number(position),
  asset: { assetCode, scale },
  kinds: (JSON.parse(kinds) as { kind: string; count: number; units: string }[]).map(({ kind, count, units }) => ({
    kind,
    count,
    units: BigInt(units),
  })),
  closingUnits: closing === null ? null : BigInt(closing),
});

/** `before`: those below this position, for the next page. */
export async function listDocuments(
  query: Query,
  network: string,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<ListedDocument[]> {
  const rows = await query<ListedRow>`
    select document.network, position, name, kind, document_time as time, told::jsonb ->> 'to' as "lastDay", record_count as "recordCount", kinds,
           asset_code as "assetCode", scale, closing_units as closing, file_id as "fileId", file_name as "fileName", brought_by as "broughtBy", way, accepted_at as "acceptedAt"
      from bank_document document join bank_file file on file.id = document.file_id
     where document.network = ${network} and (${before}::bigint is null or position < ${before}::bigint)
     order by position desc limit ${limit}`;
  return rows.map(toListed);
}

export async function findDocument(
  query: Query,
  network: string,
  position: number,
): Promise<ListedDocument | undefined> {
  const rows = await query<ListedRow>`
    select document.network, position, name, kind, document_time as time, told::jsonb ->> 'to' as "lastDay", record_count as "recordCount", kinds,
           asset_code as "assetCode", scale, closing_units as closing, file_id as "fileId", file_name as "fileName", brought_by as "broughtBy", way, accepted_at as "acceptedAt"
      from bank_document document join bank_file file on file.id = document.file_id
     where document.network = ${network} and position = ${position}`;
  return rows.map(toListed)[0];
}

/** Those of one file. */
export async function documentsOfFile(query: Query, fileId: string): Promise<ListedDocument[]> {
  const rows = await query<ListedRow>`
    select document.network, position, name, kind, document_time as time, told::jsonb ->> 'to' as "lastDay", record_count as "recordCount", kinds,
           asset_code as "assetCode", scale, closing_units as closing, file_id as "fileId", file_name as "fileName", brought_by as "broughtBy", way, accepted_at as "acceptedAt"
      from bank_document document join bank_file file on file.id = document.file_id
     where file_id = ${fileId} order by position`;
  return rows.map(toListed);
}

/** Since when somebody may have paid, and no statement has said whether; null: nobody was asked to pay after the last one. */
export async function askedSinceStatement(query: Query, network: string): Promise<Date | null> {
  const [row] = await query<{ since: Date | null }>`
    select min(committed_at) as since from commitment
     where network = ${network}
       and committed_at > coalesce((select max(document_time) from bank_document
                                     where network = ${network} and kind <> 'pain.002'), '-infinity')`;
  return row?.since ?? null;
}

/** Undefined: there is no such document. */
export async function documentAcceptedAt(query: Query, network: string, position: number): Promise<Date | undefined> {
  const [row] = await query<{ at: Date }>`
    select accepted_at as at from bank_document document join bank_file file on file.id = document.file_id
     where document.network = ${network} and position = ${position}`;
  return row?.at;
}

/** Where a booking is told, and what it became for somebody. */
export type ToldBooking = {
  readonly network: string;
  readonly position: number;
  readonly number: number;
  /** Of the document. */
  readonly name: string;
  /** Of the checkout or deposit that it paid, or of what waited in suspense. */
  readonly ownerId: string | null;
  readonly unmatchedId: string | null;
};

/** By what the payment or movement that it is, is called. */
export async function findToldBooking(query: Query, network: string, identity: string): Promise<ToldBooking | null> {
  const [row] = await query<Omit<ToldBooking, 'position'> & { position: string }>`
    select fact.network, fact.position, fact.number, document.name, fact.owner_id as "ownerId",
           fact.unmatched_id as "unmatchedId"
      from bank_booking_fact fact
      join bank_document document on document.network = fact.network and document.position = fact.position
     where fact.network = ${network} and fact.identity = ${identity}`;
  return row ? { ...row, position: Number(row.position) } : null;
}

export type ListedRecord = {
  readonly number: number;
  readonly identity: string;
  readonly kind: string;
  readonly units: bigint;
  readonly note: string | null;
  readonly fate: BookingFate;
  /** Of the payment that it is, of what waits in suspense, or of the movement. */
  readonly ownerId: string | null;
  readonly unmatchedId: string | null;
  readonly movementId: string | null;
};

export async function listRecords(
  query: Query,
  network: string,
  { position, after, limit }: { readonly position: number; readonly after: number; readonly limit: number },
): Promise<ListedRecord[]> {
  const readTo = await readPlace(query, network);
  const rows = await query<Omit<ListedRecord, 'units' | 'fate'> & BookingFacts & { units: string }>`
    select number, identity, kind, document_kind as "documentKind", units::text as units, note, (position, number) <= (${readTo.position}, ${readTo.number}) as "isRead", owner_id as "ownerId",
           unmatched_id as "unmatchedId", is_waiting as "isWaiting", is_crumb as "isCrumb", is_own as "isOwn", movement_id as "movementId",
           movement_kind as "movementKind", is_open as "isOpen", assigned_as as "assignedAs", payout_id as "payoutId"
      from bank_booking_fact
     where network = ${network} and position = ${position} and number > ${after} order by number limit ${limit}`;
  return rows.map((row) => ({ ...row, units: BigInt(row.units), fate: bookingFate(row) }));
}
