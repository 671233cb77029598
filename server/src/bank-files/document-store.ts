/** Documents that were accepted, and what is in them, as connectors read them. Nothing of it ever changes. */
import type { Query } from '../db/database.ts';
import type {
  AcceptedDocument,
  DocumentPiece,
  DocumentPlace,
  DocumentRecord,
  KnownDocuments,
  NamedDocument,
  Told,
  ToldValues,
} from '../networks/port/documents.ts';

type DocumentRow = { position: string; digest: string; time: Date; told: string };
type RecordRow = { position: string; number: number; identity: string; told: string };

const parse = (json: string): Told => JSON.parse(json) as Told;

const toDocument = ({ position, digest, time, told }: DocumentRow): AcceptedDocument => ({
  position: Number(position),
  digest,
  time,
  told: parse(told),
});

type NamedRow = DocumentRow & { readonly name: string };
const toNamed = (row: NamedRow): NamedDocument => ({ ...toDocument(row), name: row.name });

const toRecord = ({ position, number, identity, told }: RecordRow): DocumentRecord => ({
  position: Number(position),
  number,
  identity,
  told: parse(told),
});

export async function newestPosition(query: Query, network: string): Promise<number> {
  const [row] = await query<{ position: string | null }>`
    select max(position) as position from bank_document where network = ${network}`;
  return Number(row?.position ?? 0);
}

/** What the account held by the last document that says so, at the network's scale; null: none does. */
export async function lastClosing(query: Query, network: string): Promise<bigint | null> {
  const [row] = await query<{ units: string }>`
    select closing_units::text as units from bank_document
     where network = ${network} and closing_units is not null order by position desc limit 1`;
  return row ? BigInt(row.units) : null;
}

/**
 * What was accepted after a place. A document comes with its records, or with the first of them, and documents without any
 * are passed with those around them. Documents come first: what is accepted between the two statements is for the next look.
 */
export async function readDocuments(
  query: Query,
  network: string,
  { after, recordsMost }: { readonly after: DocumentPlace; readonly recordsMost: number },
): Promise<DocumentPiece> {
  const [newest, rows] = await Promise.all([
    newestPosition(query, network),
    query<DocumentRow & { records: number }>`
      select position, digest, document_time as time, told, record_count as records
        from bank_document
       where network = ${network}
         and (position > ${after.position} or (position = ${after.position} and record_count > ${after.number}))
       order by position
       limit ${recordsMost}`,
  ]);
  const last = rows.at(-1);
  if (!last) return { documents: [], records: [], end: after, isWhole: true, newest };
  const records = await query<RecordRow>`
    select position, number, identity, told
      from bank_record
     where network = ${network} and (position, number) > (${after.position}, ${after.number})
       and position <= ${last.position}
     order by position, number
     limit ${recordsMost}`;
  const lastRecord = records.at(-1);
  // As many as were asked for: there may be more, so it ends where they do.
  const end =
    records.length === recordsMost && lastRecord
      ? { position: Number(lastRecord.position), number: lastRecord.number }
      : { position: Number(last.position), number: last.records };
  const passed = rows.filter(({ position }) => Number(position) <= end.position);
  return {
    documents: passed.map(toDocument),
    records: records.map(toRecord),
    end,
    isWhole: passed.at(-1)?.records === end.number,
    newest: Math.max(newest, end.position),
  };
}

export const knownDocuments = (query: Query, network: string): KnownDocuments => ({
  async newest(kinds, telling) {
    const [row] = await newestOf(query, network, kinds, telling);
    return row ? toDocument(row) : null;
  },
  async lastCrediting(kinds) {
    const [row] = await query<DocumentRow>`
      select last.* from unnest(${kinds}::text[]) as wanted (kind), lateral (
               select position, digest, document_time as time, told, (told ->> 'to') collate "C" as day
                 from bank_document as document
                where network = ${network} and told ->> 'to' is not null
                  and (document.kind, told ->> 'isCrediting') between (wanted.kind, 'true') and (wanted.kind, 'true')
                order by document.kind desc, told ->> 'isCrediting' desc, (told ->> 'to') collate "C" desc, position desc
                limit 1) as last
       order by day desc, position desc limit 1`;
    return row ? toDocument(row) : null;
  },
  async lastCorrection() {
    const [row] = await query<DocumentRow>`
      select position, digest, document_time as time, told from bank_document
       where network = ${network} and told ->> 'isCorrection' = 'true'
       order by position desc limit 1`;
    return row ? toDocument(row) : null;
  },
  async creditedTo(day, kinds) {
    const rows = await query<DocumentRow>`
      select position, digest, document_time as time, told from bank_document
       where network = ${network} and kind = any(${kinds}) and told ->> 'isCrediting' = 'true'
         and (told ->> 'to') collate "C" = ${day}
       order by position`;
    return rows.map(toDocument);
  },
  async shownAfter(day, kinds) {
    const rows = await query<NamedRow>`
      select position, digest, document_time as time, told, name from bank_document
       where network = ${network} and kind = any(${kinds}) and told ->> 'isCrediting' = 'false'
         and (told ->> 'to') collate "C" > ${day ?? ''}
       order by position`;
    return rows.map(toNamed);
  },
  async alike(contents) {
    const rows = await query<DocumentRow>`
      select position, digest, document_time as time, told from bank_document
       where network = ${network} and told ->> 'content' = any(${contents}) order by position`;
    return rows.map(toDocument);
  },
  async named(names) {
    const rows = await query<NamedRow>`
      select position, digest, document_time as time, told, name from bank_document
       where network = ${network} and name = any(${names}) order by position`;
    return rows.map(toNamed);
  },
  async counts(likenesses) {
    const rows = await query<{ likeness: string; count: number }>`
      select likeness, count(*)::integer as count from bank_record
       where network = ${network} and likeness = any(${likenesses}) group by likeness`;
    return new Map(rows.map(({ likeness, count }) => [likeness, count]));
  },
});

/**
 * Each kind by itself, from here to there in the index that is meant: of a hundred thousand notices none may be the one. Asked with
 * `=`, PostgreSQL takes what is common for everything, and reads all documents from the newest on to find what is not there.
 */
async function newestOf(
  query: Query,
  network: string,
  kinds: readonly string[],
  telling: ToldValues | undefined,
): Promise<DocumentRow[]> {
  if (telling === undefined)
    return query<DocumentRow>`
      select newest.* from unnest(${kinds}::text[]) as wanted (kind), lateral (
               select position, digest, document_time as time, told from bank_document as document
                where network = ${network} and document.kind between wanted.kind and wanted.kind
                order by document.kind desc, position desc limit 1) as newest
       order by position desc limit 1`;
  const { sequence } = telling;
  const isCrediting = String(telling.isCrediting);
  if (sequence === undefined)
    return query<DocumentRow>`
      select newest.* from unnest(${kinds}::text[]) as wanted (kind), lateral (
               select position, digest, document_time as time, told from bank_document as document
                where network = ${network} and (document.kind, told ->> 'isCrediting')
                      between (wanted.kind, ${isCrediting}) and (wanted.kind, ${isCrediting})
                order by document.kind desc, told ->> 'isCrediting' desc, position desc limit 1) as newest
       order by position desc limit 1`;
  return query<DocumentRow>`
    select newest.* from unnest(${kinds}::text[]) as wanted (kind), lateral (
             select position, digest, document_time as time, told from bank_document as document
              where network = ${network} and (document.kind, told ->> 'isCrediting', md5(told ->> 'sequence'))
                    between (wanted.kind, ${isCrediting}, md5(${sequence})) and (wanted.kind, ${isCrediting}, md5(${sequence}))
              order by document.kind desc, told ->> 'isCrediting' desc, md5(told ->> 'sequence') desc, position desc
              limit 1) as newest
     order by position desc limit 1`;
}

/** Which of these digests are accepted. */
export async function knownDigests(
  query: Query,
  network: string,
  digests: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await query<{ digest: string }>`
    select digest from bank_document where network = ${network} and digest = any(${digests})`;
  return new Set(rows.map(({ digest }) => digest));
}
