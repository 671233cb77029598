/** What a run needs: a PostgreSQL that commits durably, a merchant, and the service as a process of its own. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { HDKey } from '@scure/bip32';
import { type App, createApp } from '../server/src/app.ts';
import { type Environment, readConfig } from '../server/src/config.ts';
import { type Db, openDatabase } from '../server/src/db/database.ts';
import { startEmbeddedPostgres } from '../server/src/db/embedded-postgres.ts';
import { migrate } from '../server/src/db/migrate.ts';
import { systemClock } from '../server/src/lib/clock.ts';
import { createEncryption } from '../server/src/lib/encryption.ts';
import { createLog } from '../server/src/lib/log.ts';
import { createMerchant } from '../server/src/merchants/create-merchant.ts';

export type Shop = { readonly merchantId: string; readonly apiKey: string; readonly apiSecret: string };

export type Cluster = {
  /** A database of its own, migrated, with a merchant. */
  createWorld(database: string): Promise<World>;
  stop(): Promise<void>;
};

export type World = {
  readonly db: Db;
  readonly databaseUrl: string;
  readonly env: Environment;
  readonly shop: Shop;
  /** Starts server/src/main.ts as in production, with these roles. */
  startService(roles: string, more?: Environment): Promise<Service>;
  /** The same service without a server, for what is called directly. */
  createApp(db: Db): App;
  /** While the API alone is measured, nobody polls rates or watches networks: this stores that both are fresh. */
  refresh(): Promise<void>;
  close(): Promise<void>;
};

export type Service = {
  readonly port: number;
  rssMegabytes(): Promise<number>;
  /** Of its first thread, on which every request waits for every other, since it began. */
  threadTimes(): ThreadTimes;
  stop(): Promise<void>;
};

/** For how long it worked, and for how long it could have worked, but all processors had other work. */
export type ThreadTimes = { readonly workedMs: number; readonly keptWaitingMs: number };

const masterKey = '5a'.repeat(32);
const startMsMax = 120_000;
const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));

export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-bench-'));
  const postgres = await startEmbeddedPostgres({ folder });
  return {
    async createWorld(database) {
      const url = new URL(postgres.url);
      const admin = openDatabase({ url: url.href, poolSize: 1 });
      await admin.script(`create database ${database}`);
      await admin.close();
      url.pathname = `/${database}`;
      return createWorld(url.href);
    },
    async stop() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function createWorld(databaseUrl: string): Promise<World> {
  const db = openDatabase({ url: databaseUrl, poolSize: 4 });
  await migrate(db);

  const versions = { private: 0x04358394, public: 0x043587cf };
  const xpub = HDKey.fromMasterSeed(Buffer.alloc(32, 7), versions).derive("m/84'/1'/0'").publicExtendedKey;
  const env: Environment = {
    DATABASE_URL: databaseUrl,
    MASTER_KEY: masterKey,
    ISSUER_ACCOUNT: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
    PUBLIC_URL: 'https://pay.example.com',
    BITCOIN_RPC_URL: 'http://127.0.0.1:9',
    BITCOIN_XPUB: xpub,
    BITCOIN_CHAIN: 'regtest',
    LITECOIN_RPC_URL: 'http://127.0.0.1:9',
    LITECOIN_XPUB: xpub,
    LITECOIN_CHAIN: 'regtest',
    RATE_LIMITS: 'off',
  };
  const appOn = (own: Db): App => {
    const config = readConfig(env);
    return createApp({
      config,
      publicUrl: config.publicUrl ?? '',
      db: own,
      clock: systemClock,
      log: createLog('warn'),
    });
  };
  const encryption = createEncryption(Buffer.from(masterKey, 'hex'));
  const { merchantId, apiKey, apiSecret } = await createMerchant(
    { db, clock: systemClock, encryption },
    { name: 'Busy shop' },
    'operator',
  );

  return {
    db,
    databaseUrl,
    env,
    shop: { merchantId, apiKey, apiSecret: apiSecret.reveal() },
    startService: (roles, more = {}) => startService({ ...env, ...more, ROLES: roles }),
    createApp: appOn,
    async refresh() {
      await appOn(db).pollRates();
      await db`
        insert into network_cursor (network, observed_at)
        select network, now() from unnest(array['BITCOIN', 'LITECOIN']) as network
            on conflict (network) do update set observed_at = now(), failing_since = null`;
    },
    close: () => db.close(),
  };
}

let services = 0;

async function startService(env: Environment): Promise<Service> {
  const port = 20_000 + (process.pid % 10_000) + services;
  services += 1;
  const flags = process.env['BENCH_NODE_FLAGS']?.split(' ') ?? [];
  const child = spawn(process.execPath, [...flags, main], {
    env: { PATH: process.env['PATH'], ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'], // The request log is written, as in production, and not kept.
  });
  const stop = () => stopProcess(child);
  // A busy machine takes its time; whoever has ended is not waited for.
  const patienceEnds = performance.now() + startMsMax;
  while (!(await isAnswering(port))) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (hasEnded || performance.now() > patienceEnds) {
      await stop();
      throw new Error(hasEnded ? 'the service ended while it started' : 'the service did not start within two minutes');
    }
    await sleep(100);
  }
  return { port, stop, rssMegabytes: () => rssMegabytes(child.pid), threadTimes: () => threadTimes(child.pid) };
}

/** Starts a file of this folder as a process, and waits until it says that it is ready. */
export async function startProcess(file: string): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: [] });
  await once(child, 'message');
  return child;
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

const isAnswering = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/api/v1/time`).then(
    (reply) => reply.ok,
    () => false,
  );

async function rssMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

function threadTimes(pid: number | undefined): ThreadTimes {
  const [worked, keptWaiting] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
  return { workedMs: Number(worked) / 1e6, keptWaitingMs: Number(keptWaiting) / 1e6 };
}
