/**
 * `npm test`: every rule and one story of everything, with one PostgreSQL for the whole run. `npm run test:deep`: what
 * takes long (see choose-tests.ts), after a check whether tests notice faults (test-mutants.ts); with `--whole` nothing is
 * left out of it. `npm run test:loaded`:
 * `npm test` while three other programs are busy on the same machine. All of them take parts of paths: `npm test --
 * checkout --test-name-pattern=late` runs the files whose path contains `checkout`, and passes other flags on to Node's
 * test runner.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startBusyProgrammes } from './busy-programmes.ts';
import { chooseTests } from './choose-tests.ts';
import { fetchAnvil } from './fetch-anvil.ts';
import { nameOfTogether, shareProcesses } from './share-processes.ts';
import { installSystemPackages } from './system-packages.ts';
import { scratchPlace, startTestPostgres } from './test-postgres.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const given = process.argv.slice(2);
const isWhole = given.includes('--whole');
const isDeep = isWhole || given.includes('--deep');
const isLoaded = given.includes('--loaded');
const flags = given.filter(
  (argument) => argument.startsWith('--') && !['--deep', '--whole', '--loaded'].includes(argument),
);
const wanted = given.filter((argument) => !argument.startsWith('--'));

const compileCache = join(root, 'node_modules/.cache/compiled');

/** So many that the last one ends together with the others. Deep stories are long: each has its own process. */
const sharedProcesses = isDeep ? { plain: 12 } : { plain: 8, sampled: 6, browser: 1, 'sampled browser': 4 };

/**
 * Files that take half a minute alone, mostly because they start programs and wait for them. They run beside the
 * processes that several files share, which are busy: at the end of a run they would leave a core idle.
 */
const waitsLong =
  /(?:quittance|start-order|two-commands|embedded-postgres|database-away|frozen-process|-races|tenancy-joins|tenancy-stores|page-streams|kill-nine|code-checks)(?:\.sampled)?\.test\.ts$/;

const everywhere = globSync('{contract,server,sandbox,sdk,scripts}/**/*.test.ts', {
  cwd: root,
  exclude: ['**/node_modules/**'],
});
const { files, depth } = chooseTests(everywhere, { wanted, isDeep, isWhole });
if (files.length === 0) {
  console.error(`No test file has ${wanted.join(' or ')} in its path.`);
  process.exit(1);
}

const urlHere = (name: string): string => pathToFileURL(join(root, 'scripts', name)).href;
const moduleHere = (name: string): string => JSON.stringify(urlHere(name));

/**
 * One program for each process: for several files that share one, or for a file of its own. Files that are named get a
 * process each. Node runs programs in the order of their paths, so their names begin with a number.
 */
async function writeProgrammes(folder: string): Promise<string[]> {
  const { alone, together } = shareProcesses(files, { processes: wanted.length > 0 ? {} : sharedProcesses, root });
  const shared = together.map(({ files: names }) => ({
    name: nameOfTogether(names),
    source: `import { tellTogether } from ${moduleHere('tell-together.ts')};\ntellTogether(${JSON.stringify(names)}, ${JSON.stringify(root)});\n`,
  }));
  const [long, short] = [alone.filter((file) => waitsLong.test(file)), alone.filter((file) => !waitsLong.test(file))];
  const ordered = [
    ...Array.from({ length: Math.max(shared.length, long.length) }, (_, at) => [shared[at], ownProgramme(long[at])]),
    short.map(ownProgramme),
  ].flat();
  const programmes = ordered.filter((programme) => programme !== undefined);
  return Promise.all(
    programmes.map(async ({ name, source }, at) => {
      const programme = join(folder, `${String(at).padStart(3, '0')}-${name}.test.mjs`);
      await writeFile(programme, source);
      return programme;
    }),
  );
}

/** How much is told of a file is seen from the name of its program. */
function ownProgramme(file: string | undefined): { readonly name: string; readonly source: string } | undefined {
  if (file === undefined) return undefined;
  const source = [
    `import { watchWhileLoading } from ${moduleHere('watch-while-loading.ts')};`,
    'const endWatch = watchWhileLoading();',
    `await import(${JSON.stringify(pathToFileURL(join(root, file)))});`,
    'endWatch();\n',
  ].join('\n');
  return { name: basename(file).replace(/\.test\.ts$/, ''), source };
}

/** Ends together with what was started here, also when somebody ends us early. */
async function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

installSystemPackages();
fetchAnvil();
// First, so that the last thing to read is the summary of the tests.
const hasMutants = isDeep && wanted.length === 0;
const mutants = hasMutants ? await run(process.execPath, [join(root, 'scripts/test-mutants.ts')], process.env) : 0;
const folder = await mkdtemp(join(scratchPlace(), 'quittance-test-'));
await chmod(folder, 0o755); // Some tests start programs that are run by other users.
const postgres = await startTestPostgres(join(folder, 'postgres'));
const load = await startBusyProgrammes(isLoaded ? 3 : 0);

const runnerFlags = [
  // The runner hands them to the processes of tests; the service that they start loads its files as it does elsewhere.
  ...['--import', urlHere('load-quickly.ts'), '--import', urlHere('write-at-once.ts')],
  // Three times as many files as a small machine has cores: every story waits now and then.
  ...['--test', '--test-concurrency=6', '--test-reporter=spec'],
  // Only what hangs takes so long, however busy the machine is.
  '--test-timeout=1200000',
  // A test that failed may leave something open, which would keep its process, and the run, for ever.
  '--test-force-exit',
];
const code = await run(process.execPath, [...runnerFlags, ...flags, ...(await writeProgrammes(folder))], {
  ...process.env,
  TEST_DATABASE_URL: postgres.url,
  TEST_DEPTH: depth,
  TMPDIR: folder,
  // Some two hundred processes load the service: compiled once, it takes half the time in each.
  NODE_COMPILE_CACHE: compileCache,
});
await load.stop();
await postgres.stop();
await rm(folder, { recursive: true, force: true });
process.exit(code || mutants);
