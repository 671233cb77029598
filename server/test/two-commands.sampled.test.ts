/** What a newcomer does: clone, `npm start`, and talk to it with the key that it wrote down. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { CommitReply } from '@quittance/contract/checkout';
import { createApiClient } from '../../scripts/api-client.ts';
import { runCommandLine } from '../../scripts/run-command-line.ts';
import { Secret } from '../src/lib/secret.ts';
import { deepTest, isSample } from './depth.ts';
import { until } from './until.ts';

const startScript = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'quittance-start-'));
const running = new Set<ChildProcess>();
after(async () => {
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(Array.from(running, (child) => once(child, 'exit')));
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
});

/**
 * A machine that is busy for long ends silent connections. That is told, and mended by itself, while PostgreSQL stays:
 * see `postmaster`.
 */
const isFromWaiting = (line: string): boolean =>
  /session lost|took over jobs|not queryable|connection terminated|Connection terminated/.test(line);

/** What the service said in this life that a person would have to look at. */
let alarms: string[] = [];
let banner: string[] = [];
/** Tells of every line, and of the end. */
const heard = new EventEmitter();
/** Banners to which nothing will be added. */
const ended = new WeakSet<string[]>();

type Access = { baseUrl: string; apiKey: string; apiSecret: string };
const readAccess = async () => JSON.parse(await readFile(join(folder, 'access.json'), 'utf8')) as Access;

function launch() {
  const { DATABASE_URL: _, ...env } = process.env;
  const child = spawn(process.execPath, [startScript], {
    env: { ...env, DATA_DIR: folder, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function start(): Promise<ChildProcess> {
  const child = launch();
  const lines: string[] = [];
  alarms = [];
  const ready = Promise.withResolvers<void>();
  child.stderr.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
  createInterface({ input: child.stdout })
    .on('line', (line) => {
      lines.push(line);
      heard.emit('more');
      if (/^\{"level":[456]0/.test(line) && !isFromWaiting(line)) alarms.push(line);
      if (line.startsWith('Quittance is ready')) ready.resolve();
    })
    .on('close', () => {
      ended.add(lines);
      heard.emit('more');
      ready.reject(new Error(`The service did not start:\n${lines.join('\n')}`));
    });
  await ready.promise;
  banner = lines;
  return child;
}

/** Which PostgreSQL runs: another one, or one that started again, has another number or moment in its file. */
const postmaster = async (): Promise<string[]> =>
  (await readFile(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8')).split('\n').slice(0, 3);

/** What is said after the line that says that it is ready. */
async function printed(line: RegExp): Promise<void> {
  while (!banner.some((each) => line.test(each))) {
    assert.ok(!ended.has(banner), `The service ended:\n${banner.join('\n')}`);
    await once(heard, 'more');
  }
}

async function quittance(...words: string[]): Promise<any> {
  const { DATABASE_URL: _, ...env } = process.env;
  let said = '';
  const paper = {
    log: (text: string) => void (said += text),
    error: (complaint: unknown) => assert.fail(String(complaint)),
  };
  assert.equal(await runCommandLine([...words, '--json'], { ...env, DATA_DIR: folder }, paper), 0);
  return JSON.parse(said);
}

const differences = (rows: { network: string; isSound: boolean }[]) => rows.filter(({ isSound }) => !isSound);
const nodeId = async (): Promise<string> => (await quittance('network', 'LIGHTNING')).facts.nodeId;

/** The service, the sandbox, the database and whoever guards it, at the same moment. */
async function killEverything(): Promise<void> {
  const living = (pid: number): number[] => {
    const children = unlessGone(() => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')) ?? '';
    const pids = children.split(' ').filter((each) => each.trim() !== '');
    return [pid, ...pids.flatMap((each) => living(Number(each)))];
  };
  for (const child of [...running]) {
    const ended = once(child, 'exit');
    for (const pid of living(child.pid ?? 0)) unlessGone(() => process.kill(pid, 'SIGKILL'));
    await ended;
  }
}

/** Connections of the database come and go, and so do their processes. */
function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return undefined;
  }
}

async function callWithKey(): Promise<number> {
  const { baseUrl, apiKey, apiSecret } = await readAccess();
  const basic = createHash('sha256').update(`${apiKey}:${apiSecret}`).digest('hex');
  const answer = await fetch(`${baseUrl}/auth-test`, { headers: { 'X-Basic': basic } });
  return answer.status;
}

/** The printed link to the account. */
const welcomeLink = (): URL => new URL(banner.find((line) => /\/account\/welcome#[\w-]{43}$/.test(line)) ?? '');

async function openWelcome(link: URL): Promise<{ status: number; next: string | null }> {
  const body = new URLSearchParams({ token: link.hash.slice(1), name: 'Ada', email: 'ada@example.com' });
  const url = `${link.origin}/account/welcome/name`;
  const answer = await fetch(url, { method: 'POST', body, headers: { origin: link.origin }, redirect: 'manual' });
  return { status: answer.status, next: answer.headers.get('location') };
}
let earlierLink: URL;

/** The printed page of the mailbox. */
const mailboxUrl = (): string =>
  /^E-mails {5}(http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/)$/m.exec(banner.join('\n'))?.[1] ?? '';
let earlierMailbox: string;

/** Asks for a link to sign in, and reads it where a newcomer does. */
async function mailedLink(origin: string): Promise<string> {
  const body = new URLSearchParams({ email: 'ada@example.com' });
  const answer = await fetch(`${origin}/account/sign-in/send-link`, { method: 'POST', body, headers: { origin } });
  assert.equal(answer.status, 200);
  const read = async (path: string): Promise<string> => (await fetch(`${mailboxUrl()}${path}`)).text();
  let link: string | undefined;
  await until('the mailbox has the link', async () => {
    const messages = Array.from((await read('')).matchAll(/href="(message-\d+)"/g), ([, path = '']) => path);
    const texts = await Promise.all(messages.map((path) => read(`${path}?as=text`)));
    [link] = /http:\/\/\S+\/account\/sign-in\/link#[\w-]{43}/.exec(texts.join()) ?? [];
    return link !== undefined;
  });
  return link ?? '';
}

test('one command starts everything, and the key in access.json works', async () => {
  await start();
  assert.equal(await callWithKey(), 200);
  const { apiSecret } = await readAccess();
  await printed(/quittance pay latest/);
  assert.ok(banner.includes(`API secret  ${apiSecret}`), 'shown once');
  assert.equal((await stat(join(folder, 'access.json'))).mode & 0o777, 0o600);
  earlierLink = welcomeLink();
  assert.equal(earlierLink.hostname, 'localhost', 'where passkeys can be made');
  earlierMailbox = mailboxUrl();
  assert.match(await (await fetch(earlierMailbox)).text(), /No e-mail yet/);
});

test('the first key may do what the banner says: all but approve', async () => {
  const { apiSecret, ...access } = await readAccess();
  const api = createApiClient({ ...access, apiSecret: new Secret(apiSecret) });
  await api.get('/wallets');
  await assert.rejects(api.post('/transfer/approve', {}), /lacks the scope approve; it has charge, read, money\./);
  const scopes = 'Scopes      charge, read, money; approve needs another key: npx quittance key create --help';
  assert.ok(banner.includes(scopes), banner.join('\n'));
});

test('a second service on the same data is refused with a sentence', async () => {
  const second = launch();
  const errors: Buffer[] = [];
  second.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
  const [code] = (await once(second, 'exit')) as [number];
  assert.equal(code, 1);
  assert.match(Buffer.concat(errors).toString(), /is in use by process [0-9]+\. Stop that one first/);
});

deepTest('after kill -9 of everything the next start finds all networks as they were', async () => {
  const before = await readAccess();
  const { id: paid } = await quittance('checkout', 'create', '--amount', '60.00');
  assert.equal((await quittance('pay', paid, '--network', 'LIGHTNING')).state, 'COMPLETED');
  const { id: open } = await quittance('checkout', 'create', '--amount', '30.00');
  const api = createApiClient({ ...before, apiSecret: new Secret(before.apiSecret) });
  const commit = () => api.post<CommitReply>('/checkout/commit', { checkoutId: open, network: 'LIGHTNING' });
  const { depositInstructions: invoice } = await commit();
  const node = await nodeId();
  assert.match(node, /^0[23][0-9a-f]{64}$/);
  await killEverything();

  await start();
  const database = await postmaster();
  assert.equal((await readAccess()).apiKey, before.apiKey);
  assert.equal(await callWithKey(), 200);
  assert.equal(await nodeId(), node);
  await printed(/quittance pay latest/);
  assert.ok(!banner.join('\n').includes(before.apiSecret), 'the secret is not shown again');
  const where = `API secret  is in ${folder}/access.json, which only you can read; it was shown at the first start.`;
  assert.ok(banner.includes(where), banner.join('\n'));
  const asBefore = await quittance('ledger', 'reconcile');
  assert.deepEqual(differences(asBefore), [], 'the node has what was paid to it');
  const late = await quittance('pay', open);
  assert.deepEqual([late.state, late.address], ['COMPLETED', invoice.address], 'over the invoice of the first life');
  assert.deepEqual(differences(await quittance('ledger', 'reconcile')), []);
  assert.equal(mailboxUrl(), earlierMailbox, 'a bookmark of the mailbox stays good');
  assert.deepEqual(alarms, []);
  assert.deepEqual(await postmaster(), database, 'no connection was lost because the database was');
});

test('the link of the newest start lets in the first person, once', async () => {
  const link = welcomeLink();
  if (!isSample()) {
    assert.notEqual(link.hash, earlierLink.hash);
    const old = new URL(earlierLink.hash, link);
    assert.equal((await openWelcome(old)).status, 410, 'that of an earlier start is worth nothing');
  }
  assert.deepEqual(await openWelcome(link), { status: 303, next: '/account/sign-in/secure' });
  assert.equal((await openWelcome(link)).status, 410);
  const [person] = await quittance('person', 'list');
  assert.deepEqual([person.email, person.staff, person.accounts.length], ['ada@example.com', 'operator', 1]);
  const mailed = new URL(await mailedLink(link.origin));
  assert.equal(mailed.origin, link.origin, 'the mailbox has the link that signs in');
  const password = 'a quiet evening in may';
  const body = new URLSearchParams({ email: 'ada@example.com', password });
  const refused = await fetch(`${link.origin}/account/sign-in`, {
    method: 'POST',
    body,
    headers: { origin: link.origin },
  });
  assert.equal(refused.status, 401);
  const logged = banner.filter(
    (line) => line.includes(link.hash) || line.includes(mailed.hash) || line.includes(password),
  );
  assert.deepEqual(logged, [link.href], 'the link is on paper once, and no secret in a log');
});

test('it stops in order when asked, and leaves nothing running', async () => {
  const [child] = running;
  assert.ok(child);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  await assert.rejects(readFile(join(folder, 'postgres', 'data', 'postmaster.pid')), /ENOENT/);
});
