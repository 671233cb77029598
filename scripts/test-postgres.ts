/**
 * The PostgreSQL of a test run: some two hundred databases are made and dropped, and thousands of connections opened.
 * Nothing in it is needed after the run, so nothing must reach a disk: tests about durability start their own.
 */
import { statfsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@quittance/server/db/database';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@quittance/server/db/embedded-postgres';

/** Where Linux keeps files in memory. In a container it may be tiny. */
const memoryFolder = '/dev/shm';
const roomNeeded = 4 * 2 ** 30;

/** Where a run keeps temporary files: in memory if there is room. There a database takes a fifth of the time. */
export function scratchPlace(
  available: number = process.availableMemory(),
  freeIn: (folder: string) => number = freeBytes,
): string {
  return available >= roomNeeded && freeIn(memoryFolder) >= roomNeeded ? memoryFolder : tmpdir();
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0; // Not Linux.
  }
}

const settings = {
  fsync: 'off',
  // What it finds out about small tables would change plans in the middle of a story.
  autovacuum: 'off',
  // A statement is planned for its values five times before a plan is kept: on connections that live no longer than a
  // story that is nearly always.
  plan_cache_mode: 'force_generic_plan',
  full_page_writes: 'off',
  // Everything is in memory: there is nothing to wait for in processes of their own.
  io_method: 'sync',
  max_connections: '300',
  // Dropping a database looks through all shared buffers, and the write-ahead log is kept for later, on disk or in
  // memory.
  shared_buffers: '128MB',
  max_wal_size: '256MB',
  scram_iterations: '1',
};

export async function startTestPostgres(
  folder: string,
  further: Readonly<Record<string, string>> = {},
): Promise<EmbeddedPostgres> {
  const sockets = `${folder}-sockets`;
  await mkdir(sockets, { recursive: true });
  await chmod(sockets, 0o777); // PostgreSQL may run as another user than the tests. Whoever connects needs the password.
  // Through the socket the password is sent as it is: proving it without would cost more than most statements.
  const hba = join(sockets, 'hba.conf');
  await writeFile(hba, 'local all all password\nhost all all 127.0.0.1/32 scram-sha-256\n');
  const places = { unix_socket_directories: sockets, hba_file: hba };
  const started = await startEmbeddedPostgres({ folder, settings: { ...settings, ...places, ...further } });
  const postgres = { url: throughSocket(started.url, sockets), stop: () => started.stop() };
  // The password is stored once more, without the thousands of rounds that make it hard to guess: every connection
  // would compute them.
  const db = openDatabase({ url: postgres.url, poolSize: 1 });
  const { username, password } = new URL(postgres.url);
  await db.script(`alter role ${username} password '${password}'`);
  await db.close();
  return postgres;
}

/** A fifth cheaper than TCP, for both sides. A proxy still finds host and port in it. */
function throughSocket(url: string, folder: string): string {
  const through = new URL(url);
  through.searchParams.set('host', folder);
  return through.href;
}
