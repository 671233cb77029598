/**
 * Turns what is committed into a version: its number in every package, also those of other languages, its date in
 * CHANGELOG.md and in those of the SDKs where something is new, one commit and one tag.
 * Everything is checked before the first file is written.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { areAllNoticed } from './saboteurs/trial-record.ts';

export class ReleaseError extends Error {}

export type Release = { readonly root: string; readonly version: string; readonly today: string };

type Package = { version: string; workspaces?: string[] };
type LockFile = { version: string; packages: Record<string, { version?: string }> };

/** Packages that npm does not know say their version in a constant. */
const versionConstants = ['sdk/php/src/Client.php', 'sdk/ruby/lib/quittance/version.rb'];

export function makeRelease({ root, version, today }: Release): void {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const write = (path: string, text: string): void => writeFileSync(join(root, path), text);
  const main = JSON.parse(read('package.json')) as Package;
  const folders = ['', ...(main.workspaces ?? [])];

  if (!isVersion(version))
    throw new ReleaseError(`A version is three numbers such as 0.2.0, but this is "${version}".`);
  if (git('tag', '--list', `v${version}`) !== '') throw new ReleaseError(`There is a version ${version} already.`);
  if (!isNewer(version, main.version))
    throw new ReleaseError(`The version must be newer than ${main.version}, but is ${version}.`);
  if (git('status', '--porcelain') !== '') throw new ReleaseError('Commit or take back what is changed here first.');
  const changelog = datedChangelog(read('CHANGELOG.md'), version, today);
  if (!areAllNoticed(root))
    throw new ReleaseError(
      'Nobody has tried whether the tests of this commit notice faults: npm run test:saboteurs -- --all, again where it was interrupted.',
    );

  write('CHANGELOG.md', changelog);
  for (const path of globSync('sdk/*/CHANGELOG.md', { cwd: root }))
    if (hasNews(read(path))) write(path, datedChangelog(read(path), version, today));
  for (const path of versionConstants) write(path, read(path).replace(/\bVERSION = '[^']*'/, `VERSION = '${version}'`));
  for (const folder of folders) {
    const path = join(folder, 'package.json');
    // Not as JSON: so the layout of the file stays as it is.
    write(path, read(path).replace(/^ {2}"version": "[^"]*"/m, `  "version": "${version}"`));
  }
  const lock = JSON.parse(read('package-lock.json')) as LockFile;
  const packages = Object.entries(lock.packages).map(([folder, each]) =>
    folders.includes(folder) ? [folder, { ...each, version }] : [folder, each],
  );
  write('package-lock.json', asJson({ ...lock, version, packages: Object.fromEntries(packages) }));
  git('commit', '--quiet', '--all', '--message', `release: ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`);
}

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const numbersOf = (version: string): number[] => version.split('.').map(Number);
const isVersion = (text: string): boolean => /^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(text);

function isNewer(version: string, than: string): boolean {
  const [own, other] = [numbersOf(version), numbersOf(than)];
  const at = own.findIndex((number, position) => number !== other[position]);
  return at >= 0 && (own[at] ?? 0) > (other[at] ?? 0);
}

/** Undefined: there is no such section. */
const unreleasedIn = (text: string): string | undefined => /\n## Unreleased\n([^]*?)(?=\n## |$)/.exec(text)?.[1];

const hasNews = (text: string): boolean => (unreleasedIn(text) ?? '').trim() !== '';

/** What was unreleased becomes this version, and the next section is empty. */
function datedChangelog(text: string, version: string, today: string): string {
  if (unreleasedIn(text) === undefined) throw new ReleaseError('CHANGELOG.md must have a section "## Unreleased".');
  if (!hasNews(text)) throw new ReleaseError('CHANGELOG.md must say under "## Unreleased" what is new.');
  return text.replace(/^## Unreleased$/m, () => `## Unreleased\n\n## ${version} – ${today}`);
}
