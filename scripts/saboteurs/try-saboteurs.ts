/**
 * Puts one fault after the other into copies of the sources and runs the test that must notice it. The copies are used
 * again and again, and healed in between; the sources themselves are never touched.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { present } from '@quittance/server/lib/assert';
import type { Saboteur } from '../../server/test/saboteurs/saboteur.ts';
import { findFatalErrors } from './check-names.ts';
import { copySources } from './copy-sources.ts';
import { runTestFile, type TestRun } from './run-test-file.ts';
import { sabotage } from './sabotage.ts';

export type Verdict = {
  readonly saboteur: Saboteur;
  /**
   * `unapplied`: the list does not follow the code. `broken`: nothing runs any more, so that whatever fails does so for
   * another reason. `untestable`: its test fails without it, or there is none. `skipped`: its test is not run here.
   */
  readonly kind: 'noticed' | 'survived' | 'unapplied' | 'broken' | 'untestable' | 'skipped' | 'left out';
  readonly reason: string;
};

/** Where tests run; a database each, so that its complaints are those of one saboteur. */
export type Workplace = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the database has said, since it was asked last, about statements that it could not understand. */
  misunderstood(): Promise<readonly string[]>;
  /** A test that has noticed something is ended at once, and leaves databases and files behind. */
  tidyUp(): Promise<void>;
};

const mostPatienceMs = 300_000;

type Place = Workplace & { readonly root: string };
type Health = TestRun & { readonly misunderstood: ReadonlySet<string> };
type Trial = { readonly saboteur: Saboteur; readonly path: string; readonly original: string; readonly faulty: string };

export async function trySaboteurs(options: {
  root: string;
  saboteurs: readonly Saboteur[];
  workplaces: readonly Workplace[];
  /** From then on no further one is tried. */
  isOver?: () => boolean;
  /** Ends what is under way, too. */
  signal?: AbortSignal;
  report?: (verdict: Verdict) => void;
  /** A test has ten times as long as without the fault, and at least this. */
  leastPatienceMs?: number;
}): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const conclude = (saboteur: Saboteur, kind: Verdict['kind'], reason = ''): void => {
    const verdict = { saboteur, kind, reason };
    verdicts.push(verdict);
    options.report?.(verdict);
  };
  const { signal = new AbortController().signal, leastPatienceMs: leastMs = 60_000 } = options;
  const folder = await mkdtemp(join(tmpdir(), 'quittance-saboteurs-'));
  try {
    const places = options.workplaces.map((workplace, position) => ({
      ...workplace,
      root: join(folder, String(position)),
    }));
    for (const { root } of places) await copySources(options.root, root);
    const trials = await prepare(places[0]?.root ?? '', options.saboteurs, conclude);

    const healthy = new Map<string, Health>();
    const looks = new Map<string, Promise<unknown>>();
    const queue = [...trials];

    /** The next one, unless its test is being looked at by somebody else: others come first. */
    async function work(place: Place): Promise<void> {
      while (queue.length > 0) {
        const position = queue.findIndex(({ saboteur }) => !looks.has(testOf(saboteur)));
        const [trial] = position === -1 ? [] : queue.splice(position, 1);
        if (trial === undefined) {
          await Promise.race(looks.values());
          continue;
        }
        const key = testOf(trial.saboteur);
        if (signal.aborted || options.isOver?.()) conclude(trial.saboteur, 'left out');
        else {
          if (!healthy.has(key)) {
            const look = lookAtTest(place, trial.saboteur, signal);
            looks.set(key, look);
            healthy.set(key, await look);
            looks.delete(key);
          }
          const { kind, reason } = await tryOne(place, trial, present(healthy.get(key), 'a look'), leastMs, signal);
          conclude(trial.saboteur, kind, reason);
        }
      }
    }
    await Promise.all(places.map(work));
    return verdicts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Those that can be tried; the others are concluded at once. */
async function prepare(
  root: string,
  saboteurs: readonly Saboteur[],
  conclude: (saboteur: Saboteur, kind: Verdict['kind'], reason: string) => void,
): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const saboteur of saboteurs) {
    const path = join('server/src', saboteur.file);
    try {
      const original = await readFile(join(root, path), 'utf8');
      trials.push({ saboteur, path, original, faulty: sabotage(original, saboteur) });
    } catch (error) {
      conclude(saboteur, 'unapplied', (error as Error).message);
    }
  }
  const fatal = await findFatalErrors(
    root,
    trials.map(({ path, faulty }) => ({ path, text: faulty })),
  );
  for (const [position, complaint] of fatal) {
    const trial = trials[position];
    if (trial !== undefined) conclude(trial.saboteur, 'broken', complaint);
  }
  return trials.filter((_, position) => !fatal.has(position));
}

const namedTest = ({ noticedBy, test }: Saboteur) => ({ file: noticedBy, test });
const testOf = ({ noticedBy, test }: Saboteur): string => JSON.stringify([noticedBy, test]);

/** A test without the fault: it must pass, or its failure proves nothing. */
async function lookAtTest(place: Place, saboteur: Saboteur, signal: AbortSignal): Promise<Health> {
  const { root, env } = place;
  const run = await runTestFile({ root, ...namedTest(saboteur), env, patienceMs: mostPatienceMs, signal });
  await place.tidyUp();
  return { ...run, misunderstood: new Set(await place.misunderstood()) };
}

async function tryOne(
  place: Place,
  { saboteur, path, original, faulty }: Trial,
  before: Health,
  leastMs: number,
  signal: AbortSignal,
): Promise<Pick<Verdict, 'kind' | 'reason'>> {
  if (before.result === 'skipped') return { kind: 'skipped', reason: '' };
  if (before.result !== 'passed')
    return { kind: 'untestable', reason: `${before.result} without the fault: ${before.reason}` };

  const { root, env } = place;
  const patienceMs = Math.min(Math.max(before.tookMs * 10, leastMs), mostPatienceMs);
  await writeFile(join(root, path), faulty);
  const run = await runTestFile({ root, ...namedTest(saboteur), env, patienceMs, signal });
  await writeFile(join(root, path), original);
  await place.tidyUp();
  const complaint = (await place.misunderstood()).find((each) => !before.misunderstood.has(each));
  if (complaint !== undefined) return { kind: 'broken', reason: complaint };
  if (run.result === 'failed') return { kind: 'noticed', reason: run.reason };
  if (run.result === 'passed') return { kind: 'survived', reason: '' };
  return { kind: 'broken', reason: `${run.result}: ${run.reason}` };
}
