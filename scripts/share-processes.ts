/**
 * Which test files `npm test` runs together in one process. A process costs more than most tests of a rule, and a good
 * part of a story: Node starts, the service and its libraries are loaded, and nothing is compiled yet. A file can share
 * a process when nothing that it does lives longer than it or reaches its neighbours; that is seen from what it and
 * everything it loads uses.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A program that a test starts may stay; a profile or a worker belongs to the whole process. */
const outside = /^(?:node:)?(?:child_process|worker_threads|cluster|inspector|v8|vm)$/;

/** A program whose end the process itself waits for is gone before anything else happens in it. */
const endsAtOnce = /^import \{ (?:(?:exec|execFile|spawn)Sync(?:, )?)+ \} from 'node:child_process';$/gm;

/** Ends the program that it starts, or puts back what it changes, before the next test begins. */
const tidiesUp: readonly string[] = [
  // Its threads end with the service that started them.
  'server/src/lib/heavy-work.ts',
  'sandbox/src/anvil.ts',
  'server/test/without-stellar.ts',
  // Of what a command is made of that looks after a database of its own; stories give it one that runs.
  'server/src/db/embedded-postgres.ts',
  'server/src/db/create-postgres-cluster.ts',
  'server/src/db/unprivileged-command.ts',
];

/**
 * What all files in a process share: its settings and signals, its timers, cached results, its globals. A method or a date
 * that a test replaces is put back when the test ends.
 */
const common =
  /\bprocess\.(?!env\b|argv\b)\w|\bprocess\.env\S*\s*=[^=]|\bdelete process\.env|\bglobalThis\b|\bmock\b(?!\.(?:method|calls|resetCalls)\(?|\.timers\.(?:enable\(\{ apis: \['Date'\]|setTime\())|\bconfigureGlobal\b/;

/** Hooks that a module sets while it is loaded are set only for the file that loads it first. */
const hook = /^(?:before|after|beforeEach|afterEach)\(/m;

/** Loaded before all others in every shared process, so that their hooks are set for everybody. */
export const hookedForAll: readonly string[] = ['server/test/gateway.ts'];

/** Such a file cannot be loaded together with others. */
const waitsWhileLoading = /^(?!.*\basync\b)[^\s/*].*\bawait\b/m;

const imported = /^(?:import|export) (?!type )[^;]*?(?:from )?'([^']+)'|\bimport\(\s*'([^']+)'/gm;

/**
 * Files of different kinds are not mixed. How much of a sampled story is told depends on the name of the program with
 * which the process was started; a browser takes time to load, which others need not pay.
 */
export const kinds = ['plain', 'sampled', 'browser', 'sampled browser'] as const;
export type Kind = (typeof kinds)[number];

export type Shared = {
  readonly alone: string[];
  readonly together: { readonly kind: Kind; readonly files: string[] }[];
};

/** In at most so many processes of each kind; of a kind that has none every file is alone. All files are paths in `root`. */
export function shareProcesses(
  files: readonly string[],
  { processes, root }: { readonly processes: Readonly<Partial<Record<Kind, number>>>; readonly root: string },
): Shared {
  const sources = readSources(root);
  const kindOf = new Map(files.map((file) => [file, kindOfFile(file, sources)]));
  const together = kinds.flatMap((kind) => {
    const many = processes[kind] ?? 0;
    const canShare = many === 0 ? [] : files.filter((file) => kindOf.get(file) === kind);
    // Distributed in turn: files of one folder take equally long, so the processes do too.
    const hands = Array.from({ length: many }, (_, hand) => canShare.filter((_, at) => at % many === hand));
    return hands.filter((hand) => hand.length > 0).map((hand) => ({ kind, files: hand }));
  });
  const shared = new Set(together.flatMap((each) => each.files));
  return { alone: files.filter((file) => !shared.has(file)), together };
}

/** A story reads from the name of its program how much of it is told: see isSample. */
export function nameOfTogether(files: readonly string[]): string {
  const depths = new Set(files.map((file) => /\.(?:sampled|deep)(?=\.test\.ts$)/.exec(file)?.[0] ?? ''));
  if (depths.size !== 1) throw new Error(`These files are not told to the same depth: ${files.join(', ')}.`);
  return `together${[...depths].join()}`;
}

type Source = {
  readonly imports: readonly string[];
  readonly reachesOut: boolean;
  readonly hasHooks: boolean;
};
/** Null: there is no such file; the import is only an example of source code in a text. */
type Sources = (path: string) => Source | null;

/** Null: it reaches beyond itself. */
function kindOfFile(file: string, sources: Sources): Kind | null {
  let hasBrowser = false;
  const seen = new Set([file]);
  for (const path of seen) {
    const source = sources(path);
    if (source === null || source.reachesOut) return null;
    if (source.hasHooks && path !== file && !hookedForAll.includes(path)) return null;
    hasBrowser ||= source.imports.includes('playwright-core');
    for (const each of source.imports) if (each.endsWith('.ts')) seen.add(each);
  }
  if (file.endsWith('.sampled.test.ts')) return hasBrowser ? 'sampled browser' : 'sampled';
  return hasBrowser ? 'browser' : 'plain';
}

function readSources(root: string): Sources {
  const known = new Map<string, Source | null>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const source = existsSync(join(root, path)) ? readSource(root, path) : null;
    known.set(path, source);
    return source;
  };
}

function readSource(root: string, path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  const imports = [...text.replaceAll(endsAtOnce, '').matchAll(imported)].map(([, early, late]) =>
    fileOf(early ?? late ?? '', path),
  );
  // What the service itself reads of its process is the same for every test.
  const isTest = !path.includes('/src/') || path.endsWith('.test.ts');
  const leavesTraces = imports.some((each) => outside.test(each)) || (isTest && common.test(text));
  const reachesOut = waitsWhileLoading.test(text) || (leavesTraces && !tidiesUp.includes(path));
  return { imports, reachesOut, hasHooks: hook.test(text) };
}

/** Ours as a path in the repository; a library by its name. */
function fileOf(specifier: string, importer: string): string {
  if (specifier.startsWith('.')) return join(dirname(importer), specifier);
  const [, part, module] = /^@quittance\/(\w+)\/(.+)$/.exec(specifier) ?? [];
  if (part === undefined || module === undefined || module.endsWith('.json')) return specifier;
  return module.startsWith('test/') ? `${part}/${module}.ts` : `${part}/src/${module}.ts`;
}
