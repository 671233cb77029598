/** What docs/testing.md says brings about a state, an exception or an event in the sandbox does, as it is written there. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Db, openDatabase } from '@quittance/server/db/database';
import { runningPostgresUrl } from '@quittance/server/db/embedded-postgres';
import { type Access, readAccess } from '@quittance/server/lib/data-folder';
import { blockUnder, readPage } from '../server/test/manual-page.ts';
import { until } from '../server/test/until.ts';

const page = readPage('testing.md');
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = await mkdtemp(join(tmpdir(), 'quittance-testing-'));
const { DATABASE_URL: _database, MASTER_KEY: _key, ...inherited } = process.env;
const env = { ...inherited, DATA_DIR: folder, PORT: '0', WATCH_POLL_MS: '100', LOG_LEVEL: 'warn' };

let service: ChildProcess;
let access: Access;
let db: Db;
const received: string[] = [];
const shop = createServer((request, response) => {
  void json(request).then((event) => {
    received.push((event as { eventType: string }).eventType);
    response.end();
  });
});
/** Asked in place of waiting for an hour. */
const clock = createServer((_, response) => {
  void letAnHourPass().then(() => response.end());
});

const portOf = (server: typeof shop): number => (server.address() as AddressInfo).port;

before(async () => {
  service = spawn(process.execPath, ['scripts/start.mjs'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: service.stdout as NodeJS.ReadableStream }))
    if (line.includes('npx quittance pay')) break;
  service.stdout?.resume();
  const known = await readAccess(folder);
  assert.ok(known);
  access = known;
  db = openDatabase({ url: (await runningPostgresUrl(join(folder, 'postgres'))) ?? '', poolSize: 2 });
  for (const server of [shop, clock]) await once(server.listen(0, '127.0.0.1'), 'listening');
});
after(async () => {
  for (const server of [shop, clock]) {
    server.closeAllConnections();
    server.close();
  }
  await db.close();
  service.kill('SIGTERM');
  if (service.exitCode === null) await once(service, 'exit');
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
});

async function letAnHourPass(): Promise<void> {
  await db`update commitment set committed_at = committed_at - interval '1 hour', expires_at = expires_at - interval '1 hour'`;
  await db`update checkout set window_ends_at = window_ends_at - interval '1 hour' where window_ends_at is not null`;
  await db`update job set run_at = now() where run_at > now() and name = 'checkout.advance'`;
}

/** Runs what a cell says, after the functions of the page; gives the id of what it was about. */
async function run(how: string): Promise<string> {
  const prelude = [
    'npx() { shift; node scripts/quittance.mjs "$@"; }',
    `sleep() { [ "$1" = 3600 ] && curl -sS http://127.0.0.1:${portOf(clock)}; }`,
    blockUnder(page, 'By command', 'sh').code,
    how,
    'echo; echo "about ${ID-}"',
  ].join('\n');
  const code = prelude
    .replaceAll('YOUR_KEY', access.apiKey)
    .replaceAll('http://127.0.0.1:8080/api/v1', access.baseUrl)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${portOf(shop)}`);
  const child = spawn('bash', ['-euo', 'pipefail', '-c', code], {
    cwd: root,
    env: { ...env, QUITTANCE_SECRET: access.apiSecret.reveal() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  assert.equal(exitCode, 0, `${how}\nsays: ${said}`);
  return /about ([a-z0-9]{12})?/.exec(said)?.[1] ?? '';
}

/** The rows of the table under a heading, as they are written. */
const rowsUnder = (heading: string): [string, string][] => {
  const [, part = ''] = page.text.split(`\n### ${heading}\n`);
  const rows = (part.split('\n#')[0] ?? '').matchAll(/^\| `([A-Z_]+)` \| `(.+)` \|$/gm);
  return Array.from(rows, ([, what = '', how = '']) => [what, how.replaceAll('\\|', '|')]);
};

async function recordOf(id: string): Promise<{ state: string; exceptions: string[] }> {
  const [found] = await db<{ state: string; exceptions: string[] }>`
    select state, exceptions from checkout where id = ${id}`;
  assert.ok(found, id);
  return found;
}

for (const [state, how] of rowsUnder('States'))
  test(`a checkout becomes ${state}`, async () => {
    const id = await run(how);
    await until(`checkout ${id} is ${state}`, async () => (await recordOf(id)).state === state);
  });

for (const [exception, how] of rowsUnder('What was odd'))
  test(`a checkout has the exception ${exception}`, async () => {
    const id = await run(how);
    await until(`checkout ${id} is ${exception}`, async () => (await recordOf(id)).exceptions.includes(exception));
  });

for (const [event, how] of rowsUnder('Events'))
  test(`a webhook tells ${event}`, async () => {
    received.length = 0;
    await run(how);
    // What is sent may not have left when the page's last blocks were mined: as it says there, once more.
    await until(`${event} is told`, async () => {
      if (!received.includes(event) && how.includes('mine BITCOIN 6')) await run('npx quittance mine BITCOIN 6');
      return received.includes(event);
    });
  });
