/**
 * `npm test`: every rule and one story of everything, with one PostgreSQL for the whole run. `npm run test:deep`: what
 * takes long (see choose-tests.ts). `npm run test:loaded`: `npm test` while three other programmes are busy on the same
 * machine. All of them take parts of paths, `npm test -- checkout --test-name-pattern=late` runs the
 * files whose path contains `checkout`, and hand other flags on to Node's test runner.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startBusyProgrammes } from './busy-programmes.ts';
import { chooseTests } from './choose-tests.ts';
import { fetchAnvil } from './fetch-anvil.ts';
import { installSystemPackages } from './system-packages.ts';
import { scratchPlace, startTestPostgres } from './test-postgres.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const given = process.argv.slice(2);
const isDeep = given.includes('--deep');
const isLoaded = given.includes('--loaded');
const flags = given.filter((argument) => argument.startsWith('--') && !['--deep', '--loaded'].includes(argument));
const wanted = given.filter((argument) => !argument.startsWith('--'));

const compileCache = join(root, 'node_modules/.cache/compiled');

const everywhere = globSync('{contract,server,sandbox,scripts}/**/*.test.ts', {
  cwd: root,
  exclude: ['**/node_modules/**'],
});
const { files, depth } = chooseTests(everywhere, { wanted, isDeep });
if (files.length === 0) {
  console.error(`No test file has ${wanted.join(' or ')} in its path.`);
  process.exit(1);
}

/** Ends with what was started here, also when somebody ends us before it is over. */
async function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

installSystemPackages();
fetchAnvil();
const folder = await mkdtemp(join(scratchPlace(), 'quittance-test-'));
await chmod(folder, 0o755); // Some tests start programs that are run by other users.
const postgres = await startTestPostgres(join(folder, 'postgres'));
const load = await startBusyProgrammes(isLoaded ? 3 : 0);

const runnerFlags = [
  // Twice as many files as there are cores on a small machine: every story waits now and then.
  ...['--test', '--test-concurrency=4', '--test-reporter=spec'],
  // Only what hangs takes so long, however busy the machine is.
  '--test-timeout=1200000',
  `--import=${join(root, 'scripts/untracked-tests.ts')}`,
];
const code = await run(process.execPath, [...runnerFlags, ...flags, ...files], {
  ...process.env,
  ...{ TEST_DATABASE_URL: postgres.url, TEST_DEPTH: depth, TMPDIR: folder },
  // Some three hundred processes load the service: compiled once, it takes each of them half the time.
  NODE_COMPILE_CACHE: compileCache,
});
await load.stop();
await postgres.stop();
await rm(folder, { recursive: true, force: true });
process.exit(code);
