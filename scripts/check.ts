/**
 * `npm run check`: types, lint and format. Types of everything are checked, with what the compiler remembers of the
 * last time; lint and format of the files that changed since they last passed. `npm run check -- --all` looks at all
 * files, as `npm run test:deep` does: the linter knows types, so a change can also make another file wrong.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesToCheck, type Hashes } from './files-to-check.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(root, 'node_modules/.cache');
const passedFile = join(cache, 'checked-files.json');
const rules = ['.oxlintrc.json', 'biome.json', 'tsconfig.json', 'package-lock.json'];

function hashesNow(): Hashes {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', '*.ts', '*.mjs', ...rules];
  const paths = execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).split('\0');
  const there = paths.filter((path) => path !== '' && existsSync(join(root, path)));
  const hashOf = (path: string) =>
    createHash('sha256')
      .update(readFileSync(join(root, path)))
      .digest('hex');
  return Object.fromEntries(there.map((path) => [path, hashOf(path)]));
}

/** All three are run, so that everything that is wrong is told together. */
function succeeds(program: string, ...args: string[]): boolean {
  const { status } = spawnSync(join(root, 'node_modules/.bin', program), args, { cwd: root, stdio: 'inherit' });
  return status === 0;
}

mkdirSync(cache, { recursive: true });
const passed: Hashes = existsSync(passedFile) ? JSON.parse(readFileSync(passedFile, 'utf8')) : {};
const now = hashesNow();
const files = filesToCheck(process.argv.includes('--all') ? {} : passed, now, rules);
const hasTypes = succeeds('tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', join(cache, 'checked-types.json'));
const isTidy =
  files.length === 0 ||
  [succeeds('oxlint', '--type-aware', '--quiet', ...files), succeeds('biome', 'check', ...files)].every(Boolean);
if (isTidy) writeFileSync(passedFile, JSON.stringify(now));
console.log(
  `Types of everything, lint and format of ${files.length} of ${Object.keys(now).length - rules.length} files.`,
);
process.exit(hasTypes && isTidy ? 0 : 1);
