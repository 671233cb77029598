import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../src/db/embedded-postgres.ts';
import type { Log } from '../src/lib/log.ts';

const isRoot = process.getuid?.() === 0;
const settings = { fsync: 'off' };
const scratch = await mkdtemp(join(tmpdir(), 'quittance-postgres-'));
const owners: ChildProcess[] = [];
after(async () => {
  for (const owner of owners) if (owner.exitCode === null) owner.kill('SIGKILL');
  await rm(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Another process that starts the database and keeps it, so that a test can kill it. */
async function startOwner(folder: string, before: string[] = [], path = process.env['PATH'] ?? '') {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(import.meta.resolve('../src/db/embedded-postgres.ts'))};
    const { url, stop } = await startEmbeddedPostgres({ folder: ${JSON.stringify(folder)}, settings: { fsync: 'off' } });
    process.on('SIGTERM', () => void stop().then(() => process.exit(0)));
    console.log(url);
    setInterval(() => undefined, 60_000);`;
  const [program, ...args] = [...before, process.execPath, '--input-type=module', '--eval', script];
  const owner = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, PATH: path } });
  owners.push(owner);
  const errors: Buffer[] = [];
  owner.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const answer = await Promise.race([
    once(owner.stdout, 'data').then(([chunk]) => String(chunk).trim()),
    once(owner, 'close').then(() => Promise.reject(new Error(Buffer.concat(errors).toString()))),
  ]);
  return { owner, url: answer };
}

/** Rejects while the file is not written yet: 0 would be ourselves to `kill`. */
async function postmasterPid(folder: string): Promise<number> {
  const pid = Number((await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0]);
  assert.ok(pid > 1, 'no pid yet');
  return pid;
}

/** With an end, so that what never happens fails here and not by the runner's patience. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    assert.ok(tries < 3_000, 'it did not come back');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('the first start creates a database that only its password opens', async () => {
  const folder = join(scratch, 'first');
  const postgres = await startEmbeddedPostgres({ folder, settings });
  const [facts] = await query(
    postgres.url,
    `select current_database() as database, current_user as user, current_setting('server_encoding') as encoding,
            current_setting('data_checksums') as checksums, current_setting('listen_addresses') as listens,
            current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous`,
  );
  assert.deepEqual(facts, {
    database: 'quittance',
    user: 'quittance',
    encoding: 'UTF8',
    checksums: 'on',
    listens: '127.0.0.1',
    fsync: 'off',
    synchronous: 'on',
  });
  const stranger = new URL(postgres.url);
  stranger.password = 'guess';
  await assert.rejects(query(stranger.href, 'select 1'), /password authentication failed/);
  assert.equal((await stat(join(folder, 'password'))).mode & 0o777, 0o600);
  await postgres.stop();
  assert.ok(!existsSync(join(folder, 'data', 'postmaster.pid')));
});

test('every commit is on the disk unless a test says otherwise', async () => {
  const postgres = await startEmbeddedPostgres({ folder: join(scratch, 'durable') });
  assert.deepEqual(await query(postgres.url, 'show fsync'), [{ fsync: 'on' }]);
  await postgres.stop();
});

test('a second start makes nothing anew and finds the data on the same port', async () => {
  const folder = join(scratch, 'second');
  const before = await startEmbeddedPostgres({ folder, settings });
  const made = await stat(join(folder, 'data', 'PG_VERSION'));
  await query(before.url, 'create table kept as select 42 as answer');
  await before.stop();

  const again = await startEmbeddedPostgres({ folder, settings });
  const found = await stat(join(folder, 'data', 'PG_VERSION'));
  assert.deepEqual([found.ino, found.ctimeMs], [made.ino, made.ctimeMs]);
  assert.equal(again.url, before.url);
  assert.deepEqual(await query(again.url, 'select * from kept'), [{ answer: 42 }]);
  await again.stop();
});

test('two owners of one folder are refused with a sentence', async () => {
  const folder = join(scratch, 'first');
  const { owner } = await startOwner(folder);
  await assert.rejects(
    startEmbeddedPostgres({ folder, settings }),
    new RegExp(`first is in use by process ${owner.pid}\\. Stop that one first`),
  );
  owner.kill('SIGTERM');
  await once(owner, 'exit');
});

test('after kill -9 of its owner the database stops by itself and nothing committed is lost', async () => {
  const folder = join(scratch, 'first');
  const { owner, url } = await startOwner(folder);
  await query(url, 'create table survived as select 1 as one');
  owner.kill('SIGKILL');

  const postgres = await startEmbeddedPostgres({ folder, settings });
  assert.deepEqual(await query(postgres.url, 'select * from survived'), [{ one: 1 }]);
  await postgres.stop();
});

test('a database whose owner and guard were both killed is taken over', {
  skip: process.platform !== 'linux',
}, async () => {
  const folder = join(scratch, 'first');
  const { owner, url } = await startOwner(folder);
  const pid = await postmasterPid(folder);
  const guard = execFileSync('pgrep', ['--full', `postgres-guard ${pid} `], { encoding: 'utf8' });
  process.kill(Number(guard), 'SIGKILL');
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  await query(url, 'create table orphaned as select 2 as two');

  const postgres = await startEmbeddedPostgres({ folder, settings });
  assert.notEqual(await postmasterPid(folder), pid);
  assert.deepEqual(await query(postgres.url, 'select * from orphaned'), [{ two: 2 }]);
  await postgres.stop();
});

test('a pid file that names an unrelated living process does not keep the database from starting', async () => {
  const folder = join(scratch, 'first');
  const bystander = spawn('sleep', ['60'], { stdio: 'ignore' });
  const port = (await readFile(join(folder, 'port'), 'utf8')).trim();
  const data = join(folder, 'data');
  await writeFile(join(data, 'postmaster.pid'), `${bystander.pid}\n${data}\n1\n${port}\n\n127.0.0.1\n0 0\nready\n`);

  const postgres = await startEmbeddedPostgres({ folder, settings });
  assert.equal((await query(postgres.url, 'select 1')).length, 1);
  await postgres.stop();
  assert.equal(bystander.exitCode, null);
  bystander.kill();
});

test('a database that is killed comes back on the same port, however often, also while it is being started', async () => {
  const folder = join(scratch, 'first');
  const postgres = await startEmbeddedPostgres({ folder, settings });
  for (let kills = 0; kills < 8; kills++) {
    const pid = await postmasterPid(folder);
    process.kill(pid, 'SIGKILL');
    await until(async () => {
      const next = await postmasterPid(folder).catch(() => pid);
      if (next === pid) return false;
      // Every other one dies before it has answered anybody.
      if (kills % 2 === 1) return true;
      return (await query(postgres.url, 'select * from survived').catch(() => null)) !== null;
    });
  }
  await until(async () => (await query(postgres.url, 'select * from survived').catch(() => null)) !== null);
  await postgres.stop();
  assert.ok(!existsSync(join(folder, 'data', 'postmaster.pid')));
});

test('a database that is stopped while it is being started again does not run on', async () => {
  const folder = join(scratch, 'first');
  const postgres = await startEmbeddedPostgres({ folder, settings });
  const pid = await postmasterPid(folder);
  process.kill(pid, 'SIGKILL');
  await until(async () => (await postmasterPid(folder).catch(() => pid)) !== pid);
  const next = await postmasterPid(folder);
  await postgres.stop();
  assert.throws(() => process.kill(next, 0), { code: 'ESRCH' });
  assert.ok(!existsSync(join(folder, 'data', 'postmaster.pid')));
});

test('a database that cannot be started again for a while is, once it can', async () => {
  const folder = join(scratch, 'first');
  const postgres = await startEmbeddedPostgres({ folder, settings });
  const control = join(folder, 'data', 'global', 'pg_control');
  await rename(control, `${control}.away`);
  process.kill(await postmasterPid(folder), 'SIGKILL');
  const complaints = async () => (await readFile(join(folder, 'log'), 'utf8')).split('could not open file').length - 1;
  const before = await complaints();
  await until(async () => (await complaints()) >= before + 2);
  await rename(`${control}.away`, control);
  await until(async () => (await query(postgres.url, 'select * from survived').catch(() => null)) !== null);
  await postgres.stop();
});

test('a database is started again although no program could be run for a while', async () => {
  const folder = join(scratch, 'first');
  const problems: unknown[] = [];
  const log = { error: (facts: unknown) => void problems.push(facts) } as unknown as Log;
  const postgres = await startEmbeddedPostgres({ folder, settings, log });
  const path = process.env['PATH'];
  process.env['PATH'] = join(folder, 'nothing-is-here');
  try {
    process.kill(await postmasterPid(folder), 'SIGKILL');
    await until(async () => problems.length > 2); // Also when it is tried again.
  } finally {
    process.env['PATH'] = path;
  }
  await until(async () => (await query(postgres.url, 'select * from survived').catch(() => null)) !== null);
  await postgres.stop();
});

test('a port that someone else took is replaced by another', async () => {
  const folder = join(scratch, 'first');
  const taken = spawn(process.execPath, [
    '--eval',
    `require('net').createServer().listen(${await readFile(join(folder, 'port'), 'utf8')}, '127.0.0.1', () => console.log('taken'))`,
  ]);
  await once(taken.stdout, 'data');
  const before = await readFile(join(folder, 'port'), 'utf8');
  const postgres = await startEmbeddedPostgres({ folder, settings });
  assert.notEqual(await readFile(join(folder, 'port'), 'utf8'), before);
  await postgres.stop();
  taken.kill();
});

const needsRoot = { skip: isRoot ? false : 'this machine lets only root become another user' };

test('an ordinary user needs no privilege', needsRoot, async () => {
  const folder = await mkdtemp(join(scratch, 'nobody-'));
  await chmod(scratch, 0o755);
  await chown(folder, 65534, 65534);
  const { owner, url } = await startOwner(folder, ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']);
  assert.equal((await query(url, 'select 1')).length, 1);
  assert.equal((await stat(join(folder, 'data'))).uid, 65534);
  owner.kill('SIGTERM');
  await once(owner, 'exit');
});

/** What a container does that forbids user namespaces. */
async function pathWithoutNamespaces(): Promise<string> {
  const bin = await mkdtemp(join(scratch, 'bin-'));
  await writeFile(join(bin, 'unshare'), '#!/bin/sh\necho "unshare failed: Operation not permitted" >&2\nexit 1\n');
  await chmod(join(bin, 'unshare'), 0o755);
  return `${bin}:${process.env['PATH']}`;
}

test('root without user namespaces uses another user, and can come back', needsRoot, async () => {
  await chmod(scratch, 0o755);
  const folder = join(scratch, 'other-user');
  const first = await startOwner(folder, [], await pathWithoutNamespaces());
  await query(first.url, 'create table kept as select 42 as answer');
  assert.notEqual((await stat(join(folder, 'data'))).uid, 0);
  first.owner.kill('SIGKILL');

  const postgres = await startEmbeddedPostgres({ folder, settings });
  assert.deepEqual(await query(postgres.url, 'select * from kept'), [{ answer: 42 }]);
  await postgres.stop();
});

test('root may keep the folder in a home that is closed to others', needsRoot, async () => {
  const closed = await mkdtemp(join(homedir(), '.quittance-test-'));
  await chmod(closed, 0o700);
  for (const path of [process.env['PATH'], await pathWithoutNamespaces()]) {
    const { owner, url } = await startOwner(join(closed, 'postgres'), [], path);
    assert.equal((await query(url, 'select 1')).length, 1);
    owner.kill('SIGTERM');
    await once(owner, 'exit');
  }
  await rm(closed, { recursive: true, force: true });
});
