/** What is known of all saboteurs belongs to one commit, survives an interruption, and says when it is whole. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { present } from '@quittance/server/lib/assert';
import { areAllNoticed, openRecord } from './trial-record.ts';
import type { Verdict } from './try-saboteurs.ts';

let root: string;
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
function commit(text: string): void {
  writeFileSync(join(root, 'a.ts'), text);
  git('add', '--all');
  git(
    '-c',
    'user.name=Somebody',
    '-c',
    'user.email=somebody@example.com',
    'commit',
    '--quiet',
    '--message',
    'a change',
  );
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'quittance-record-'));
  git('init', '--quiet');
  writeFileSync(join(root, '.gitignore'), 'node_modules/\n');
  commit('one');
});
afterEach(() => rmSync(root, { recursive: true }));

const saboteur = (fault: string) => ({ file: 'a.ts', fault, find: 'a', replace: 'b', noticedBy: 'a.test.ts' });
const verdict = (fault: string, kind: Verdict['kind']): Verdict => ({ saboteur: saboteur(fault), kind, reason: '' });
const doneOf = (...faults: string[]): boolean[] =>
  faults.map((fault) => present(openRecord(root), 'a record').isDone(saboteur(fault)));

test('who was interrupted goes on where it ended, and only what was noticed is done', () => {
  const record = present(openRecord(root), 'a record');
  for (const kind of ['noticed', 'skipped', 'survived', 'broken', 'untestable', 'unapplied', 'left out'] as const)
    record.add(verdict(kind, kind));
  assert.deepEqual(doneOf('noticed', 'skipped'), [true, true]);
  assert.deepEqual(doneOf('survived', 'broken', 'untestable', 'unapplied', 'left out'), Array(5).fill(false));
  const folder = join(root, 'node_modules/.cache/saboteurs');
  appendFileSync(join(folder, readdirSync(folder)[0] ?? ''), '{"id":"a.ts: cut o');
  present(openRecord(root), 'a record').add(verdict('after', 'noticed'));
  assert.deepEqual(doneOf('noticed', 'cut o', 'after'), [true, false, true]);
});

test('it is whole when it was closed, for this commit and no other', () => {
  present(openRecord(root), 'a record').add(verdict('noticed', 'noticed'));
  assert.equal(areAllNoticed(root), false);
  present(openRecord(root), 'a record').close(1);
  assert.equal(areAllNoticed(root), true);
  commit('two');
  assert.deepEqual([areAllNoticed(root), ...doneOf('noticed')], [false, false]);
  commit('one');
  assert.equal(areAllNoticed(root), true, 'what is in it counts, not when it was committed');
});

test('while something is not committed nothing is recorded', () => {
  present(openRecord(root), 'a record').close(1);
  writeFileSync(join(root, 'a.ts'), 'three');
  assert.equal(openRecord(root), undefined);
  assert.equal(areAllNoticed(root), false);
});
