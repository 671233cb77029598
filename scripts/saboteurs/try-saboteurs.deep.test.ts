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

const fault = (find: string, replace: string, test = 'nobody takes more'): Saboteur => ({
  file: 'till.ts',
  fault: `${find} is ${replace}`,
  find,
  replace,
  noticedBy: 'server/test/till.test.ts',
  test,
});
const noticeable = fault('units > balance', 'units < 0n');
const saboteurs = {
  noticeable,
  overlooked: fault('units <= 0n', 'units < 0n'),
  placeless: fault('units >= balance', 'true'),
  ambiguous: fault('throw new Error', 'throw Error'),
  fileless: { ...fault('a', 'b'), file: 'safe.ts' },
  unreadable: fault('units > balance', 'units >'),
  nameless: fault('units > balance', 'units > limit'),
  withFailingTest: { ...noticeable, test: 'always fails' },
  withoutTest: { ...noticeable, test: 'no such name' },
  withSkippedTest: { ...noticeable, test: 'not run here' },
  hanging: fault('balance - units', 'balance', 'waits for the fault'),
};

const understandsAll = { env: process.env, misunderstood: async () => [], tidyUp: async () => {} };
let root: string;
let verdicts: readonly Verdict[];
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
  verdicts = await trySaboteurs({
    root,
    saboteurs: Object.values(saboteurs),
    workplaces: [understandsAll, understandsAll],
    leastPatienceMs: 1,
  });
});
after(() => rm(root, { recursive: true }));

function verdictOn(name: keyof typeof saboteurs): Verdict {
  const ofIt = verdicts.filter(({ saboteur }) => saboteur === saboteurs[name]);
  assert.equal(ofIt.length, 1, 'there is one verdict on each');
  return ofIt[0]!;
}

test('a fault that makes its test fail is noticed, with the reason', () => {
  const { kind, reason } = verdictOn('noticeable');
  assert.equal(kind, 'noticed');
  assert.match(reason, /nobody takes more than there is.*Missing expected exception/);
});

test('a fault that its test passes over has survived', () => {
  assert.equal(verdictOn('overlooked').kind, 'survived');
});

test('each fault is alone: the sources and the next one know nothing of it', async () => {
  const inOnePlace = await trySaboteurs({
    root,
    saboteurs: [saboteurs.noticeable, saboteurs.overlooked],
    workplaces: [understandsAll],
  });
  assert.deepEqual(
    inOnePlace.map(({ kind }) => kind),
    ['noticed', 'survived'],
  );
  assert.equal(await readFile(join(root, 'server/src/till.ts'), 'utf8'), till);
});

test('a fault without a place, or with two, is a mistake of the list', () => {
  for (const name of ['placeless', 'ambiguous', 'fileless'] as const)
    assert.equal(verdictOn(name).kind, 'unapplied', name);
});

test('what is no code any more, or names what is nowhere, is broken and not noticed', () => {
  assert.equal(verdictOn('unreadable').kind, 'broken');
  assert.equal(verdictOn('nameless').kind, 'broken');
  assert.match(verdictOn('nameless').reason, /Cannot find name 'limit'/);
});

test('what is no SQL any more is broken, unless the code without the fault had the same complaint', async () => {
  const complaint = '42601 ERROR: syntax error at or near "where"';
  const kindAfter = async (...complaints: string[][]): Promise<[string | undefined, string | undefined]> => {
    const workplace = { ...understandsAll, misunderstood: async () => complaints.shift() ?? [] };
    const [verdict] = await trySaboteurs({ root, saboteurs: [noticeable], workplaces: [workplace] });
    return [verdict?.kind, verdict?.reason];
  };
  assert.deepEqual(await kindAfter([], [complaint]), ['broken', complaint]);
  assert.equal((await kindAfter([complaint], [complaint]))[0], 'noticed');
});

test('a test that fails by itself, or is nowhere, proves nothing', () => {
  assert.equal(verdictOn('withFailingTest').kind, 'untestable');
  assert.match(verdictOn('withFailingTest').reason, /failed without the fault/);
  assert.equal(verdictOn('withoutTest').kind, 'untestable');
});

test('a test that is not run here is said to be skipped', () => {
  assert.equal(verdictOn('withSkippedTest').kind, 'skipped');
});

test('a test that hangs says nothing about what is wrong', () => {
  assert.equal(verdictOn('hanging').kind, 'broken');
  assert.match(verdictOn('hanging').reason, /^hung: /);
});

test('when the time is over the others are left out', async () => {
  const late = { root, saboteurs: [noticeable], workplaces: [understandsAll], isOver: () => true };
  assert.deepEqual(
    (await trySaboteurs(late)).map(({ kind }) => kind),
    ['left out'],
  );
});
