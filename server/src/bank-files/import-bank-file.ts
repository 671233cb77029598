/**
 * Somebody brings a file of a bank: it is accepted whole, in one transaction, or refused whole, and then nothing has changed.
 * What is known of it already is passed over, so the same file may come as often as it likes.
 *
 * One file of a network at a time: its reader looks at what was accepted before. Whoever was frozen and lost the turn
 * meanwhile finds the next position taken, and reads again.
 */
import { createHash } from 'node:crypto';
import type { Db, Tx } from '../db/database.ts';
import { inTurn } from '../db/in-turn.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { isStorable } from '../http/parse-json.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { present } from '../lib/assert.ts';
import { addMs, type Clock } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import { newId } from '../lib/ids.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import type { Connector } from '../networks/port/connector.ts';
import type { DocumentReader, ReadDocument, ReadRecord } from '../networks/port/documents.ts';
import { operatorId } from '../people/audit-sign-in.ts';
import {
  type BankAsset,
  type FileWay,
  insertDocument,
  insertFile,
  insertRecords,
  type KindSum,
  knownIdentities,
} from './accept-store.ts';
import { keepBytes } from './bank-file-bytes.ts';
import { noSuchBank } from './bank-file-errors.ts';
import { knownDigests, knownDocuments, newestPosition } from './document-store.ts';
import { answersElsewhere, fileTooLarge, nameTaken, nothingInFile, notOnlyText } from './file-refused.ts';
import { findPaymentFiles } from './payment-file-store.ts';

export type ImportDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly encryption: Encryption;
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly bankFileBytesMax: number;
};

export type BroughtFile = {
  readonly network: string;
  readonly fileName: string;
  readonly bytes: Uint8Array;
  readonly way: FileWay;
  readonly actor: Actor;
  /** The transaction in which it is accepted. */
  readonly begin: Begin<ImportedFile>;
};

export type ImportedDocument = {
  readonly name: string;
  readonly kind: string;
  /** Null: it was accepted earlier, and nothing of it is new. */
  readonly position: number | null;
  readonly recordCount: number;
  /** Those that another document had told before. */
  readonly knownCount: number;
  readonly kinds: readonly KindSum[];
  readonly closingUnits: bigint | null;
};

export type ImportedFile = {
  readonly network: string;
  readonly asset: BankAsset;
  /** Under this id the file is kept; null: nothing of it was new, and it is not. */
  readonly fileId: string | null;
  readonly documents: readonly ImportedDocument[];
};

const lockClass = 7_083; // The first half of the advisory lock: "someone imports a file of this network".
const recordsPerInsert = 1_000;
const attemptsMax = 3;
const compareAfterMs = 1_000;

export type Bank = Connector & { readonly documents: DocumentReader };

/** Networks that are told in files. */
export const banksAmong = (connectors: ReadonlyMap<string, Connector>): Bank[] =>
  [...connectors.values()].filter((connector): connector is Bank => connector.documents !== undefined);

function assetOf({ network }: Bank): BankAsset {
  const { assetCode, scale } = present(network.assets[0], 'the asset of a bank');
  return { assetCode, scale };
}

/** The network that is meant: the one that is named, or the only one there is. */
export function bankNamed(connectors: ReadonlyMap<string, Connector>, name: string | null): Bank {
  const banks = banksAmong(connectors);
  const [only] = banks;
  const bank = name === null && banks.length === 1 ? only : banks.find(({ network }) => network.id === name);
  if (bank) return bank;
  throw noSuchBank(
    name ?? '',
    banks.map(({ network }) => network.id),
  );
}

/** Throws `DocumentRefused` for a file that must not be accepted. */
export async function importBankFile(deps: ImportDeps, file: BroughtFile): Promise<ImportedFile> {
  const bank = bankNamed(deps.connectors, file.network);
  if (file.bytes.length > deps.bankFileBytesMax) throw fileTooLarge(file.bytes.length, deps.bankFileBytesMax);
  return inTurn(deps.db, lockClass, () => readAndAccept(deps, bank, file, 1), file.network);
}

/** Somebody else accepted something since this file was read. */
class Overtaken extends Error {}

async function readAndAccept(deps: ImportDeps, bank: Bank, file: BroughtFile, attempt: number): Promise<ImportedFile> {
  const { db } = deps;
  const { network } = file;
  const newest = await newestPosition(db, network);
  // Not in the transaction: reading takes long, and what is known must not change by what is being accepted.
  const known = knownDocuments(db, network);
  const documents = uniqueByDigest(await bank.documents.read(file.bytes, known, { isVouched: file.way === 'COMMAND' }));
  if (documents.length === 0) throw nothingInFile();
  if (!documents.every(({ name }) => isStorable(name))) throw notOnlyText();
  const digests = await knownDigests(
    db,
    network,
    documents.map(({ digest }) => digest),
  );
  const fresh = documents.filter(({ digest }) => !digests.has(digest));
  demandFreeNames(fresh, await known.named(fresh.map(({ name }) => name)));
  await demandOwnAnswers(db, network, fresh);
  if (fresh.length === 0) return { network, asset: assetOf(bank), fileId: null, documents: documents.map(passedOver) };
  try {
    return await file.begin((tx) => accept(deps, tx, file, { asset: assetOf(bank), documents, fresh, newest }));
  } catch (error) {
    if (!(error instanceof Overtaken) || attempt >= attemptsMax) throw error;
    return readAndAccept(deps, bank, file, attempt + 1);
  }
}

const uniqueByDigest = (documents: readonly ReadDocument[]): ReadDocument[] => [
  ...new Map(documents.map((document) => [document.digest, document])).values(),
];

const passedOver = ({ name, told, closingUnits = null }: ReadDocument): ImportedDocument => ({
  name,
  kind: told.kind,
  position: null,
  recordCount: 0,
  knownCount: 0,
  kinds: [],
  closingUnits,
});

/** What PostgreSQL cannot store would be accepted here as JSON, and stop whoever makes payments of it. */
function demandText({ identity, likeness, note, told }: ReadRecord): void {
  const isText = [identity, likeness ?? '', note ?? ''].every(isStorable);
  if (!isText || nulInJson.test(JSON.stringify(told))) throw notOnlyText();
}

/** Not a backslash that somebody wrote, which is written as two. */
const nulInJson = /(?<!\\)(?:\\\\)*\\u0000/;

/** The same name is the same document: with other bytes one of the two is wrong, and a person must say which. */
function demandFreeNames(fresh: readonly ReadDocument[], taken: readonly { readonly name: string }[]): void {
  const names = new Set(taken.map(({ name }) => name));
  for (const { name } of fresh) {
    if (names.has(name)) throw nameTaken(name);
    names.add(name);
  }
}

/** A bank client puts the answers to all files of a customer into one folder; here each changes payments of its own account. */
async function demandOwnAnswers(db: Db, network: string, fresh: readonly ReadDocument[]): Promise<void> {
  const files = await findPaymentFiles(
    db,
    fresh.flatMap(({ answers }) => answers ?? []),
  );
  const elsewhere = files.find((file) => file.network !== network);
  if (elsewhere) throw answersElsewhere(elsewhere.fileName, elsewhere.network);
}

async function accept(
  deps: ImportDeps,
  tx: Tx,
  file: BroughtFile,
  read: { asset: BankAsset; documents: readonly ReadDocument[]; fresh: readonly ReadDocument[]; newest: number },
): Promise<ImportedFile> {
  const { network, fileName, bytes, way, actor } = file;
  const { asset } = read;
  const at = deps.clock.now();
  const id = newId();
  const digest = createHash('sha256').update(bytes).digest('hex');
  // Between two statements a piece of the file is read. A process that freezes then keeps only imports waiting.
  await tx`set local idle_in_transaction_session_timeout = '60s'`;
  await insertFile(tx, { id, network, fileName, digest, byteCount: bytes.length, broughtBy: actor, way, at });
  await keepBytes(tx, deps.encryption, id, bytes);

  const accepted = new Map<string, ImportedDocument>();
  let position = read.newest;
  for (const document of read.fresh) {
    position += 1;
    accepted.set(document.digest, await acceptDocument(tx, network, document, { position, fileId: id, asset }));
  }
  const detail = { network, file: fileName, documents: accepted.size, records: countOf(accepted.values()) };
  await insertAudit(tx, { merchantId: operatorId, at, actor, action: 'bank.imported', detail });
  // The watcher has its turn first: it reads what is told, and then the books can be held against the balance.
  await enqueue(tx, [{ name: 'bank.compare', payload: { network, position }, runAt: addMs(at, compareAfterMs) }]);
  const documents = read.documents.map((each) => accepted.get(each.digest) ?? passedOver(each));
  return { network, asset, fileId: id, documents };
}

const countOf = (documents: Iterable<ImportedDocument>): number =>
  [...documents].reduce((sum, { recordCount }) => sum + recordCount, 0);

async function acceptDocument(
  tx: Tx,
  network: string,
  document: ReadDocument,
  place: { readonly position: number; readonly fileId: string; readonly asset: BankAsset },
): Promise<ImportedDocument> {
  const { name, told, closingUnits = null } = document;
  const { position } = place;
  const kinds = new Map<string, KindSum>();
  let [recordCount, knownCount] = [0, 0];
  for await (const records of inBatches(document.records())) {
    const fresh = await freshRecords(tx, network, records);
    knownCount += records.length - fresh.length;
    await insertRecords(tx, network, { position, after: recordCount }, fresh);
    recordCount += fresh.length;
    for (const { kind, units } of fresh) {
      const { count, units: before } = kinds.get(kind) ?? { count: 0, units: 0n };
      kinds.set(kind, { kind, count: count + 1, units: before + units });
    }
  }
  const sums = [...kinds.values()].toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
  // Whoever told a record meanwhile, which was passed over then, has taken the position too.
  if (!(await insertDocument(tx, network, document, { ...place, recordCount, kinds: sums }))) throw new Overtaken();
  return { name, kind: told.kind, position, recordCount, knownCount, kinds: sums, closingUnits };
}

/** What is told under a known identity is not kept a second time, also within one document. */
async function freshRecords(tx: Tx, network: string, records: readonly ReadRecord[]): Promise<ReadRecord[]> {
  const seen = new Set(
    await knownIdentities(
      tx,
      network,
      records.map(({ identity }) => identity),
    ),
  );
  return records.filter(({ identity }) => !seen.has(identity) && seen.add(identity));
}

async function* inBatches(records: AsyncIterable<ReadRecord>): AsyncGenerator<ReadRecord[]> {
  let batch: ReadRecord[] = [];
  for await (const record of records) {
    demandText(record);
    if (batch.push(record) < recordsPerInsert) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
