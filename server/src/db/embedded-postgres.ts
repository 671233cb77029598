import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { assert, present } from '../lib/assert.ts';
import { freePort } from '../lib/free-port.ts';
import { lockFolder } from '../lib/lock-folder.ts';
import type { Log } from '../lib/log.ts';
import { Secret } from '../lib/secret.ts';
import { writeFileAtomically } from '../lib/write-file-atomically.ts';
import { type Cluster, createPostgresCluster } from './create-postgres-cluster.ts';
import { answers, stopLeftoverPostgres } from './leftover-postgres.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { findUnprivileged } from './unprivileged-command.ts';

export type EmbeddedPostgres = { url: string; stop(): Promise<void> };

/**
 * PostgreSQL takes this memory only as it uses it, so a small shop stays small; with many checkouts their indexes fit
 * in.
 */
function sharedBuffers(): string {
  const machine = totalmem();
  const container = process.constrainedMemory() || machine;
  const megabytes = Math.floor(Math.min(machine, container) / 8 / 2 ** 20);
  return `${Math.min(Math.max(megabytes, 128), 4096)}MB`;
}

const defaultSettings = {
  fsync: 'on',
  synchronous_commit: 'on',
  max_connections: '100',
  shared_buffers: sharedBuffers(),
  jit: 'off', // Compiling a query would cost more than any of ours takes.
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
  unix_socket_directories: '',
};

const recoveryPatienceMs = 120_000;
const stopPatienceMs = 30_000;
/**
 * Pauses between attempts to start it again: short at first, then longer. We never stop, because nobody else will do
 * it.
 */
const restartPausesMs = [0, 100, 500, 2_000, 10_000];

/**
 * The PostgreSQL that comes with us, for those who set no DATABASE_URL. It listens on loopback only, with a password.
 *
 * It runs detached: Ctrl-C reaches every process of a terminal, but the database must stop after the processes that use
 * it. If we are killed, a guard stops it; if the guard is killed too, the next start does. If PostgreSQL dies, it is
 * started again.
 */
export async function startEmbeddedPostgres(options: {
  folder: string;
  port?: number;
  log?: Log;
  settings?: Record<string, string>;
}): Promise<EmbeddedPostgres> {
  const folder = resolve(options.folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(folder);
  try {
    const binaries = await findPostgresBinaries();
    const unprivileged = await findUnprivileged(binaries.postgres, folder);
    const settings = { ...defaultSettings, ...options.settings };
    const cluster = await createPostgresCluster(folder, binaries, unprivileged, settings.fsync !== 'off');
    const command = [...unprivileged.prefix, binaries.postgres];
    let postmaster = await startOnce({ folder, cluster, command, settings, port: options.port });
    await createDatabase(cluster, postmaster.port);

    const stopping = new AbortController();
    const { port } = postmaster;
    /** However often it dies, also while it is starting: the service needs its database. */
    async function keepRunning(): Promise<void> {
      for (let failures = 0; ; ) {
        if (stopping.signal.aborted) return; // Whoever stops us waits for this, and then stops what was started.
        await postmaster.exited;
        if (stopping.signal.aborted) return;
        options.log?.error({ failures }, 'embedded PostgreSQL ended unexpectedly and is started again');
        const pauseMs = present(restartPausesMs[Math.min(failures, restartPausesMs.length - 1)], 'a pause');
        await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
        if (stopping.signal.aborted) return;
        try {
          postmaster = await startOnce({ folder, cluster, command, settings, port });
          failures = 0;
        } catch (err) {
          failures += 1;
          options.log?.error({ err, failures }, 'embedded PostgreSQL could not be started again yet');
        }
      }
    }
    const supervision = keepRunning();

    return {
      url: urlOf(cluster, port, 'quittance'),
      async stop() {
        stopping.abort();
        await postmaster.stop();
        await supervision; // It may be starting one at this moment.
        await postmaster.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** How to reach the PostgreSQL that another process of ours runs in this folder, or null when none does. */
export async function runningPostgresUrl(folder: string): Promise<string | null> {
  const read = (name: string) => readFile(join(resolve(folder), name), 'utf8').catch(() => '');
  const [password, postmaster] = await Promise.all([read('password'), read(join('data', 'postmaster.pid'))]);
  const port = Number(postmaster.split('\n')[3] ?? '');
  if (password === '' || !Number.isInteger(port) || port < 1 || !(await answers(port))) return null;
  return urlOf({ password: new Secret(password.trim()) }, port, 'quittance');
}

type Postmaster = { port: number; exited: Promise<void>; stop(): Promise<void> };
type Start = {
  folder: string;
  cluster: Cluster;
  command: string[];
  settings: Record<string, string>;
  port: number | undefined;
};

async function startOnce({ folder, cluster, command, settings, port: wantedPort }: Start): Promise<Postmaster> {
  await stopLeftoverPostgres(cluster.dataFolder);
  const port = wantedPort ?? (await choosePort(folder));
  const logPath = join(folder, 'log');
  const fixed = { listen_addresses: '127.0.0.1', port: String(port) };
  const flags = Object.entries({ ...settings, ...fixed }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [program = 'postgres', ...args] = [...command, '-D', cluster.dataFolder, ...flags];

  const logFile = await open(logPath, 'a', 0o600);
  const logStart = (await logFile.stat()).size;
  const child = spawn(program, args, { detached: true, cwd: '/', stdio: ['ignore', logFile.fd, logFile.fd] });
  child.unref();
  const exited = once(child, 'exit').then(() => undefined);
  exited.catch(() => undefined); // A program that cannot be run never exits; the caller gets that error below.
  await logFile.close();
  if (child.pid === undefined) await exited;
  const guard = startGuard(present(child.pid, 'pid of PostgreSQL'), cluster);
  void exited.then(() => guard.stdin?.end());

  const postmaster = { port, exited, stop: () => stopPostmaster(child, exited) };
  try {
    await waitUntilReady(cluster, port, child);
    return postmaster;
  } catch (error) {
    await postmaster.stop();
    const reason = (await readFile(logPath, 'utf8')).slice(logStart).trim();
    throw new Error(`The embedded PostgreSQL in ${folder} does not start. Its log says:\n${reason}`, { cause: error });
  }
}

/** Lives a moment longer than we do: when its pipe breaks because we were killed, it asks PostgreSQL to stop. */
function startGuard(pid: number, cluster: Cluster): ChildProcess {
  const script = 'read -r _; [ "$(head -n 1 "$2")" = "$1" ] && kill -INT "$1"';
  const args = ['-c', script, 'postgres-guard', String(pid), join(cluster.dataFolder, 'postmaster.pid')];
  const guard = spawn('sh', args, { detached: true, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] });
  guard.unref();
  guard.on('error', () => undefined); // No program can be run now: the next start does its work.
  guard.stdin.on('error', () => undefined); // Someone killed the guard: the next start does its work.
  if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref();
  return guard;
}

async function stopPostmaster(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  child.kill('SIGINT'); // Fast shutdown: closes connections and writes everything.
  const timer = setTimeout(() => child.kill('SIGQUIT'), stopPatienceMs); // Immediate: recovers at the next start.
  await exited;
  clearTimeout(timer);
}

async function waitUntilReady(cluster: Cluster, port: number, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + recoveryPatienceMs;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('PostgreSQL ended while starting');
    try {
      return await withClient(cluster, port, async (client) => {
        const { rows } = await client.query<{ folder: string }>(`select current_setting('data_directory') as folder`);
        assert(rows[0]?.folder === cluster.dataFolder, `port ${port} belongs to another PostgreSQL`);
      });
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      const isStarting = ['ECONNREFUSED', 'ECONNRESET', '57P03'].includes(code);
      if (!isStarting || performance.now() > deadline) throw error;
    }
    await sleep(10);
  }
}

async function createDatabase(cluster: Cluster, port: number): Promise<void> {
  await withClient(cluster, port, async (client) => {
    const { rowCount } = await client.query(`select 1 from pg_database where datname = 'quittance'`);
    if (rowCount === 0) await client.query('create database quittance');
  });
}

async function withClient<T>(cluster: Cluster, port: number, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: urlOf(cluster, port, 'postgres'), connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined); // The running query fails as well, and that is reported.
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const urlOf = (cluster: Pick<Cluster, 'password'>, port: number, database: string): string =>
  `postgres://quittance:${cluster.password.reveal()}@127.0.0.1:${port}/${database}`;

/**
 * The same port as last time if it is free, so that what the operator has noted stays true; otherwise any free port.
 */
async function choosePort(folder: string): Promise<number> {
  const path = join(folder, 'port');
  const remembered = Number(await readFile(path, 'utf8').catch(() => '0'));
  const port = (await freePort('127.0.0.1', remembered).catch(() => null)) ?? (await freePort('127.0.0.1'));
  if (port !== remembered) await writeFileAtomically(path, `${port}\n`);
  return port;
}
