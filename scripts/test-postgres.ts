/**
 * The PostgreSQL of a test run, which has some two hundred databases made and dropped and thousands of connections
 * opened. Nothing in it outlives the run, so nothing has to reach a disk: tests about durability start their own.
 */
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { openDatabase } from '@quittance/server/db/database';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@quittance/server/db/embedded-postgres';

/** Where Linux keeps files in memory. In a container it may be tiny. */
const memoryFolder = '/dev/shm';
const roomNeeded = 4 * 2 ** 30;

/** Where a run keeps what it throws away: in memory where there is room. A database takes a fifth of the time there. */
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
  ...{ fsync: 'off', full_page_writes: 'off', max_connections: '300' },
  // Dropping a database looks through all of the one, and the other is disk, or memory, that is kept for later.
  ...{ shared_buffers: '128MB', max_wal_size: '256MB' },
  scram_iterations: '1',
};

export async function startTestPostgres(folder: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ folder, settings });
  // Kept once more, now without the thousands of rounds that make a password hard to guess: each connection counts them.
  const db = openDatabase({ url: postgres.url, poolSize: 1 });
  const { username, password } = new URL(postgres.url);
  await db.script(`alter role ${username} password '${password}'`);
  await db.close();
  return postgres;
}
