import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Secret } from '../lib/secret.ts';
import { renameDurably, writeFileAtomically } from '../lib/write-file-atomically.ts';
import { stopLeftoverPostgres } from './leftover-postgres.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import type { Unprivileged } from './unprivileged-command.ts';

const run = promisify(execFile);

export type Cluster = { dataFolder: string; password: Secret };

/** Creates the database files on first use, with a password that never leaves the folder. */
export async function createPostgresCluster(
  folder: string,
  binaries: PostgresBinaries,
  unprivileged: Unprivileged,
  isDurable: boolean,
): Promise<Cluster> {
  const dataFolder = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  if (!existsSync(passwordFile)) await writeFileAtomically(passwordFile, `${randomBytes(24).toString('hex')}\n`);
  const password = new Secret((await readFile(passwordFile, 'utf8')).trim());
  await stopLeftoverPostgres(dataFolder); // Its files must not change their owner while it runs.
  await handOver(folder, unprivileged);
  if (existsSync(dataFolder)) return { dataFolder, password };

  // Made beside its final place: if the start is interrupted here, nothing is left that looks like a database.
  const unfinished = join(folder, 'data.new');
  await rm(unfinished, { recursive: true, force: true });
  const [command = binaries.initdb, ...args] = [
    ...unprivileged.prefix,
    binaries.initdb,
    `--pgdata=${unfinished}`,
    '--username=quittance',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // PostgreSQL's own collation: then the order of texts never changes with the libraries of the operating system.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    ...(isDurable ? [] : ['--no-sync']),
  ];
  await run(command, args, { cwd: '/' }).catch((error: Error & { stderr?: string }) => {
    throw new Error(`PostgreSQL could not create its files in ${folder}: ${error.stderr?.trim() ?? error.message}`);
  });
  await renameDurably(unfinished, dataFolder);
  return { dataFolder, password };
}

/**
 * When we run as root, the files belong to the user as whom PostgreSQL runs; that user can change from one start to the
 * next.
 */
async function handOver(folder: string, { owner }: Unprivileged): Promise<void> {
  if (owner === null) return;
  const places = [folder, join(folder, 'data')].filter((path) => existsSync(path));
  const owners = await Promise.all(places.map((path) => stat(path)));
  if (owners.every(({ uid }) => uid === owner.uid)) return;
  await run('chown', ['-R', '-h', `${owner.uid}:${owner.gid}`, folder]);
}
