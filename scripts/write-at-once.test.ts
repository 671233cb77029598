import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';

test('a process that ends at once has written everything, however late it is read', async () => {
  const bytes = 2_000_000; // More than any pipe holds.
  const script = `process.stdout.write('x'.repeat(${bytes})); process.stderr.write('ends'); process.exit()`;
  const url = new URL('write-at-once.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', url, '--eval', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = buffer(child.stderr);
  assert.equal((await buffer(child.stdout)).length, bytes);
  assert.equal((await said).toString(), 'ends');
});
