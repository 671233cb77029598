import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

export type FolderLock = { release(): void };

/** A process that was just killed needs a moment to end; whoever starts the next one should not have to wait. */
const patienceMs = 3000;

/**
 * One owner per folder, also after kill -9. SQLite is used only for its file lock: that is the only lock in Node's own
 * library that the kernel frees when a process dies, so there is never an old lock to guess about. With a pid file we
 * would have to guess, because pids are used again, especially in containers.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const lockPath = join(folder, 'lock');
  const ownerPath = join(folder, 'lock.pid');
  const lock = new DatabaseSync(lockPath);
  chmodSync(lockPath, 0o600);
  const startedAt = performance.now();
  while (!tryLock(lock)) {
    if (performance.now() - startedAt > patienceMs) {
      lock.close();
      throw new Error(
        `${folder} is in use by ${readOwner(ownerPath)}. Stop that one first, or choose another folder for this one.`,
      );
    }
    await sleep(20);
  }
  writeFileSync(ownerPath, `${process.pid}\n`, { mode: 0o600 });

  return {
    release() {
      if (!lock.isOpen) return;
      rmSync(ownerPath, { force: true });
      lock.close();
    },
  };
}

function tryLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('pragma journal_mode = off; begin exclusive');
    return true;
  } catch (error) {
    if (error instanceof Error && error.message === 'database is locked') return false;
    throw error;
  }
}

function readOwner(path: string): string {
  try {
    return `process ${readFileSync(path, 'utf8').trim()}`;
  } catch {
    return 'another process';
  }
}
