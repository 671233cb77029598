import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseTests } from './choose-tests.ts';

const rule = 'server/src/money/decimal.test.ts';
const story = 'server/test/checkout-paid.test.ts';
const kill = 'server/test/transfer-kill.sampled.test.ts';
const node = 'server/test/networks/litecoind.conformance.deep.test.ts';
const commands = 'scripts/quittance.test.ts';
const all = [rule, story, commands, kill, node];
const choose = (isDeep: boolean, ...wanted: string[]) => chooseTests(all, { wanted, isDeep });

test('npm test runs every file that is not deep, with samples of what takes long, and the stories first', () => {
  assert.deepEqual(choose(false), { files: [commands, story, kill, rule], depth: 'sample' });
});

test('npm run test:deep runs what npm test left out', () => {
  assert.deepEqual(choose(true), { files: [node, kill], depth: 'deep' });
  assert.deepEqual(chooseTests(all, { wanted: [], isDeep: true, isWhole: true }), {
    files: [node, kill],
    depth: 'all',
  });
});

test('what is named is run, and all of it, however deep it is', () => {
  for (const isDeep of [false, true]) {
    assert.deepEqual(choose(isDeep, 'kill', 'litecoind'), { files: [node, kill], depth: 'all' });
    assert.deepEqual(choose(isDeep, 'money/'), { files: [rule], depth: 'all' });
    assert.deepEqual(choose(isDeep, 'nowhere').files, []);
  }
});
