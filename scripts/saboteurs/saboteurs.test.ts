/** The list of saboteurs follows the code: who renames or rewrites what one of them breaks hears of it at once. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readSaboteurs } from './read-saboteurs.ts';
import { sabotage } from './sabotage.ts';
import { sampleSaboteurs } from './sample-saboteurs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const saboteurs = await readSaboteurs(root);

test('every saboteur finds its place in today’s code, and leaves code behind', async () => {
  assert.ok(saboteurs.length > 0);
  const wrong: string[] = [];
  for (const saboteur of saboteurs) {
    try {
      const faulty = sabotage(await readFile(join(root, 'server/src', saboteur.file), 'utf8'), saboteur);
      if (saboteur.file.endsWith('.ts')) stripTypeScriptTypes(faulty);
    } catch (error) {
      wrong.push(`${saboteur.file}, ${saboteur.fault}: ${(error as Error).message}`);
    }
  }
  assert.deepEqual(wrong, []);
});

// Whether it has the tests that are named is for the runner to find out: names may be put together.
test('every saboteur names a test file that is there', () => {
  const wrong = saboteurs
    .filter(({ noticedBy }) => !noticedBy.endsWith('.test.ts') || !existsSync(join(root, noticedBy)))
    .map(({ noticedBy, fault }) => `${fault}: there is no ${noticedBy}`);
  assert.deepEqual(wrong, []);
});

// One fault may have to be noticed by several tests: each story of a race needs the lock.
test('no two saboteurs are the same, in words or in deed', () => {
  const repeated = (names: readonly string[]) => names.filter((name, position) => names.indexOf(name) !== position);
  assert.deepEqual(repeated(saboteurs.map(({ file, fault }) => `${file}: ${fault}`)), []);
  assert.deepEqual(repeated(saboteurs.map((saboteur) => JSON.stringify({ ...saboteur, fault: '' }))), []);
});

test('a seed always draws the same sample, and in time everybody is drawn', () => {
  const many = Array.from({ length: 60 }, (_, position) => ({
    file: 'a.ts',
    fault: `fault ${position}`,
    find: 'a',
    replace: 'b',
    noticedBy: 'a.test.ts',
  }));
  const drawn = sampleSaboteurs(many, 'seed', 20);
  assert.equal(drawn.length, 20);
  assert.deepEqual(sampleSaboteurs(many.toReversed(), 'seed', 20), drawn);
  const inTime = new Set(Array.from({ length: 60 }, (_, seed) => sampleSaboteurs(many, String(seed), 20)).flat());
  assert.equal(inTime.size, many.length);
  const joined = sampleSaboteurs([...many, { ...many[0]!, fault: 'a new one' }], 'seed', 20);
  assert.ok(drawn.filter((each) => joined.includes(each)).length >= 19, 'who joins moves one of the others at most');
});
