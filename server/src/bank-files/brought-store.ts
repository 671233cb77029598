/** The SQL of what became of bookings (`bank_booking_fact`). Decides nothing. */
import type { Query } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { DocumentPlace } from '../networks/port/documents.ts';
import type { BankAsset, FileWay } from './accept-store.ts';
import { type BookingFacts, type BookingFate, bookingFate } from './booking-fate.ts';

export type KeptFile = {
  readonly id: string;
  readonly network: string;
  readonly fileName: string;
  readonly digest: string;
  readonly byteCount: number;
  readonly broughtBy: Actor;
  readonly way: FileWay;
  readonly acceptedAt: Date;
  /** Its bytes are not kept for ever. */
  readonly isKept: boolean;
};

export async function findFileBrought(query: Query, id: string): Promise<KeptFile | undefined> {
  const [row] = await query<Omit<KeptFile, 'byteCount'> & { byteCount: string }>`
    select id, network, file_name as "fileName", digest, byte_count as "byteCount", brought_by as "broughtBy", way,
           accepted_at as "acceptedAt", exists (select from bank_file_piece where file_id = id) as "isKept"
      from bank_file where id = ${id}`;
  return row && { ...row, byteCount: Number(row.byteCount) };
}

export type BroughtDocument = {
  readonly position: number;
  readonly asset: BankAsset;
  readonly closingUnits: bigint | null;
  /** False: the books have nothing of it, so its balance is not theirs. */
  readonly isCrediting: boolean;
  readonly recordCount: number;
};

export async function documentsOf(query: Query, fileId: string): Promise<BroughtDocument[]> {
  const rows = await query<{
    position: string;
    assetCode: string;
    scale: number;
    closing: string | null;
    isCrediting: boolean;
    recordCount: number;
  }>`
    select position, asset_code as "assetCode", scale, closing_units::text as closing, record_count as "recordCount",
           coalesce((told ->> 'isCrediting')::boolean, true) as "isCrediting"
      from bank_document
     where file_id = ${fileId} order by position`;
  return rows.map(({ position, assetCode, scale, closing, isCrediting, recordCount }) => ({
    isCrediting,
    recordCount,
    position: Number(position),
    asset: { assetCode, scale },
    closingUnits: closing === null ? null : BigInt(closing),
  }));
}

export type FateSum = { readonly fate: BookingFate; readonly count: number; readonly units: bigint };

/** `readTo`: the last record that is sorted. */
export async function sumsByFate(
  query: Query,
  network: string,
  { positions, readTo }: { readonly positions: readonly number[]; readonly readTo: DocumentPlace },
): Promise<FateSum[]> {
  const rows = await query<BookingFacts & { count: number; units: string }>`
    select kind, document_kind as "documentKind", (position, number) <= (${readTo.position}, ${readTo.number}) as "isRead", case when owner_id is not null then '' end as "ownerId",
           is_waiting as "isWaiting", is_crumb as "isCrumb", is_own as "isOwn", movement_kind as "movementKind", is_open as "isOpen", assigned_as as "assignedAs",
           case when payout_id is not null then '' end as "payoutId", count(*)::integer as count, sum(units)::text as units
      from bank_booking_fact
     where network = ${network} and position = any(${[...positions]}::bigint[])
     group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`;
  const sums = new Map<BookingFate, FateSum>();
  for (const { count, units, ...facts } of rows) {
    const fate = bookingFate(facts);
    const before = sums.get(fate) ?? { count: 0, units: 0n };
    sums.set(fate, { fate, count: before.count + count, units: before.units + BigInt(units) });
  }
  return [...sums.values()];
}

export type MatchedBooking = {
  readonly units: bigint;
  readonly purpose: string;
  readonly ownerId: string;
  readonly merchantId: string;
};

/** The first of those that are payments. */
export async function matchedBookings(
  query: Query,
  network: string,
  { positions, limit }: { readonly positions: readonly number[]; readonly limit: number },
): Promise<MatchedBooking[]> {
  const rows = await query<Omit<MatchedBooking, 'units'> & { units: string }>`
    select units::text as units, purpose, owner_id as "ownerId", merchant_id as "merchantId"
      from bank_booking_fact
     where network = ${network} and position = any(${[...positions]}::bigint[]) and owner_id is not null
       and kind <> 'seen'
     order by position, number limit ${limit}`;
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}
