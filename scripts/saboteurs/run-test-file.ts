import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { TestOutcome } from './test-outcomes.ts';

/** `unloadable`: not a single test ran to its end, so that nothing was noticed for a reason. */
export type TestRun = {
  readonly result: 'passed' | 'failed' | 'skipped' | 'unloadable' | 'hung';
  readonly reason: string;
  readonly tookMs: number;
};

const reporter = fileURLToPath(new URL('test-outcomes.ts', import.meta.url));
/** As in test.ts: a part of each run is reading its files. */
const loader = new URL('../load-quickly.ts', import.meta.url).href;
/** How often it is looked whether a test has failed already. */
const lookEveryMs = 250;

/** A test file in a process of its own; where a pattern is given, only its tests of that name. */
export async function runTestFile(options: {
  root: string;
  file: string;
  test: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  patienceMs: number;
  /** Ends it early. */
  signal: AbortSignal;
}): Promise<TestRun> {
  const outcomesPath = `${options.root}.outcomes`;
  const pattern = options.test === undefined ? [] : [`--test-name-pattern=${options.test}`];
  const startedAt = performance.now();
  // Not with --test: there a file that cannot be loaded looks like a test that failed. In a group of its own, so that
  // whatever it has started can be ended with it.
  const child = spawn(
    process.execPath,
    [
      '--import',
      loader,
      '--test-force-exit',
      `--test-reporter=${reporter}`,
      `--test-reporter-destination=${outcomesPath}`,
      ...pattern,
      options.file,
    ],
    // Without NODE_TEST_CONTEXT: who is tested by a test would report to that one.
    {
      cwd: options.root,
      env: { ...options.env, NODE_TEST_CONTEXT: undefined },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    },
  );
  const complaints: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
  let isHung = false;
  const patience = setTimeout(() => {
    isHung = true;
    endGroup(child.pid);
  }, options.patienceMs);
  const end = (): void => endGroup(child.pid);
  // What the other tests of the file would say is not asked for.
  const look = setInterval(() => {
    if (readOutcomes(readSync(outcomesPath)).some(({ result }) => result === 'failed')) end();
  }, lookEveryMs);
  options.signal.addEventListener('abort', end);
  try {
    await once(child, 'close');
    const tookMs = performance.now() - startedAt;
    const outcomes = readOutcomes(readSync(outcomesPath));
    const failure = outcomes.find(({ result }) => result === 'failed');
    if (failure !== undefined) return { result: 'failed', reason: `“${failure.name}”: ${failure.reason}`, tookMs };
    if (isHung) return { result: 'hung', reason: `not done after ${Math.round(tookMs / 1000)} seconds`, tookMs };
    const complaint = firstError(Buffer.concat(complaints).toString());
    if (outcomes.length === 0) return { result: 'unloadable', reason: complaint || 'it has no such test', tookMs };
    if (child.exitCode !== 0) return { result: 'failed', reason: complaint || `exit code ${child.exitCode}`, tookMs };
    const isSkipped = outcomes.every(({ result }) => result === 'skipped');
    return { result: isSkipped ? 'skipped' : 'passed', reason: '', tookMs };
  } finally {
    clearTimeout(patience);
    clearInterval(look);
    options.signal.removeEventListener('abort', end);
    await rm(outcomesPath, { force: true });
  }
}

function readSync(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

const readOutcomes = (lines: string): TestOutcome[] =>
  lines
    .split('\n')
    .filter((line) => line.endsWith('}')) // The last one is cut off where the process was killed.
    .map((line) => JSON.parse(line) as TestOutcome);

const firstError = (text: string): string =>
  text.split('\n').find((line) => /^\w*Error\b/.test(line)) ?? text.trim().split('\n').at(-1) ?? '';

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
