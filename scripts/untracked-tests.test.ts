import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const preload = fileURLToPath(new URL('untracked-tests.ts', import.meta.url));
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-untracked-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** As `npm test` runs it. */
async function run(story: string): Promise<{ status: number | null; output: string }> {
  const file = join(folder, 'a.test.mjs');
  await writeFile(file, `import { test } from 'node:test';\ntest('a story', async () => {\n${story}\n});\n`);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = ['--test', '--test-reporter=spec', `--import=${preload}`, file];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

for (const [name, story] of [
  ['in a test', `throw new Error('the cause');`],
  [
    'that nobody caught, while the test waits for ever',
    `
     setTimeout(() => { throw new Error('the cause'); }, 1);
     await new Promise(() => setInterval(() => undefined, 1_000));`,
  ],
  [
    'of a promise that nobody waits for',
    `
     void Promise.reject(new Error('the cause'));
     await new Promise(() => setInterval(() => undefined, 1_000));`,
  ],
] as const)
  test(`an error ${name} fails the run and is shown`, async () => {
    const { status, output } = await run(story);
    assert.equal(status, 1, output);
    assert.match(output, /the cause/);
  });

test('no promise is followed', async () => {
  const { status, output } = await run(`
    const { executionAsyncId } = await import('node:async_hooks');
    await null;
    console.log('followed as', executionAsyncId());`);
  assert.equal(status, 0, output);
  assert.match(output, /followed as 0/);
});
