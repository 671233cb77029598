import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { until } from '../server/test/until.ts';

/** Null: it has ended, though perhaps nobody has asked yet how. */
async function parentOf(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' ? null : Number(parent);
}

async function childrenOf(parent: number): Promise<number[]> {
  const children: number[] = [];
  for (const pid of (await readdir('/proc')).map(Number).filter(Boolean))
    if ((await parentOf(pid)) === parent) children.push(pid);
  return children;
}

test('busy programmes end when they are told to, and with whoever started them', {
  skip: process.platform !== 'linux',
}, async () => {
  const program = `
    import { startBusyProgrammes } from ${JSON.stringify(new URL('busy-programmes.ts', import.meta.url).href)};
    const first = await startBusyProgrammes(1);
    await first.stop();
    await startBusyProgrammes(2);
    process.stdout.write('started');
    setInterval(() => undefined, 60_000);`;
  const owner = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(owner.stdout, 'data');
  const busy = await childrenOf(owner.pid ?? 0);
  assert.equal(busy.length, 2, 'the first one was stopped');
  owner.kill('SIGKILL');
  for (const pid of busy) await until('it has ended', async () => (await parentOf(pid)) === null);
});
