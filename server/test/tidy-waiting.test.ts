/**
 * How tests wait. Sleeping takes its time on every run and is too short on a busy machine: who waits, waits for a condition
 * (`until.ts`), moves the clock or counts work. What goes on until something happens ends in a failure where a fault keeps
 * that from happening (`turns`), not in a run that hangs.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = 'server/test/tidy-waiting.test.ts';
const root = fileURLToPath(new URL('../..', import.meta.url));
const files = globSync('{contract,server,sandbox,sdk,scripts}/**/*.ts', { cwd: root, exclude: ['**/node_modules/**'] })
  .filter((path) => /\.test\.ts$|^server\/test\//.test(path) && path !== here)
  .map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8').replaceAll(/^\s*(?:\/\/|\*).*$/gm, '') }));

/** Between two looks at what is waited for. */
const lookEveryMs = 250;

/** Whose clock nobody can move. */
const mustSleep: Readonly<Record<string, string>> = {
  'server/src/db/database.sampled.test.ts': 'PostgreSQL has its own patience with whoever is silent',
  'server/test/networks/lightning-sending.deep.test.ts': 'how long a failure has stood is a time of the process',
  'server/test/swap-races.deep.test.ts': 'a limit of requests says how long to wait',
  'server/test/transfer-races.deep.test.ts': 'a limit of requests says how long to wait',
};

/** Who waits for words of a programme and fails when it ends. */
const mayGoOn = ['sdk/test/example-shops.test.ts'];

const sleeps = [
  /\bsleep\((?<ms>[^,)]+)/g,
  /\bsetTimeout\((?:[^()]|\([^()]*\))*?, (?<ms>[^,()]+)\)/g,
  /\bpg_sleep\((?<seconds>[^)]+)\)/g,
];

const msOf = ({ ms, seconds = '' }: Record<string, string>): number =>
  ms === undefined ? Number(seconds) * 1_000 : Number(ms.replaceAll('_', ''));

const sleepsIn = (text: string): string[] =>
  sleeps.flatMap((pattern) =>
    [...text.matchAll(pattern)].filter(({ groups = {} }) => !(msOf(groups) <= lookEveryMs)).map(([found]) => found),
  );

const endlessIn = (text: string): string[] =>
  [...text.matchAll(/\bfor \([^;()'"]*; ?;|\bwhile \(true\)|\bwhile \(!?\(*await\b/g)].map(([found]) => found);

test('no test sleeps for real', () => {
  assert.deepEqual(sleepsIn('await sleep(1_100); await pg_sleep(3); setTimeout(resolve, 300)').length, 3);
  assert.deepEqual(sleepsIn('await sleep(20); await sleep(); setTimeout(() => f(1), 50); setTimeout(done)'), []);
  const wrong = files.flatMap(({ path, text }) => sleepsIn(text).map((found) => `${path}: ${found}`));
  const isKnown = (line: string): boolean => Object.keys(mustSleep).some((path) => line.startsWith(`${path}: `));
  assert.deepEqual(
    wrong.filter((line) => !isKnown(line)),
    [],
  );
  const idle = Object.keys(mustSleep).filter((path) => !wrong.some((line) => line.startsWith(`${path}: `)));
  assert.deepEqual(idle, [], 'what need not sleep any more is not on the list');
});

test('no test goes on for ever where a fault keeps from happening what ends it', () => {
  for (const loop of ['for (;;) await x();', 'for (let a = 0; ; a += 1)', 'while (true)', 'while (!(await isOver()))'])
    assert.equal(endlessIn(loop).length, 1, loop);
  assert.deepEqual(endlessIn('for (let a = 0; a < 3; a += 1) for (const _ of turns()) await x();'), []);
  const wrong = files
    .filter(({ path }) => path.endsWith('.test.ts') && !mayGoOn.includes(path))
    .flatMap(({ path, text }) => endlessIn(text).map((found) => `${path}: ${found}`));
  assert.deepEqual(wrong, []);
});
