/** A release is made in a small repository with this one's packages. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeRelease, ReleaseError } from './make-release.ts';
import { openRecord } from './saboteurs/trial-record.ts';

const source = fileURLToPath(new URL('..', import.meta.url));
const workspaces = ['contract', 'sandbox', 'sdk/node', 'server'];
const packages = ['package.json', ...workspaces.map((folder) => `${folder}/package.json`)];
const constants = ['sdk/php/src/Client.php', 'sdk/ruby/lib/quittance/version.rb'];
const changelog = '# Changelog\n\n## Unreleased\n\n- Something new.\n\n## 0.0.1 – 2026-01-01\n\n- The first.\n';
const today = '2026-12-01';

let root: string;
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const commit = (): string => git('commit', '--quiet', '--all', '--message', 'a change');
const versionOf = (path: string): string => JSON.parse(read(path)).version;

/** As the last of all saboteurs leaves it. */
const allAreNoticed = (): void => openRecord(root)?.close(1);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'quittance-release-'));
  for (const path of [...packages, ...constants, 'package-lock.json']) cpSync(join(source, path), join(root, path));
  writeFileSync(join(root, 'CHANGELOG.md'), changelog);
  git('init', '--quiet');
  for (const [name, value] of [
    ['user.name', 'Somebody'],
    ['user.email', 'somebody@example.com'],
    ['commit.gpgsign', 'false'],
    ['tag.gpgsign', 'false'],
  ] as const)
    git('config', name, value);
  writeFileSync(join(root, '.gitignore'), 'node_modules/\n');
  git('add', '--all');
  commit();
  allAreNoticed();
});
afterEach(() => rmSync(root, { recursive: true }));

test('a version is in every package and dated in the changelog, committed and tagged', () => {
  const lockBefore = JSON.parse(read('package-lock.json'));
  makeRelease({ root, version: '7.0.10', today });
  for (const path of [...packages, 'package-lock.json']) assert.equal(versionOf(path), '7.0.10', path);
  const lock = JSON.parse(read('package-lock.json'));
  const changed = Object.keys(lock.packages).filter((name) => {
    const [now, before] = [lock.packages[name], lockBefore.packages[name]];
    return JSON.stringify(now) !== JSON.stringify(before);
  });
  assert.deepEqual(changed.sort(), ['', ...workspaces], 'no dependency has another version');
  assert.match(read('CHANGELOG.md'), /\n## Unreleased\n\n## 7\.0\.10 – 2026-12-01\n\n- Something new\.\n\n## 0\.0\.1 /);
  assert.equal(git('log', '-1', '--format=%s'), 'release: 7.0.10');
  assert.equal(git('cat-file', '-t', 'v7.0.10'), 'tag');
  assert.equal(git('rev-list', '-1', 'v7.0.10'), git('rev-parse', 'HEAD'));
  assert.equal(git('status', '--porcelain'), '');
  // Only lines with a version and the new heading differ: the files are written as they were.
  const lines = git('diff', 'HEAD~1', '--unified=0', '--', '*.json').split('\n');
  for (const line of lines.filter((each) => /^[+-] /.test(each))) assert.match(line, /^[+-] +"version": "/);
});

test('packages of other languages get the version too, and their changelogs are dated where something is new', () => {
  const withoutNews = changelog.replace('- Something new.\n\n', '');
  writeFileSync(join(root, 'sdk/php/CHANGELOG.md'), changelog);
  writeFileSync(join(root, 'sdk/ruby/CHANGELOG.md'), withoutNews);
  git('add', '--all');
  commit();
  allAreNoticed();
  for (const path of constants) assert.match(read(path), new RegExp(`VERSION = '${versionOf('package.json')}'`));
  makeRelease({ root, version: '7.0.10', today });
  for (const path of constants) assert.match(read(path), /VERSION = '7\.0\.10'/);
  assert.match(read('sdk/php/CHANGELOG.md'), /\n## 7\.0\.10 – 2026-12-01\n\n- Something new/);
  assert.equal(read('sdk/ruby/CHANGELOG.md'), withoutNews);
});

test('what cannot be a release is refused with a sentence, and nothing is changed', () => {
  const refused = (version: string, reason: RegExp): void => {
    const before = [git('rev-parse', 'HEAD'), git('tag'), git('status', '--porcelain')];
    assert.throws(
      () => makeRelease({ root, version, today }),
      (error) => error instanceof ReleaseError && reason.test(error.message),
    );
    assert.deepEqual([git('rev-parse', 'HEAD'), git('tag'), git('status', '--porcelain')], before);
  };
  for (const version of ['', 'v7.0.0', '7.0', '7.0.0-rc1', '07.0.0']) refused(version, /^A version is three numbers/);
  for (const version of [versionOf('package.json'), '0.0.9']) refused(version, /^The version must be newer than/);

  git('tag', 'v7.0.0');
  refused('7.0.0', /already/);
  writeFileSync(join(root, 'new.ts'), '');
  refused('7.0.1', /^Commit or take back/);
  rmSync(join(root, 'new.ts'));

  writeFileSync(join(root, 'sdk/php/CHANGELOG.md'), changelog);
  git('add', '--all');
  commit();
  refused('7.0.1', /^Nobody has tried whether the tests of this commit notice faults/);

  for (const [text, reason] of [
    ['# Changelog\n\n## 0.0.1 – 2026-01-01\n\n- The first.\n', /must have a section/],
    ['# Changelog\n\n## Unreleased\n\n## 0.0.1 – 2026-01-01\n\n- The first.\n', /must say/],
    ['# Changelog\n\n## Unreleased\n', /must say/],
  ] as const) {
    writeFileSync(join(root, 'CHANGELOG.md'), text);
    commit();
    refused('7.0.1', reason);
  }
});
