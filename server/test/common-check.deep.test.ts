/** After each test the books are checked, whatever the test itself looked at. Here: that a test fails by it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('a test that leaves something wrong behind fails, although it says nothing of it itself', async () => {
  assert.deepEqual(await runWrongStories(), {
    'all is well': 'passed',
    'coins are gone': 'the networks hold what the books say',
    'a balance is not the sum of its lines': 'the ledger is sound',
    'a node stays away': 'everything was counted, but not BITCOIN: The node does not answer (scantxoutset).',
    'a job stumbles over a bug and is tried again later': 'nothing went wrong inside',
    'tokens are issued behind our back': 'there are as many tokens as coins',
  });
});

/** What became of each: passed, or the first line of why not. */
async function runWrongStories(): Promise<Record<string, string>> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env; // It would take itself for a part of this run.
  const file = fileURLToPath(new URL('wrong-stories.ts', import.meta.url));
  const args = ['--test', '--test-reporter=tap', file];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  const results = Buffer.concat(chunks)
    .toString('utf8')
    .split(/^# Subtest: /m)
    .slice(1);
  return Object.fromEntries(
    results.map((result) => {
      const [name = ''] = result.split('\n');
      if (result.includes(`\nok `)) return [name, 'passed'];
      return [name, /^ {2}error: (?:\|-\s+|')(.*?)'?$/m.exec(result)?.[1] ?? result];
    }),
  );
}
