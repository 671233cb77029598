/**
 * `npm test`: every rule and one story of everything, with one PostgreSQL for the whole run. `npm run test:deep`: what
 * takes long (see choose-tests.ts), after a look at whether tests notice faults (test-mutants.ts). `npm run test:loaded`:
 * `npm test` while three other programmes are busy on the same machine. All of them take parts of paths:
 * `npm test -- checkout --test-name-pattern=late` runs the files whose path contains `checkout`, and hands other flags on
 * to Node's test runner.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startBusyProgrammes } from './busy-programmes.ts';
import { chooseTests } from './choose-tests.ts';
import { fetchAnvil } from './fetch-anvil.ts';
import { shareProcesses } from './share-processes.ts';
import { installSystemPackages } from './system-packages.ts';
import { scratchPlace, startTestPostgres } from './test-postgres.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const given = process.argv.slice(2);
const isDeep = given.includes('--deep');
const isLoaded = given.includes('--loaded');
const flags = given.filter((argument) => argument.startsWith('--') && !['--deep', '--loaded'].includes(argument));
const wanted = given.filter((argument) => !argument.startsWith('--'));

const compileCache = join(root, 'node_modules/.cache/compiled');

/** Enough of them that the last one ends with the others. */
const sharedProcesses = 12;

const everywhere = globSync('{contract,server,sandbox,scripts}/**/*.test.ts', {
  cwd: root,
  exclude: ['**/node_modules/**'],
});
const { files, depth } = chooseTests(everywhere, { wanted, isDeep });
if (files.length === 0) {
  console.error(`No test file has ${wanted.join(' or ')} in its path.`);
  process.exit(1);
}

/** A programme for each process that several files share. Whoever names files gets each in a process of its own. */
async function writeProgrammes(folder: string): Promise<string[]> {
  const { alone, together } = shareProcesses(files, { processes: wanted.length > 0 ? 0 : sharedProcesses, root });
  const module = JSON.stringify(pathToFileURL(join(root, 'scripts/tell-together.ts')));
  const programmes = together.map(async (names, at) => {
    const programme = join(folder, `together-${at}.mjs`);
    const told = `tellTogether(${JSON.stringify(names)}, ${JSON.stringify(root)});`;
    await writeFile(programme, `import { tellTogether } from ${module};\n${told}\n`);
    return programme;
  });
  return [...(await Promise.all(programmes)), ...alone];
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
// First, so that what is read last is the summary of the tests.
const hasMutants = isDeep && wanted.length === 0;
const mutants = hasMutants ? await run(process.execPath, [join(root, 'scripts/test-mutants.ts')], process.env) : 0;
const folder = await mkdtemp(join(scratchPlace(), 'quittance-test-'));
await chmod(folder, 0o755); // Some tests start programs that are run by other users.
const postgres = await startTestPostgres(join(folder, 'postgres'));
const load = await startBusyProgrammes(isLoaded ? 3 : 0);

const runnerFlags = [
  // Twice as many files as there are cores on a small machine: every story waits now and then.
  ...['--test', '--test-concurrency=4', '--test-reporter=spec'],
  // Only what hangs takes so long, however busy the machine is.
  '--test-timeout=1200000',
];
const code = await run(process.execPath, [...runnerFlags, ...flags, ...(await writeProgrammes(folder))], {
  ...process.env,
  ...{ TEST_DATABASE_URL: postgres.url, TEST_DEPTH: depth, TMPDIR: folder },
  // Some two hundred processes load the service: compiled once, it takes each of them half the time.
  NODE_COMPILE_CACHE: compileCache,
});
await load.stop();
await postgres.stop();
await rm(folder, { recursive: true, force: true });
process.exit(code || mutants);
