/**
 * Makes a file that somebody asked for, a part in each run of its job: what was written is kept with where to go on, in one
 * transaction, so whoever dies loses a part at most. Every part is read from one snapshot. Between two parts it rests as long as
 * the last one took, so that all exports of a process together take half of its attention at most.
 */
import { setTimeout as rest } from 'node:timers/promises';
import { isGranted } from '@quittance/contract/permissions';
import type { Db, Tx } from '../../db/database.ts';
import { apiKeyOf, isKeyActor, personIdOf } from '../../http/actor.ts';
import type { JobCatalog } from '../../jobs/job-catalog.ts';
import { type JobRun, RunLater } from '../../jobs/job-runner.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { findCredentials } from '../../merchants/api-key-store.ts';
import { findMerchant } from '../../merchants/merchant-store.ts';
import { findRole } from '../../people/person-store.ts';
import { grantOf } from '../../people/roles.ts';
import { cancelExport, failExport, finishExport } from '../../reports/end-export.ts';
import type { Export } from '../../reports/export.ts';
import { exportStates, isBeingMade } from '../../reports/export-state.ts';
import { appendPieces, findExport, moveExport } from '../../reports/export-store.ts';
import type { FileLook } from '../frame/account-look.ts';
import { isAccountLanguage, sayInAccount } from '../texts/account-texts.ts';
import type { ListDeps } from './exported-lists.ts';
import type { ListFile } from './list-file.ts';
import { fileOfExport } from './order-export.ts';

export type MakeExportDeps = Omit<ListDeps, 'db'> & { readonly db: Db; readonly clock: Clock; readonly log: Log };

/** So many rows are read for a part, or so much is written: whichever comes first. */
const rowsOfPart = 2_000;
const bytesOfPart = 512 * 1024;
const pieceBytesMax = 1024 * 1024;
/** Nobody waits for an exact number beyond this. */
const countedMax = 10_000_000;
/** An export that fails so often at one part will not be made: who asked for it is told so. */
const failuresMax = 8;

export async function makeExport(
  deps: MakeExportDeps,
  { merchantId, exportId }: JobCatalog['export.make'],
  { attempt }: Pick<JobRun, 'attempt'>,
): Promise<void> {
  const { db, clock, log } = deps;
  const made = await findExport(db, merchantId, exportId);
  if (!made || !isBeingMade(made.state)) return;
  if (!(await mayHave(deps, made))) {
    await db.begin((tx) => cancelExport(tx, made, clock.now()));
    return;
  }
  const startedAt = performance.now();
  try {
    const isDone = made.state === 'WAITING' ? await begin(deps, made) : await writePart(deps, made);
    if (isDone) return;
  } catch (error) {
    if (attempt < failuresMax) throw error;
    log.error({ err: error, merchantId, exportId }, 'an export cannot be made');
    await db.begin((tx) => failExport(tx, made, clock.now()));
    return;
  }
  await rest(performance.now() - startedAt);
  throw new RunLater(clock.now(), { isFurther: true });
}

/** Whoever lost the right to it gets nothing more, and what was written of it goes. */
export async function mayHave(
  { db }: { readonly db: Db },
  { merchantId, requestedBy, frame }: Pick<Export, 'merchantId' | 'requestedBy' | 'frame'>,
): Promise<boolean> {
  if (isKeyActor(requestedBy)) {
    const key = await findCredentials(db, { key: apiKeyOf(requestedBy) });
    return key?.merchant.id === merchantId && isGranted('readReports', key.scopes);
  }
  const role = await findRole(db, merchantId, personIdOf(requestedBy));
  const needed = ['exportReports', ...(frame.hasCustomers ? (['seeCustomers'] as const) : [])] as const;
  return role !== undefined && needed.every((permission) => grantOf(permission, role) !== 'no');
}

async function begin(deps: MakeExportDeps, made: Export): Promise<false> {
  const rowsExpected = await inSnapshot(deps, made, (file) => file.count(countedMax));
  const { merchantId, id } = made;
  await deps.db.begin((tx) => moveExport(tx, merchantId, id, exportStates.pairs('begin'), { rowsExpected }));
  return false;
}

/** True: it was the last one, or the export has ended otherwise. */
async function writePart(deps: MakeExportDeps, made: Export): Promise<boolean> {
  const { db, clock } = deps;
  const { merchantId, id, pieces, rowsDone } = made;
  const part = await inSnapshot(deps, made, async (file) => {
    const texts = pieces === 0 && made.position === null ? [made.frame.head ?? (await file.head())] : [];
    let [rows, bytes, position] = [0, 0, made.position];
    do {
      const read = await file.part(position, rowsDone + rows === 0);
      texts.push(read.text);
      rows += read.rows;
      bytes += Buffer.byteLength(read.text);
      position = read.next;
    } while (position !== null && rows < rowsOfPart && bytes < bytesOfPart);
    if (position === null) texts.push(file.tail);
    return { data: piecesOf(Buffer.from(texts.join(''))), rows, position };
  });
  const isLast = part.position === null;
  const isWritten = await db.begin(async (tx) => {
    const written = { piecesBefore: pieces, data: part.data, rows: part.rows, position: part.position };
    if (!(await appendPieces(tx, merchantId, id, exportStates.pairs('write'), written))) return false;
    if (isLast) await finishExport(tx, { merchantId, id }, clock.now());
    return true;
  });
  return isLast || !isWritten;
}

function piecesOf(data: Buffer): Buffer[] {
  const count = Math.ceil(data.length / pieceBytesMax);
  return Array.from({ length: count }, (_, at) => data.subarray(at * pieceBytesMax, (at + 1) * pieceBytesMax));
}

/** What belongs together is read as of one moment: no row says one thing here and another there. */
async function inSnapshot<Result>(
  { db, assets }: MakeExportDeps,
  made: Export,
  read: (file: ListFile) => Promise<Result>,
): Promise<Result> {
  return db.begin(async (tx: Tx) => {
    await tx`set transaction isolation level repeatable read, read only`;
    const merchant = await findMerchant(tx, made.merchantId);
    if (!merchant) throw new Error('an export belongs to no account');
    return read(await fileOfExport({ db: tx, assets }, { merchant, look: lookOf(made) }, made));
  });
}

/** What it was asked for with, whatever is chosen now. */
function lookOf({ frame }: Export): FileLook {
  const language = isAccountLanguage(frame.language) ? frame.language : 'en';
  return {
    language,
    say: sayInAccount(language),
    may: (permission) => permission === 'seeCustomers' && frame.hasCustomers,
  };
}
