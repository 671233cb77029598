/**
 * Which test files `npm test` runs together in one process. A process costs more than most tests of a rule and a
 * good part of a story: Node starts, the service and its libraries are loaded, and nothing of them is warm. A file can share when nothing that it does
 * outlives it or reaches its neighbours, which shows in what it and everything it loads is made of.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A programme stays when a test forgets it; a profile, a worker or a browser belongs to the whole process. */
const outside = /^(?:node:)?(?:child_process|worker_threads|cluster|inspector|v8|vm|playwright-core)$/;

/** What all of one process have in common: its settings and signals, its clock, what it has computed, its globals. */
const common =
  /\bprocess\s*\.(?!env\b)|\bprocess\.env\S*\s*=[^=]|\bdelete process\.env|\bglobalThis\b|\bmock\b|\bconfigureGlobal\b/;

/** Hooks that a module sets while it is loaded are set for whoever loads it first, and for nobody else. */
const hook = /^(?:before|after|beforeEach|afterEach)\(/m;

/** Loaded before all others in every shared process, so that their hooks are set for everybody. */
export const hookedForAll: readonly string[] = ['server/test/gateway.ts'];

/** Such a file cannot be loaded in the midst of others. */
const waitsWhileLoading = /^(?!.*\basync\b)[^\s/*].*\bawait\b/m;

const imported = /^(?:import|export) (?!type )[^;]*?(?:from )?'([^']+)'|\bimport\(\s*'([^']+)'/gm;

export type Shared = { readonly alone: string[]; readonly together: string[][] };

/** In at most so many processes, with none every file is alone. All files are paths in `root`. */
export function shareProcesses(
  files: readonly string[],
  { processes, root }: { readonly processes: number; readonly root: string },
): Shared {
  const sources = readSources(root);
  const canShare = processes === 0 ? [] : files.filter((file) => isSelfContained(file, sources));
  const alone = files.filter((file) => !canShare.includes(file));
  // Dealt out like cards: neighbours in a folder take equally long, and so do the processes then.
  const hands = Array.from({ length: processes }, (_, hand) => canShare.filter((_, at) => at % processes === hand));
  return { alone, together: hands.filter((hand) => hand.length > 0) };
}

type Source = { readonly imports: readonly string[]; readonly reachesOut: boolean; readonly hasHooks: boolean };
/** Null: there is no such file, and whoever seems to import it has an example of source code in a text. */
type Sources = (path: string) => Source | null;

function isSelfContained(file: string, sources: Sources): boolean {
  // How much of a sampled story is told depends on the name of the file that the process was started with.
  if (file.endsWith('.sampled.test.ts')) return false;
  const seen = new Set([file]);
  for (const path of seen) {
    const source = sources(path);
    if (source === null || source.reachesOut) return false;
    if (source.hasHooks && path !== file && !hookedForAll.includes(path)) return false;
    for (const each of source.imports) if (each.endsWith('.ts')) seen.add(each);
  }
  return true;
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
  const imports = [...text.matchAll(imported)].map(([, early, late]) => fileOf(early ?? late ?? '', path));
  // What the service itself reads of its process it reads for every test alike.
  const isTest = !path.includes('/src/') || path.endsWith('.test.ts');
  const reachesOut =
    imports.some((each) => outside.test(each)) || waitsWhileLoading.test(text) || (isTest && common.test(text));
  return { imports, reachesOut, hasHooks: hook.test(text) };
}

/** Ours as a path in the repository; a library by its name. */
function fileOf(specifier: string, importer: string): string {
  if (specifier.startsWith('.')) return join(dirname(importer), specifier);
  const [, part, module] = /^@quittance\/(\w+)\/(.+)$/.exec(specifier) ?? [];
  return part === undefined || module?.endsWith('.json') ? specifier : `${part}/src/${module}.ts`;
}
