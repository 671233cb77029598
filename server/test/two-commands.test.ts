/** What a newcomer does: clone, `npm start`, and talk to it with the key that it wrote down. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const startScript = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'quittance-start-'));
const running = new Set<ChildProcess>();
after(async () => {
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(Array.from(running, (child) => once(child, 'exit')));
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
});

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
  child.stderr.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (!line.startsWith('Quittance is ready')) continue;
    child.stdout.resume();
    return child;
  }
  throw new Error(`The service did not start:\n${lines.join('\n')}`);
}

async function callWithKey(): Promise<number> {
  const { baseUrl, apiKey, apiSecret } = await readAccess();
  const basic = createHash('sha256').update(`${apiKey}:${apiSecret}`).digest('hex');
  const answer = await fetch(`${baseUrl}/auth-test`, { headers: { 'X-Basic': basic } });
  return answer.status;
}

test('one command starts everything, and the key in access.json works', async () => {
  await start();
  assert.equal(await callWithKey(), 200);
});

test('a second service on the same data is refused with a sentence', async () => {
  const second = launch();
  const errors: Buffer[] = [];
  second.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
  const [code] = (await once(second, 'exit')) as [number];
  assert.equal(code, 1);
  assert.match(Buffer.concat(errors).toString(), /is in use by process [0-9]+\. Stop that one first/);
});

test('after kill -9 the next start has the same key and the same data', async () => {
  const before = await readAccess();
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await start();
  assert.equal((await readAccess()).apiKey, before.apiKey);
  assert.equal(await callWithKey(), 200);
});

test('it stops in order when asked, and leaves nothing running', async () => {
  const [child] = running;
  assert.ok(child);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  await assert.rejects(readFile(join(folder, 'postgres', 'data', 'postmaster.pid')), /ENOENT/);
});
