/**
 * The installation that the commands work on: its folder, its database, its key, its sandbox. The service runs in
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

export type Installation = {
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  /** What every database command does around its work. */
  withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** For work before the service starts, after a restore: runs the embedded database itself if necessary. */
  withDatabaseAtRest<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Decrypts the secrets in the database. */
  openEncryption(): Promise<Encryption>;
  /** The beginning of links, as the running service has it. */
  serviceUrl(): Promise<string>;
  openAccess(): Promise<Access>;
  /** RPC addresses of the sandbox's chains, by network id. Never those of real nodes. */
  sandboxChains(): Promise<ReadonlyMap<string, string>>;
};

export const nothingRuns = (where: string): CommandError =>
  new CommandError(
    `Nothing is running on ${where}: start it with npm start, or set DATA_DIR to the folder of the one that runs.`,
  );

export function openInstallation(env: NodeJS.ProcessEnv): Installation {
  // A relative DATA_DIR means the same as for `npm start`, which always runs in the project's folder.
  const folder = resolve(root, env['DATA_DIR'] ?? 'data');
  const postgresFolder = join(folder, 'postgres');
  const given = (name: string): string | undefined => env[name]?.trim() || undefined;
  const isProduction = (): boolean => given('MODE') === 'production';

  async function withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const url = given('DATABASE_URL') ?? (await runningPostgresUrl(postgresFolder));
    if (url === null) throw nothingRuns(folder);
    return useDatabase(url, work);
  }

  return {
    env,
    folder,
    withDatabase,
    async withDatabaseAtRest(work) {
      const isAtRest = given('DATABASE_URL') === undefined && (await runningPostgresUrl(postgresFolder)) === null;
      if (!isAtRest) return withDatabase(work);
      if (!existsSync(join(postgresFolder, 'data'))) throw new CommandError(`There is no database in ${folder}.`);
      const lock = await openDataFolder(folder);
      try {
        const postgres = await startEmbeddedPostgres({ folder: postgresFolder });
        try {
          return await useDatabase(postgres.url, work);
        } finally {
          await postgres.stop();
        }
      } finally {
        lock.release();
      }
    },
    async openEncryption() {
      const key = given('MASTER_KEY') ?? (await readMasterKey(folder))?.reveal();
      if (key === undefined)
        throw new CommandError(`The master key is in neither MASTER_KEY nor ${join(folder, 'secrets.json')}.`);
      return createEncryption(Buffer.from(key, 'hex'));
    },
    async serviceUrl() {
      const url = given('PUBLIC_URL') ?? (await readAccess(folder))?.baseUrl;
      if (url === undefined) throw new CommandError('Set PUBLIC_URL to the address of the service.');
      return new URL(url).origin;
    },
    async openAccess() {
      const access = await readAccess(folder);
      if (access !== null) return access;
      throw isProduction()
        ? new CommandError(`There is no ${join(folder, 'access.json')}: in production every merchant has its own key.`)
        : nothingRuns(folder);
    },
    async sandboxChains() {
      if (isProduction())
        throw new CommandError('This installation is in production: only the sandbox lets us mine, pay or reorganise.');
      const text = await readFile(join(folder, 'sandbox.json'), 'utf8').catch(() => null);
      if (text === null) throw nothingRuns(folder);
      const urls = JSON.parse(text) as Record<string, string>;
      return new Map(Object.entries(urls).map(([coin, url]) => [coin.toUpperCase(), url]));
    },
  };
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
