/**
 * Takes files of banks from a folder: each bank has its own, into which people or other programs put them. A file is taken when it
 * is whole, that is, as it was at the look before. It is imported, then moved into `done/` or `refused/`, beside a
 * text that says what became of it. One that is only too early waits for what is missing.
 *
 * Nobody leads: a file that two processes take at once is accepted once, and moved by one of them.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDatabaseAway } from '../db/database.ts';
import { keepTicking, type Ticking } from '../lib/keep-ticking.ts';
import type { Log } from '../lib/log.ts';
import { DocumentRefused } from '../networks/port/documents.ts';
import { newestPosition } from './document-store.ts';
import { fileTooLarge } from './file-refused.ts';
import { banksAmong, type ImportDeps, importBankFile } from './import-bank-file.ts';
import { importLines, shownImport } from './import-words.ts';

export type FolderDeps = ImportDeps & {
  readonly log: Log;
  readonly bankFolder: string;
  /** Between two looks. */
  readonly pauseMs: number;
};

export type FolderResult = 'progress' | 'idle';

type Seen = { readonly size: number; readonly changedMs: number };
type Outcome = 'moved' | 'waits';
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

export function createFolderWatcher(deps: FolderDeps): Ticking<FolderResult> {
  const { db, log } = deps;
  const folders = banksAmong(deps.connectors).map(({ network }) => ({
    network: network.id,
    path: join(deps.bankFolder, network.id.toLowerCase()),
  }));
  /** How a file was at the last look, by its path. */
  let before = new Map<string, Seen>();
  /** Files that cannot be taken as things are: those too early with the position up to which all was known then. */
  const left = new Map<string, { readonly seen: Seen; readonly newest: number | null }>();

  async function tick(): Promise<FolderResult> {
    const now = new Map<string, Seen>();
    let hasMoved = false;
    for (const { network, path } of folders) {
      for (const name of await filesIn(path)) {
        const file = join(path, name);
        const seen = await seenOf(file);
        if (!seen) continue;
        now.set(file, seen);
        const isWhole = seen.size > 0 && isSame(before.get(file), seen);
        if (isWhole && (await isWorthTrying(network, file, seen)))
          hasMoved = (await take({ network, folder: path, path: file, name, seen })) === 'moved' || hasMoved;
      }
    }
    before = now;
    for (const file of left.keys()) if (!now.has(file)) left.delete(file);
    return hasMoved ? 'progress' : 'idle';
  }

  async function isWorthTrying(network: string, file: string, seen: Seen): Promise<boolean> {
    const tried = left.get(file);
    if (!tried || !isSame(tried.seen, seen)) return true;
    return tried.newest !== null && tried.newest !== (await newestPosition(db, network));
  }

  async function take(file: FoundFile): Promise<Outcome> {
    const { network, name } = file;
    try {
      return await importOrRefuse(file);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      if (isGone(error)) return 'moved'; // Another process was faster.
      log.error({ err: error, network, file: name }, 'a file of a bank cannot be taken');
      left.set(file.path, { seen: file.seen, newest: null });
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
      return await moveTo('done', file, importLines(shownImport(imported)).join('\n'));
    } catch (error) {
      if (!(error instanceof DocumentRefused)) throw error;
      const { problem, isEarly } = error;
      log.warn({ network, file: name, why: problem.code, isEarly }, 'file of a bank not taken');
      if (!isEarly) return moveTo('refused', file, problem.sentence);
      left.set(file.path, { seen, newest: await newestPosition(db, network) });
      await writeFile(`${file.path}${waitsEnding}`, `${problem.sentence}\n`);
      return 'waits';
    }
  }

  /** First the file, then what became of it: whoever moved it says so. */
  async function moveTo(
    where: 'done' | 'refused',
    { folder, path, name, seen }: FoundFile,
    words: string,
  ): Promise<Outcome> {
    const goal = join(folder, where);
    await mkdir(goal, { recursive: true });
    const taken = new Set(await readdir(goal));
    const free = [name, ...numbered(name)].find((each) => !taken.has(each)) ?? name;
    const now = await seenOf(path);
    // Somebody put another file in its place meanwhile: that one has its turn at the next look.
    if (!now || !isSame(seen, now)) return 'waits';
    await rename(path, join(goal, free));
    await writeFile(join(goal, `${free}.txt`), `${words}\n`);
    await rm(`${path}${waitsEnding}`, { force: true });
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

async function seenOf(file: string): Promise<Seen | null> {
  const found = await stat(file).catch(() => null);
  return found && { size: found.size, changedMs: found.mtimeMs };
}

const isSame = (one: Seen | undefined, other: Seen): boolean =>
  one !== undefined && one.size === other.size && one.changedMs === other.changedMs;

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** For a name that is taken: a bank may give every file the same. */
const numbered = (name: string): string[] => Array.from({ length: 9_999 }, (_, index) => `${index + 2}-${name}`);
