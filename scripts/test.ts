/**
 * `npm test`: everything, with one PostgreSQL for the whole run. `npm test -- checkout --test-name-pattern=late` runs
 * the files whose path contains `checkout`, and hands flags on to Node's test runner.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@quittance/server/db/embedded-postgres';
import { fetchAnvil } from './fetch-anvil.ts';
import { installSystemPackages } from './system-packages.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

const compileCache = join(root, 'node_modules/.cache/compiled');

const everywhere = glob('{contract,server,sandbox,scripts}/**/*.test.ts', {
  cwd: root,
  exclude: ['**/node_modules/**'],
});
const files: string[] = [];
for await (const path of everywhere) {
  if (wanted.length === 0 || wanted.some((part) => path.includes(part))) files.push(path);
}
// The stories first, because they take long: at the end the quick ones fill both cores.
const isStory = (path: string): boolean => path.startsWith('server/test/');
files.sort((a, b) => Number(isStory(b)) - Number(isStory(a)) || (a < b ? -1 : 1));
if (files.length === 0) {
  console.error(`No test file has ${wanted.join(' or ')} in its path.`);
  process.exit(1);
}

installSystemPackages();
fetchAnvil();
const folder = await mkdtemp(join(tmpdir(), 'quittance-test-'));
// Nothing here outlives the run, so nothing has to reach the disk. Tests about durability start their own database.
const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '300' };
const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), settings });

// Twice as many files as there are cores on a small machine: every story waits now and then.
const runner = spawn(
  process.execPath,
  ['--test', '--test-concurrency=4', '--test-reporter=spec', '--test-timeout=300000', ...flags, ...files],
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // Some three hundred processes load the service: compiled once, it takes each of them half the time.
    env: { ...process.env, TEST_DATABASE_URL: postgres.url, NODE_COMPILE_CACHE: compileCache },
  },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => runner.kill(signal));
const [code] = (await once(runner, 'exit')) as [number | null];
await postgres.stop();
await rm(folder, { recursive: true, force: true });
process.exit(code ?? 1);
