/**
 * Takes files of banks from a folder: each bank has its own, into which people or other programs put them. A file is taken when it
 * is whole, that is, as it was at the look before. It is imported, then moved into `done/` or `refused/`, beside a
 * text that says what became of it. One that is only too early waits for what is missing.
 *
 * Nobody leads: a file that two processes take at once is accepted once, and moved by one of them.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { isDatabaseAway } from '../db/database.ts';
import { present } from '../lib/assert.ts';
import { addMs, minutes } from '../lib/clock.ts';
import { keepTicking, type Ticking } from '../lib/keep-ticking.ts';
import type { Log } from '../lib/log.ts';
import { DocumentRefused } from '../networks/port/documents.ts';
import { newestPosition } from './document-store.ts';
import { fileTooLarge } from './file-refused.ts';
import { forgetFolderFile, noteFolderFile } from './folder-file-store.ts';
import { banksAmong, type ImportDeps, importBankFile } from './import-bank-file.ts';
import { importLines, type ShownImport, shownImport } from './import-words.ts';
import { isToldWhole, whatItBrought } from './what-it-brought.ts';

export type FolderDeps = ImportDeps & {
  readonly assets: AssetCatalog;
  readonly log: Log;
  readonly bankFolder: string;
  /** Between two looks. */
  readonly pauseMs: number;
};

export type FolderResult = 'progress' | 'idle';

type Seen = { readonly size: number; readonly changedMs: number };
type Outcome = 'moved' | 'waits';
type Left = {
  readonly network: string;
  readonly name: string;
  readonly seen: Seen;
  readonly newest: number | null;
  readonly state: 'WAITS' | 'STUCK';
  readonly why: string;
  /** When staff were last told that it is there. */
  readonly notedAt: Date;
};
type FoundFile = {
  readonly network: string;
  readonly folder: string;
  readonly path: string;
  readonly name: string;
  readonly seen: Seen;
};

/** What other programs call a file that they are still writing. */
const isUnfinished = (name: string): boolean => name.startsWith('.') || /\.(?:part|partial|filepart|tmp)$/i.test(name);
const waitsEnding = '.waits.txt';
/** Stands for what is no UTF-8 in a name, as of a file from an old Windows: under such a name nothing is found. */
const unreadable = '\ufffd';
const misnamed = 'Its name has letters that cannot be read, so it is not found under it: give it another name.';
const noteAgainMs = minutes(1);
const tellWithinMs = minutes(10);
/** What was accepted stands there already. */
const noHarm = (): void => undefined;

export function createFolderWatcher(deps: FolderDeps): Ticking<FolderResult> {
  const { db, log } = deps;
  const folders = banksAmong(deps.connectors).map(({ network }) => ({
    network: network.id,
    path: join(deps.bankFolder, network.id.toLowerCase()),
  }));
  /** How a file was at the last look, by its path. */
  let before = new Map<string, Seen>();
  /** Texts beside accepted files, which are written again once it is known what became of the bookings. */
  const toTell = new Map<string, { readonly shown: ShownImport; readonly until: Date }>();
  /** Files that cannot be taken as things are: those too early with the position up to which all was known then. */
  const left = new Map<string, Left>();

  async function tick(): Promise<FolderResult> {
    const now = new Map<string, Seen>();
    let hasMoved = false;
    // A folder that cannot be looked into keeps those of other banks from nothing.
    for (const folder of folders) hasMoved = (await lookInto(folder, now)) || hasMoved;
    before = now;
    for (const [text, each] of toTell) await tellWhatItBrought(text, each);
    for (const [file, each] of left) {
      if (now.has(file) || each.name === '') continue;
      left.delete(file);
      await forgetFolderFile(db, each);
    }
    return hasMoved ? 'progress' : 'idle';
  }

  async function lookInto(
    { network, path }: { network: string; path: string },
    now: Map<string, Seen>,
  ): Promise<boolean> {
    let hasMoved = false;
    const names = await filesIn(path).catch((error: unknown) => noteAway(network, path, error));
    if (names === null) return false;
    if (left.delete(path)) await forgetFolderFile(db, { network, name: '' });
    for (const name of names) {
      const file = join(path, name);
      const seen = await seenOf(file);
      if (seen) now.set(file, seen);
      else if (name.includes(unreadable)) {
        now.set(file, nothingSeen);
        await leave(file, { network, name, seen: nothingSeen, newest: null }, 'STUCK', misnamed);
      }
      if (!seen) continue;
      const isWhole = seen.size > 0 && isSame(before.get(file), seen);
      if (isWhole && (await isWorthTrying(network, file, seen)))
        hasMoved = (await take({ network, folder: path, path: file, name, seen })) === 'moved' || hasMoved;
    }
    return hasMoved;
  }

  /** Said once in the log, and to staff as long as it is so. */
  async function noteAway(network: string, path: string, error: unknown): Promise<null> {
    const known = left.get(path);
    if (!known) log.error({ err: error, network, path }, 'cannot look into the folder of a bank');
    await leave(path, known ?? { network, name: '', seen: nothingSeen, newest: null }, 'STUCK', diskSentence(error));
    return null;
  }

  /** What cannot be taken now is written down where staff read it, and again every minute while it is there. */
  async function leave(
    path: string,
    { network, name, seen, newest }: Pick<Left, 'network' | 'name' | 'seen' | 'newest'>,
    state: Left['state'],
    why: string,
  ): Promise<void> {
    const at = deps.clock.now();
    const known = left.get(path);
    const isNoted = known?.state === state && known.why === why && at < addMs(known.notedAt, noteAgainMs);
    left.set(path, { network, name, seen, newest, state, why, notedAt: isNoted ? known.notedAt : at });
    if (!isNoted) await noteFolderFile(db, { network, name, state, why, since: at });
  }

  /** A process that dies before leaves the first text, which says what was accepted. */
  async function tellWhatItBrought(
    text: string,
    { shown, until }: { readonly shown: ShownImport; readonly until: Date },
  ): Promise<void> {
    const { fileId, network } = shown;
    const isOver = deps.clock.now() >= until;
    if (fileId !== null && !isOver && !(await isToldWhole(db, { id: fileId, network }))) return;
    const brought = fileId === null ? null : await whatItBrought(db, ledgerScale, { id: fileId, network });
    if (brought !== null && !brought.isSettled && !isOver) return;
    toTell.delete(text);
    const isThere = await seenOf(text);
    if (isThere && brought !== null) await writeFile(text, `${importLines(shown, brought).join('\n')}\n`).catch(noHarm);
  }

  const ledgerScale = (asset: string): number => present(findAsset(deps.assets, asset), `asset ${asset}`).ledgerScale;

  async function isWorthTrying(network: string, file: string, seen: Seen): Promise<boolean> {
    const tried = left.get(file);
    if (!tried || !isSame(tried.seen, seen)) return true;
    // Somebody may have made room, or given the right to it.
    if (tried.newest === null) return deps.clock.now() >= addMs(tried.notedAt, noteAgainMs);
    await leave(file, tried, tried.state, tried.why);
    return tried.newest !== (await newestPosition(db, network));
  }

  async function take(file: FoundFile): Promise<Outcome> {
    const { network, name } = file;
    try {
      return await importOrRefuse(file);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      if (isGone(error)) return 'moved'; // Another process was faster.
      const why = diskSentence(error);
      if (left.get(file.path)?.why !== why)
        log.error({ err: error, network, file: name }, 'a file of a bank cannot be taken');
      await leave(file.path, { network, name, seen: file.seen, newest: null }, 'STUCK', why);
      return 'waits';
    }
  }

  async function importOrRefuse(file: FoundFile): Promise<Outcome> {
    const { network, name, seen } = file;
    try {
      if (seen.size > deps.bankFileBytesMax) throw fileTooLarge(seen.size, deps.bankFileBytesMax);
      const bytes = await readFile(file.path);
      const brought = { network, fileName: name, bytes, way: 'FOLDER', actor: 'operator' } as const;
      const imported = await importBankFile(deps, { ...brought, begin: db.begin });
      log.info({ network, file: name }, 'file of a bank imported');
      return await moveTo('done', file, importLines(shownImport(imported)).join('\n'), shownImport(imported));
    } catch (error) {
      if (!(error instanceof DocumentRefused)) throw error;
      const { problem, isEarly } = error;
      log.warn({ network, file: name, why: problem.code, isEarly }, 'file of a bank not taken');
      if (!isEarly) {
        await noteFolderFile(db, { network, name, state: 'REFUSED', why: problem.sentence, since: deps.clock.now() });
        return moveTo('refused', file, problem.sentence);
      }
      const newest = await newestPosition(db, network);
      await leave(file.path, { network, name, seen, newest }, 'WAITS', problem.sentence);
      await writeFile(`${file.path}${waitsEnding}`, `${problem.sentence}\n`);
      return 'waits';
    }
  }

  /** First what became of it, then the file: a death in between leaves no file of which nothing is said. */
  async function moveTo(
    where: 'done' | 'refused',
    { network, folder, path, name, seen }: FoundFile,
    words: string,
    shown: ShownImport | null = null,
  ): Promise<Outcome> {
    const goal = join(folder, where);
    await mkdir(goal, { recursive: true });
    const taken = new Set(await readdir(goal));
    const free = [name, ...numbered(name)].find((each) => !taken.has(each)) ?? name;
    const text = join(goal, `${free}.txt`);
    const now = await seenOf(path);
    // Somebody put another file in its place meanwhile: that one has its turn at the next look.
    if (!now || !isSame(seen, now)) return 'waits';
    await writeFile(text, `${words}\n`);
    await rm(`${path}${waitsEnding}`, { force: true });
    try {
      await rename(path, join(goal, free));
    } catch (error) {
      // Another process was faster: what it moved has its own text.
      if (!(await seenOf(join(goal, free)))) await rm(text, { force: true });
      throw error;
    }
    left.delete(path);
    if (where === 'done') await forgetFolderFile(db, { network, name });
    if (shown?.fileId) toTell.set(text, { shown, until: addMs(deps.clock.now(), tellWithinMs) });
    return 'moved';
  }

  return keepTicking({
    pauseMs: deps.pauseMs,
    leadership: { resign: () => undefined, end: async () => undefined },
    tick,
    onError: (error) => log.error({ err: error }, 'cannot look into the folder of banks'),
  });
}

/** In the order of their names, which banks make of the day. Folders are made where they are missing. */
async function filesIn(path: string): Promise<string[]> {
  await mkdir(path, { recursive: true });
  const entries = await readdir(path, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !isUnfinished(entry.name) && !entry.name.endsWith(waitsEnding))
    .map(({ name }) => name)
    .toSorted();
}

const nothingSeen: Seen = { size: 0, changedMs: 0 };

/** What a person can do about it. Anything else is a mistake of ours, and in the log. */
function diskSentence(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const message = error instanceof Error ? error.message : String(error);
  if (code === 'EACCES' || code === 'EPERM')
    return 'The service may not read, write or move there: give its user the right to, also in done/ and refused/.';
  if (code === 'EROFS') return 'The disk is read-only: the service must be able to move files into done/ and refused/.';
  if (code === 'ENAMETOOLONG') return 'Its name is too long to put a text beside it: give it a shorter one.';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk is full: make room.';
  return `It cannot be taken, and why is in the log of the worker${code === '' ? '' : ` (${code})`}. ${message}`.trim();
}

async function seenOf(file: string): Promise<Seen | null> {
  const found = await stat(file).catch(() => null);
  return found && { size: found.size, changedMs: found.mtimeMs };
}

const isSame = (one: Seen | undefined, other: Seen): boolean =>
  one !== undefined && one.size === other.size && one.changedMs === other.changedMs;

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** For a name that is taken: a bank may give every file the same. */
const numbered = (name: string): string[] => Array.from({ length: 9_999 }, (_, index) => `${index + 2}-${name}`);
