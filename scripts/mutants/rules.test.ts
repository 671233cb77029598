import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ruleAt, rules, sourceOf, testsOf } from './rules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');

test('every rule is there, and so are the tests that hold it', () => {
  const paths = Object.keys(rules).flatMap((rule) => [sourceOf(rule), ...testsOf(rule)]);
  assert.deepEqual(
    paths.filter((path) => !existsSync(`${root}${path}`)),
    [],
  );
});

test('rules are pure: they wait for nobody, and know no database, no network and no clock of their own', () => {
  const impure = /\bawait\b|\bDate\.now\(|new Date\(\)|\bTx\b|\bDb\b|from 'node:(fs|http|net|child_process|dns)/;
  const waiting = Object.keys(rules).filter((rule) => impure.test(read(sourceOf(rule))));
  assert.deepEqual(waiting, ['http/page-cursor'], 'a page is read there, by functions that are handed in');
});

test('tests of rules use nothing of `node:test` but `test`, and start nothing', () => {
  const files = new Set(Object.keys(rules).flatMap(testsOf));
  for (const file of files) {
    assert.match(read(file), /^import \{ test \} from 'node:test';$/m, file);
    assert.doesNotMatch(read(file), /test\/(gateway|test-database|start-api|test-api)\.ts/, file);
  }
});

test('a rule is found wherever the copy of the repository lies', () => {
  assert.equal(ruleAt('/tmp/copy/server/src/money/decimal.ts'), 'money/decimal');
  assert.equal(ruleAt('server/src/money/decimal.ts'), 'money/decimal');
  assert.throws(() => ruleAt('server/src/app.ts'), /not one of the rules/);
});
