import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { GatewayError } from '../src/lib/errors.ts';
import { createHeavyWork, type HeavyOptions, type HeavyOutcome, type HeavyTask } from '../src/lib/heavy-work.ts';
import type * as samples from './heavy-samples.ts';
import { until } from './until.ts';

const module = import.meta.resolve('./heavy-samples.ts');

const task = <Name extends keyof typeof samples>(run: Name, seconds = 60): HeavyTask<(typeof samples)[Name]> => ({
  name: run,
  module,
  run,
  seconds,
});

/** With what became of every task, in that order. */
function start(options: Partial<HeavyOptions> = {}) {
  const ended: [task: string, outcome: HeavyOutcome][] = [];
  const heavy = createHeavyWork({
    threadsMax: 1,
    places: { perParty: 2, inAll: 4 },
    onEnd: ({ task: name, outcome }) => ended.push([name, outcome]),
    ...options,
  });
  after(() => heavy.end());
  return { heavy, ended };
}

/** Keeps the only thread busy until it is let go. */
function gate() {
  const cells = new Int32Array(new SharedArrayBuffer(4));
  return {
    cells,
    open(): void {
      Atomics.store(cells, 0, 1);
      Atomics.notify(cells, 0);
    },
  };
}

const isRefused = (error: unknown): boolean =>
  error instanceof GatewayError && error.httpStatus === 503 && Number(error.headers['retry-after']) > 0;

test('a thread begins with the first task, and gives back what the function returns or throws', async () => {
  const { heavy, ended } = start();
  assert.equal(heavy.threads(), 0, 'what is not used costs nothing');
  const given = { at: new Date(0), units: 7n, bytes: Buffer.from('abc') };
  assert.deepEqual(await heavy.run(task('echo'), 'a', given), given);
  assert.equal(await heavy.run(task('isBuffer'), 'a', Buffer.from('abc')), true);
  assert.equal(heavy.threads(), 1, 'the same one');
  await assert.rejects(heavy.run(task('refuse'), 'a'), { name: 'GatewayError', httpStatus: 400 });
  await assert.rejects(heavy.run(task('fail'), 'a'), { name: 'TypeError', message: 'a mistake' });
  await assert.rejects(
    heavy.run(task('echo'), 'a', () => 1),
    { name: 'DataCloneError' },
  );
  assert.deepEqual(await heavy.run(task('secretsSeen'), 'a'), [], 'no secret of the process is in its environment');
  assert.deepEqual(
    ended.map(([, outcome]) => outcome),
    ['done', 'done', 'failed', 'failed', 'failed', 'done'],
  );
});

test('a full line of one party is refused with how long to wait, and a neighbour is next in turn', async () => {
  const { heavy, ended } = start();
  const { cells, open } = gate();
  const order: string[] = [];
  const ask = (party: string, name: string): Promise<void> =>
    heavy.run(task('wait'), party, cells, name).then((done) => void order.push(done));
  const all = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3')];
  await assert.rejects(ask('a', 'a4'), isRefused);
  assert.equal(heavy.waiting(), 2);
  all.push(ask('b', 'b1'));
  open();
  await Promise.all(all);
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'a3']);
  assert.deepEqual(ended[0], ['wait', 'refused']);
  assert.equal(heavy.threads(), 1);
});

test('where everybody together has too much waiting, whoever has most gives way', async () => {
  const { heavy } = start({ places: { perParty: 3, inAll: 3 } });
  const { cells, open } = gate();
  const ask = (party: string): Promise<string> => heavy.run(task('wait'), party, cells, party);
  const [first, second, third] = [ask('a'), ask('a'), ask('a')];
  const last = ask('a');
  const outcome = assert.rejects(last, isRefused);
  const neighbour = ask('b');
  await outcome;
  open();
  assert.deepEqual(await Promise.all([first, second, third, neighbour]), ['a', 'a', 'a', 'b']);
});

test('a task that takes too long is ended with its thread, and the next one is done by another', async () => {
  const { heavy, ended } = start();
  const endless = heavy.run(task('never', 0.05), 'a');
  const next = heavy.run(task('echo'), 'a', 'next');
  await assert.rejects(endless, isRefused);
  assert.equal(await next, 'next');
  assert.equal(heavy.threads(), 1);
  assert.deepEqual(ended, [
    ['never', 'late'],
    ['echo', 'done'],
  ]);
});

test('a thread that dies takes its task along, and nothing else', async () => {
  const { heavy } = start({ memoryMb: 24 });
  const [dying, next] = [heavy.run(task('die'), 'a'), heavy.run(task('echo'), 'a', 'next')];
  await assert.rejects(dying, /ended with 3/);
  assert.equal(await next, 'next');
  await assert.rejects(heavy.run(task('fill'), 'a'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
  assert.equal(await heavy.run(task('echo'), 'a', 'again'), 'again');
});

test('a thread without work ends after a while', async () => {
  const { heavy } = start({ idleMs: 0 });
  await heavy.run(task('echo'), 'a', 1);
  await until('the thread has ended', () => heavy.threads() === 0);
  assert.equal(await heavy.run(task('echo'), 'a', 2), 2);
});

test('the end refuses what waits and what is under way, and ends the threads', async () => {
  const { heavy } = start();
  const both = [heavy.run(task('never'), 'a'), heavy.run(task('never'), 'a')];
  const outcomes = Promise.all(both.map((each) => assert.rejects(each, isRefused)));
  await heavy.end();
  await outcomes;
  assert.equal(heavy.threads(), 0);
  await assert.rejects(heavy.run(task('echo'), 'a', 1), isRefused);
});

test('a process whose threads have nothing to do ends by itself', () => {
  const program = fileURLToPath(import.meta.resolve('./heavy-program.ts'));
  const { stdout, status } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  assert.deepEqual([stdout, status], ['done', 0]);
});
