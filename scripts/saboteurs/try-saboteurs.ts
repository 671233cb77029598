/**
 * Puts one fault after the other into copies of the sources and runs the test that must notice it. The copies are used
 * again and again, and healed in between; the sources themselves are never touched.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
};

const mostPatienceMs = 300_000;

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
  const { signal = new AbortController().signal } = options;
  const folder = await mkdtemp(join(tmpdir(), 'quittance-saboteurs-'));
  try {
    const places = options.workplaces.map((workplace, position) => ({
      ...workplace,
      root: join(folder, String(position)),
    }));
    for (const { root } of places) await copySources(options.root, root);
    const trials = await prepare(places[0]?.root ?? '', options.saboteurs, conclude);

    const healthy = new Map<string, TestRun & { misunderstood: ReadonlySet<string> }>();
    const tests = new Map(trials.map(({ saboteur }) => [testOf(saboteur), saboteur]));
    await shareOut(tests, places, async ([key, saboteur], { root, env, misunderstood }) => {
      if (signal.aborted) return;
      const run = await runTestFile({ root, ...namedTest(saboteur), env, patienceMs: mostPatienceMs, signal });
      healthy.set(key, { ...run, misunderstood: new Set(await misunderstood()) });
    });

    await shareOut(trials, places, async ({ saboteur, path, original, faulty }, { root, env, misunderstood }) => {
      if (signal.aborted || options.isOver?.()) return conclude(saboteur, 'left out');
      const before = healthy.get(testOf(saboteur));
      if (before?.result === 'skipped') return conclude(saboteur, 'skipped');
      if (before?.result !== 'passed')
        return conclude(saboteur, 'untestable', `${before?.result} without the fault: ${before?.reason}`);

      const patienceMs = Math.min(Math.max(before.tookMs * 10, options.leastPatienceMs ?? 60_000), mostPatienceMs);
      await writeFile(join(root, path), faulty);
      const run = await runTestFile({ root, ...namedTest(saboteur), env, patienceMs, signal });
      await writeFile(join(root, path), original);
      const complaint = (await misunderstood()).find((each) => !before.misunderstood.has(each));
      if (complaint !== undefined) return conclude(saboteur, 'broken', complaint);
      if (run.result === 'failed') return conclude(saboteur, 'noticed', run.reason);
      if (run.result === 'passed') return conclude(saboteur, 'survived');
      return conclude(saboteur, 'broken', `${run.result}: ${run.reason}`);
    });
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

/** Each place takes the next one as soon as it is free. */
async function shareOut<T, P>(work: Iterable<T>, places: readonly P[], run: (each: T, place: P) => Promise<void>) {
  const queue = [...work];
  await Promise.all(
    places.map(async (place) => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await run(next, place);
    }),
  );
}
