/**
 * The installation that the commands are about: its folder, its database, its key, its sandbox. The service runs in
 * another process; nothing here starts it.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Db, isDatabaseAway, openDatabase } from '@quittance/server/db/database';
import { runningPostgresUrl, startEmbeddedPostgres } from '@quittance/server/db/embedded-postgres';
import { type Access, openDataFolder, readAccess, readMasterKey } from '@quittance/server/lib/data-folder';
import { createEncryption, type Encryption } from '@quittance/server/lib/encryption';
import { CommandError } from './command-line.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** A relative DATA_DIR means what it means to `npm start`, which always runs in the project's folder. */
export const dataFolder = resolve(root, process.env['DATA_DIR'] ?? 'data');

const given = (name: string): string | undefined => process.env[name]?.trim() || undefined;

export const nothingRuns = (where: string): CommandError =>
  new CommandError(
    `Nothing is running on ${where}: start it with npm start, or set DATA_DIR to the folder of the one that runs.`,
  );

/** What every database command does around its work. */
export async function withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const url = given('DATABASE_URL') ?? (await runningPostgresUrl(join(dataFolder, 'postgres')));
  if (url === null) throw nothingRuns(dataFolder);
  return useDatabase(url, work);
}

/** For what must happen before the service starts, after a restore: runs the embedded database itself if need be. */
export async function withDatabaseAtRest<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const folder = join(dataFolder, 'postgres');
  const isAtRest = given('DATABASE_URL') === undefined && (await runningPostgresUrl(folder)) === null;
  if (!isAtRest) return withDatabase(work);
  if (!existsSync(join(folder, 'data'))) throw new CommandError(`There is no database in ${dataFolder}.`);
  const lock = await openDataFolder(dataFolder);
  try {
    const postgres = await startEmbeddedPostgres({ folder });
    try {
      return await useDatabase(postgres.url, work);
    } finally {
      await postgres.stop();
    }
  } finally {
    lock.release();
  }
}

async function useDatabase<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDatabase({ url, poolSize: 2 });
  try {
    return await work(db);
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    throw new CommandError(`The database at ${new URL(url).host} does not answer: start it, then try again.`);
  } finally {
    await db.close();
  }
}

/** What opens the secrets in the database. */
export async function openEncryption(): Promise<Encryption> {
  const key = given('MASTER_KEY') ?? (await readMasterKey(dataFolder))?.reveal();
  if (key === undefined)
    throw new CommandError(`The master key is in neither MASTER_KEY nor ${join(dataFolder, 'secrets.json')}.`);
  return createEncryption(Buffer.from(key, 'hex'));
}

/** What links begin with, as the running service has it. */
export async function serviceUrl(): Promise<string> {
  const url = given('PUBLIC_URL') ?? (await readAccess(dataFolder))?.baseUrl;
  if (url === undefined) throw new CommandError('Set PUBLIC_URL to the address of the service.');
  return new URL(url).origin;
}

export async function openAccess(): Promise<Access> {
  const access = await readAccess(dataFolder);
  if (access === null) {
    throw isProduction()
      ? new CommandError(
          `There is no ${join(dataFolder, 'access.json')}: in production every merchant has its own key.`,
        )
      : nothingRuns(dataFolder);
  }
  return access;
}

const isProduction = (): boolean => given('MODE') === 'production';

/** RPC addresses of the chains that the sandbox plays, by network id. Never those of real nodes. */
export async function sandboxChains(): Promise<ReadonlyMap<string, string>> {
  if (isProduction())
    throw new CommandError('This installation is in production: only the sandbox lets us mine, pay or reorganise.');
  const text = await readFile(join(dataFolder, 'sandbox.json'), 'utf8').catch(() => null);
  if (text === null) throw nothingRuns(dataFolder);
  const urls = JSON.parse(text) as Record<string, string>;
  return new Map(Object.entries(urls).map(([coin, url]) => [coin.toUpperCase(), url]));
}
