import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const politeMs = 10_000;
const patienceMs = 30_000;

/**
 * Ends a PostgreSQL that an earlier process of ours left running on this data folder when it was killed. The caller
 * holds the folder's lock, so whatever still runs there has no owner. Afterwards nobody uses the folder.
 *
 * The pid in postmaster.pid proves nothing: it may be a zombie, or, after a container was restarted, another program.
 * PostgreSQL would believe it and refuse to start. But all its processes work inside the data folder, and no other
 * program does.
 */
export async function stopLeftoverPostgres(dataFolder: string): Promise<void> {
  const pidFile = join(dataFolder, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const [pidLine = '', , , portLine = ''] = readFileSync(pidFile, 'utf8').split('\n');
  const postmaster = Number(pidLine);
  const findUsers =
    process.platform === 'linux' ? () => processesIn(dataFolder, postmaster) : () => answering(postmaster, portLine);

  const startedAt = performance.now();
  let lastSignal: NodeJS.Signals | null = null;
  for (let users = await findUsers(); users.pids.length > 0; users = await findUsers()) {
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > patienceMs) {
      throw new Error(
        `A PostgreSQL (process ${users.pids.join(', ')}) is still using ${dataFolder} and does not stop.`,
      );
    }
    // SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one, after which it recovers from its log.
    const signal = waitedMs > politeMs ? 'SIGQUIT' : 'SIGINT';
    if (signal !== lastSignal && users.pids.includes(postmaster)) {
      lastSignal = signal;
      signalQuietly(postmaster, signal);
    }
    await sleep(20);
  }
  if ((await findUsers()).isCertain) rmSync(pidFile, { force: true });
}

type Users = { pids: number[]; isCertain: boolean };

/** Every process that works in the folder: the postmaster, and backends that lived longer than it. */
function processesIn(dataFolder: string, postmaster: number): Users {
  const folder = realpathSync(dataFolder);
  const owner = statSync(dataFolder).uid;
  const users: Users = { pids: [], isCertain: true };
  for (const name of readdirSync('/proc')) {
    if (!/^[0-9]+$/.test(name)) continue;
    try {
      if (readlinkSync(`/proc/${name}/cwd`) === folder) users.pids.push(Number(name));
    } catch (error) {
      // Zombies and processes that just ended have no folder any more. Those of another user may be hidden from us.
      const isHidden = ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
      if (!isHidden || !isPostgresOf(name, owner)) continue;
      users.isCertain = false;
      if (Number(name) === postmaster) users.pids.push(postmaster);
    }
  }
  return users;
}

function isPostgresOf(pid: string, owner: number): boolean {
  try {
    return statSync(`/proc/${pid}`).uid === owner && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
  } catch {
    return false;
  }
}

/** Where there is no /proc: alive, and answering on its port. Otherwise PostgreSQL itself judges its pid file. */
async function answering(postmaster: number, portLine: string): Promise<Users> {
  const isAlive = signalQuietly(postmaster, 0) && (await answers(Number(portLine)));
  return { pids: isAlive ? [postmaster] : [], isCertain: false };
}

export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const finish = (isAnswered: boolean) => {
      socket.destroy();
      resolve(isAnswered);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
    socket.setTimeout(1000, () => finish(false));
  });
}

function signalQuietly(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // It ended by itself.
  }
}
