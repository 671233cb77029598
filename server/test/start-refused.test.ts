/** A start that cannot succeed ends with a sentence for each problem, before anything is started, and no stack. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HDKey } from '@scure/bip32';
import type { Environment } from '../src/config.ts';
import { databaseProblem, databaseUrlProblems } from '../src/db/database-problem.ts';
import { folderProblem } from '../src/lib/folder-problem.ts';
import { explainListenError, portProblem } from '../src/lib/port-problem.ts';
import { Secret } from '../src/lib/secret.ts';
import { newIssuerKeypair } from '../src/lib/strkey.ts';
import { testIssuer } from './gateway.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const startScript = fileURLToPath(new URL('../../scripts/start.ts', import.meta.url));
const xpub = HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/84'/0'/0'").publicExtendedKey;
const port = createServer();
let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
  port.listen(0, '127.0.0.1');
  await once(port, 'listening');
});
after(async () => {
  port.close();
  await database.drop();
});

/** A server program of one role, or of all: nothing of it may have been started. */
function start(settings: Environment, script = program): string {
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    MASTER_KEY: '5a'.repeat(32),
    ISSUER_ACCOUNT: testIssuer,
    ROLES: 'api',
    BITCOIN_RPC_URL: 'http://u:p@127.0.0.1:1',
    BITCOIN_XPUB: xpub,
    LOG_LEVEL: 'silent',
    ...settings,
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { env, encoding: 'utf8', timeout: 600_000 });
  assert.equal(status, 1, stderr);
  assert.equal(stdout, '');
  assert.doesNotMatch(stderr, /^\s+at /m, 'no stack');
  assert.doesNotMatch(stderr, /abracadabra/, 'no secret');
  return stderr;
}

const taken = () => String((port.address() as AddressInfo).port);

test('all that is wrong is told together: settings, port, database', () => {
  const settings = {
    PORT: taken(),
    LOG_LEVEL: 'loud',
    FEE_PERCENT: 'x',
    DATABASE_URL: 'postgres://user:abracadabra@127.0.0.1:1/quittance',
  };
  const wrong = [
    'FEE_PERCENT must be a number from 0 to 50, but is "x".',
    'LOG_LEVEL must be info or debug or warn or error or silent, but is "loud".',
    `Port ${taken()} of 127.0.0.1 is in use by another program: set PORT to another one.`,
    'The database at 127.0.0.1:1 does not answer: is it running, and is DATABASE_URL right?',
  ];
  const list = (problems: string[]) =>
    `There are ${problems.length} problems:\n${problems.map((each) => `- ${each}\n`).join('')}`;
  assert.equal(start(settings), list(wrong));
  // Who does not listen needs no port.
  const ofWorker = wrong.filter((each) => !each.startsWith('Port'));
  assert.equal(start({ ...settings, ROLES: 'worker' }), list(ofWorker));
  assert.equal(start({ ...settings, ROLES: 'watcher' }), list(ofWorker));
});

test('npm start says the same, and what is wrong with its folder, before it makes or starts anything', async () => {
  const [own, folder] = [await mkdtemp(join(tmpdir(), 'quittance-refused-')), join(tmpdir(), `nowhere-${process.pid}`)];
  const nothing = { MASTER_KEY: '', ISSUER_ACCOUNT: '', BITCOIN_RPC_URL: '', BITCOIN_XPUB: '', ROLES: '' };
  const npmStart = (settings: Environment) => start({ ...nothing, ...settings }, startScript);
  await writeFile(join(own, 'file'), '');
  const said = npmStart({ DATA_DIR: join(own, 'file'), PORT: taken(), LOG_LEVEL: 'loud', VENUES: '*:stellar-dex' });
  assert.deepEqual(said.split('\n'), [
    'There are 3 problems:',
    '- LOG_LEVEL must be info or debug or warn or error or silent, but is "loud".',
    `- Port ${taken()} of 127.0.0.1 is in use by another program: set PORT to another one.`,
    `- DATA_DIR must be a folder, but ${join(own, 'file')} is a file.`,
    '',
  ]);
  const other = npmStart({ DATA_DIR: folder, PORT: '0', DATABASE_URL: 'mysql://root:abracadabra@db/shop' });
  assert.equal(other, 'DATABASE_URL must begin with postgres://, but begins with mysql://.\n');
  assert.ok(!existsSync(folder), 'nothing was made');
  assert.deepEqual(await readdir(own), ['file']);
  await rm(own, { recursive: true });
});

test('the database does not answer, does not exist, or does not know us: host and user are named, never the secret', async () => {
  const problemWith = async (change: Partial<URL> & { url?: string }) => {
    const url = Object.assign(new URL(change.url ?? database.url), change);
    return { said: await databaseProblem(new Secret(url.href)), url };
  };
  for (const host of ['127.0.0.1:1', 'localhost:1'])
    assert.equal(
      (await problemWith({ host })).said,
      `The database at ${host} does not answer: is it running, and is DATABASE_URL right?`,
    );
  assert.equal((await problemWith({})).said, null);
  const nowhere = await problemWith({ pathname: '/nowhere' });
  assert.equal(
    nowhere.said,
    `The database at ${nowhere.url.host} refuses us: database "nowhere" does not exist. Is DATABASE_URL right?`,
  );
  for (const password of ['abracadabra', '']) {
    const wrong = await problemWith({ username: 'shop', password });
    assert.equal(wrong.said, `The database at ${wrong.url.host} refuses shop: is the password in DATABASE_URL right?`);
  }
  const sentence = `The database at ${nowhere.url.host} refuses us: database "nowhere" does not exist. Is DATABASE_URL right?\n`;
  assert.equal(start({ DATABASE_URL: nowhere.url.href }), sentence);
  assert.deepEqual(databaseUrlProblems('postgres://user:a#/b@host:5432/x'), [
    'DATABASE_URL must be postgres://user:password@host:port/database, with / # ? @ : in the password as %2F %23 …',
  ]);
  assert.deepEqual(databaseUrlProblems('/var/lib/data'), ['DATABASE_URL must begin with postgres://.']);
});

test('a user who may create nothing, and a server that is too old, are told apart', async () => {
  const name = `reader_${process.pid}`;
  await database.db.script(`create role ${name} login password 'abracadabra'`);
  try {
    const url = Object.assign(new URL(database.url), { username: name, password: 'abracadabra' });
    assert.equal(
      await databaseProblem(new Secret(url.href)),
      `The database at ${url.host} does not let ${name} create tables: make that user the owner of the database.`,
    );
  } finally {
    await database.db.script(`drop role ${name}`);
  }
  const old = await startOldServer();
  assert.equal(
    await databaseProblem(new Secret(`postgres://user:abracadabra@127.0.0.1:${old.port}/x`)),
    `The database at 127.0.0.1:${old.port} is PostgreSQL 12, but 15 or newer is needed.`,
  );
  old.close();
});

/** Speaks just enough of PostgreSQL's protocol to say how old it is. */
async function startOldServer(): Promise<{ port: number; close(): void }> {
  const message = (type: string, ...parts: (string | number[])[]): Buffer => {
    const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeUInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const ready = message('Z', 'I');
  const column = (name: string, type: number) => [
    `${name}\0`,
    [0, 0, 0, 0, 0, 0, 0, 0, 0, type, 0, 4, 0, 0, 0, 0, 0, 0],
  ];
  const row = [
    message('T', [0, 2], ...(column('version', 23) as string[]), ...(column('canCreate', 16) as string[])),
    message('D', [0, 2, 0, 0, 0, 2], '12', [0, 0, 0, 1], 't'),
    message('C', 'SELECT 1\0'),
    ready,
  ];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      if (chunk[0] === 0) socket.write(Buffer.concat([message('R', [0, 0, 0, 0]), ready]));
      else if (chunk[0] === 81) socket.write(Buffer.concat(row));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

test('a folder must take files, and the permissions that PostgreSQL insists on', async () => {
  const own = await mkdtemp(join(tmpdir(), 'quittance-refused-'));
  const problem = (path: string, setMode?: typeof chmod) => folderProblem(path, 'DATA_DIR', setMode);
  assert.equal(await problem(own), null);
  assert.equal(await problem(join(own, 'not', 'yet', 'there')), null);
  await writeFile(join(own, 'file'), '');
  assert.equal(
    await problem(join(own, 'file', 'data')),
    `DATA_DIR is ${join(own, 'file', 'data')}, but ${join(own, 'file')} is a file: set DATA_DIR to a folder.`,
  );
  assert.match((await problem('/proc/quittance')) ?? '', /^DATA_DIR is \/proc\/quittance, where no files can be made/);

  // Shared folders of other systems say yes and do nothing, or say no.
  const careless = (async () => undefined) as typeof chmod;
  const strict = (async () => Promise.reject(Object.assign(new Error(), { code: 'EPERM' }))) as typeof chmod;
  for (const setMode of [careless, strict])
    assert.equal(
      await problem(own, setMode),
      `DATA_DIR is ${own}, on a file system that keeps no permissions, which PostgreSQL needs: set DATA_DIR to a folder on a local disk.`,
    );
  assert.deepEqual(await readdir(own), ['file'], 'nothing is left behind');

  await chmod(own, 0o500);
  assert.equal(
    await asNobody(() => problem(join(own, 'data'))),
    `DATA_DIR is ${join(own, 'data')}, where we may not write: give it to the user who starts this, or set DATA_DIR to another folder.`,
  );
  await rm(own, { recursive: true });
});

test('the port is taken or forbidden, or the address is not ours', async () => {
  const problem = (host: string, port: number) => portProblem(host, port);
  assert.equal(await problem('127.0.0.1', 0), null);
  assert.equal(
    await problem('127.0.0.1', Number(taken())),
    `Port ${taken()} of 127.0.0.1 is in use by another program: set PORT to another one.`,
  );
  const notOurs = '192.0.2.1 is no address of this machine: set HOST to one that is.';
  assert.equal(await problem('192.0.2.1', 0), notOurs);
  assert.equal(start({ DATABASE_URL: database.url, HOST: '192.0.2.1' }), `${notOurs}\n`);
  assert.match((await problem('no.such.host.invalid', 0)) ?? '', /^no\.such\.host\.invalid is no address, and no name/);

  const forbidden = 'Port 80 may not be used without privileges: set PORT to one above 1023.';
  assert.equal(explainListenError(Object.assign(new Error(), { code: 'EACCES' }), '127.0.0.1', 80), forbidden);
  // Some containers let everybody listen everywhere.
  const firstFree = Number(await readFile('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8').catch(() => '0'));
  if (firstFree > 80) assert.equal(await asNobody(() => problem('127.0.0.1', 80)), forbidden);
});

/** Root may do everything: what is forbidden must be forbidden to somebody. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test('an anchored asset is our own, or there twice', () => {
  const circle = 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
  const other = `BTC:${newIssuerKeypair().accountId}`;
  const named = [circle, other, other].map((asset) => `${asset}@anchor.example`).join();
  const text = start({
    DATABASE_URL: database.url,
    ISSUER_ACCOUNT: newIssuerKeypair().accountId,
    ANCHORED_ASSETS: named,
  });
  assert.ok(text.includes(`ANCHORED_ASSETS must name assets of others, but ${circle} is our own.`), text);
  assert.ok(text.includes(`ANCHORED_ASSETS must name every asset once, but names ${other} twice.`), text);
});
