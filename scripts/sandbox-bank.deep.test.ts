/** The sandbox's bank beside a service that is killed and started again: nothing is lost, refused or there twice. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { until } from '../server/test/until.ts';
import { runCommandLine } from './run-command-line.ts';

const folder = await mkdtemp(join(tmpdir(), 'quittance-bank-'));
const { DATABASE_URL: _database, MASTER_KEY: _key, ...inherited } = process.env;
const env = { ...inherited, DATA_DIR: folder, PORT: '0', WATCH_POLL_MS: '100', LOG_LEVEL: 'warn' };
let service: ChildProcess | undefined;

async function start(): Promise<void> {
  const script = fileURLToPath(new URL('start.mjs', import.meta.url));
  service = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: service.stdout as NodeJS.ReadableStream }))
    if (line.includes('npx quittance pay')) break;
  service.stdout?.resume();
}

async function end(signal: NodeJS.Signals): Promise<void> {
  if (!service || service.exitCode !== null || service.signalCode !== null) return;
  service.kill(signal);
  await once(service, 'exit');
}

after(async () => {
  await end('SIGTERM');
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
});

async function asked(line: string): Promise<any> {
  let [out, err] = ['', ''];
  const paper = {
    log: (text: string) => void (out += text),
    error: (complaint: unknown) => void (err += String(complaint)),
  };
  const code = await runCommandLine(`${line} --json`.split(' '), env, paper);
  assert.equal(code, 0, `npx quittance ${line} says: ${err}`);
  return JSON.parse(out);
}

const newCheckout = async (amount: string): Promise<string> =>
  (await asked(`checkout create --amount ${amount} --currency EUR`)).id;

test('what the bank told goes on after a kill and after a stop, from the last balance', async () => {
  await start();
  const paid = await asked(`pay ${await newCheckout('10.00')} --network SEPA`);
  assert.equal(paid.state, 'COMPLETED');
  const id = await newCheckout('20.00');
  // Nobody waits for it to be booked: the service dies with the transfer on its way.
  await asked(`pay ${id} --network SEPA --unconfirmed`);
  await end('SIGKILL');

  await start();
  await until('the transfer is booked after the death', async () => {
    return (await asked(`checkout show ${id}`)).state === 'COMPLETED';
  });
  await end('SIGTERM');

  await start();
  assert.equal((await asked(`pay ${await newCheckout('30.00')} --network SEPA`)).state, 'COMPLETED');
  const documents: { kind: string; bookings: number; closingBalance: string | null }[] = await asked('bank documents');
  const reports = documents.filter(({ kind }) => kind === 'camt.052').reverse();
  assert.deepEqual(
    reports.map(({ closingBalance }) => closingBalance),
    ['0.00', '10.00', '30.00', '60.00'],
  );
  const places = await readdir(join(folder, 'bank', 'sepa'));
  assert.deepEqual(places, ['done'], 'nothing was refused, and nothing waits');
});
