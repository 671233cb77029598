/** Who tries the tests is tried himself, on a till with one rule and a test that knows half of it. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Saboteur } from '../../server/test/saboteurs/saboteur.ts';
import { trySaboteurs, type Verdict } from './try-saboteurs.ts';

const till = `export function withdraw(balance: bigint, units: bigint): bigint {
  if (units <= 0n) throw new Error('nothing to withdraw');
  if (units > balance) throw new Error('too much');
  return balance - units;
}
`;
const tillTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withdraw } from '../src/till.ts';

test('nobody takes more than there is', () => {
  assert.equal(withdraw(3n, 1n), 2n);
  assert.throws(() => withdraw(3n, 4n), /too much/);
});
test('a test that always fails', () => assert.fail());
test('a test that is not run here', { skip: 'no such machine' }, () => assert.fail());
test('a test that waits for the fault to end', async () => {
  while (withdraw(3n, 1n) !== 2n) await new Promise((resolve) => setTimeout(resolve, 10));
});
`;

let root: string;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'quittance-till-'));
  const files = {
    'package.json': JSON.stringify({ type: 'module' }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: { target: 'es2024', module: 'nodenext', types: [] },
      include: ['server/src'],
    }),
    'server/src/till.ts': till,
    'server/test/till.test.ts': tillTest,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  await mkdir(join(root, 'node_modules/@quittance'), { recursive: true });
});
after(() => rm(root, { recursive: true }));

const fault = (find: string, replace: string, test = 'nobody takes more'): Saboteur => ({
  file: 'till.ts',
  fault: `${find} is ${replace}`,
  find,
  replace,
  noticedBy: 'server/test/till.test.ts',
  test,
});

async function tryOne(saboteur: Saboteur, complaints: readonly (readonly string[])[] = []): Promise<Verdict> {
  const left = [...complaints];
  const workplaces = [{ env: process.env, misunderstood: async () => left.shift() ?? [] }];
  const [verdict, ...others] = await trySaboteurs({ root, saboteurs: [saboteur], workplaces });
  assert.deepEqual(others, []);
  assert.ok(verdict);
  return verdict;
}

test('a fault that makes its test fail is noticed, with the reason', async () => {
  const { kind, reason } = await tryOne(fault('units > balance', 'units < 0n'));
  assert.equal(kind, 'noticed');
  assert.match(reason, /nobody takes more than there is.*Missing expected exception/);
});

test('a fault that its test passes over has survived', async () => {
  assert.equal((await tryOne(fault('units <= 0n', 'units < 0n'))).kind, 'survived');
});

test('each fault is alone: the sources and the next one know nothing of it', async () => {
  const saboteurs = [fault('balance - units', 'balance'), fault('units <= 0n', 'units < 0n')];
  const workplaces = [{ env: process.env, misunderstood: async () => [] }];
  const verdicts = await trySaboteurs({ root, saboteurs, workplaces });
  assert.deepEqual(
    verdicts.map(({ kind }) => kind),
    ['noticed', 'survived'],
  );
  assert.equal(await readFile(join(root, 'server/src/till.ts'), 'utf8'), till);
});

test('a fault without a place, or with two, is a mistake of the list', async () => {
  assert.equal((await tryOne(fault('units >= balance', 'true'))).kind, 'unapplied');
  assert.equal((await tryOne(fault('throw new Error', 'throw Error'))).kind, 'unapplied');
  assert.equal((await tryOne({ ...fault('a', 'b'), file: 'safe.ts' })).kind, 'unapplied');
});

test('what is no code any more, or names what is nowhere, is broken and not noticed', async () => {
  assert.equal((await tryOne(fault('units > balance', 'units >')))?.kind, 'broken');
  const { kind, reason } = await tryOne(fault('units > balance', 'units > limit'));
  assert.equal(kind, 'broken');
  assert.match(reason, /Cannot find name 'limit'/);
});

test('what is no SQL any more is broken, unless the code without the fault had the same complaint', async () => {
  const complaint = '42601 ERROR: syntax error at or near "where"';
  const noticeable = fault('units > balance', 'units < 0n');
  const { kind, reason } = await tryOne(noticeable, [[], [complaint]]);
  assert.deepEqual({ kind, reason }, { kind: 'broken', reason: complaint });
  assert.equal((await tryOne(noticeable, [[complaint], [complaint]])).kind, 'noticed');
});

test('a test that fails by itself, or is nowhere, proves nothing', async () => {
  const failing = await tryOne(fault('units > balance', 'units < 0n', 'always fails'));
  assert.equal(failing.kind, 'untestable');
  assert.match(failing.reason, /failed without the fault/);
  assert.equal((await tryOne(fault('units > balance', 'units < 0n', 'no such name'))).kind, 'untestable');
});

test('a test that is not run here is said to be skipped', async () => {
  assert.equal((await tryOne(fault('units > balance', 'units < 0n', 'not run here'))).kind, 'skipped');
});

test('a test that hangs says nothing about what is wrong', async () => {
  const workplaces = [{ env: process.env, misunderstood: async () => [] }];
  const saboteurs = [fault('balance - units', 'balance', 'waits for the fault')];
  const verdicts = await trySaboteurs({ root, saboteurs, workplaces, leastPatienceMs: 1 });
  assert.deepEqual(
    verdicts.map(({ kind }) => kind),
    ['broken'],
  );
  assert.match(verdicts[0]?.reason ?? '', /^hung: /);
});

test('when the time is over the others are left out', async () => {
  const workplaces = [{ env: process.env, misunderstood: async () => [] }];
  const saboteurs = [fault('units > balance', 'units < 0n')];
  const verdicts = await trySaboteurs({ root, saboteurs, workplaces, isOver: () => true });
  assert.deepEqual(
    verdicts.map(({ kind }) => kind),
    ['left out'],
  );
});
