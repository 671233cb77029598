/**
 * No regular expression takes longer than the text is long: one that goes back again and again lets whoever writes the text hold
 * everybody. A rule for all of them, because nobody remembers for long which text comes from whom.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { superlinearProblem } from './expressions/superlinear-problem.ts';
import { writtenExpressions } from './expressions/written-expressions.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const folders = ['server/src', 'contract/src', 'sdk/node/src', 'sandbox/src'];

/** They read the manual, the program and its scripts, when the process starts, and what is typed into the search is short. */
const readOurOwn = [
  'server/src/manual/answered-sentence.ts',
  'server/src/manual/api-sentences.ts',
  'server/src/manual/errors-page.ts',
  'server/src/manual/manual-book.ts',
  'server/src/manual/manual-markdown.ts',
  'server/src/manual/manual-reader.ts',
  'server/src/web/static-files.ts',
];

/** Made of other texts than stand there. What they come to is checked as it is when the file is loaded, or by its own line. */
const makers: Readonly<Record<string, 'when loaded' | readonly (readonly [source: string, flags: string])[]>> = {
  'server/src/emails/mail-settings.ts': 'when loaded',
  'server/src/lib/hidden-characters.ts': 'when loaded',
  'server/src/merchants/page-setting-forms.ts': 'when loaded',
  'server/src/web/text-lines.ts': 'when loaded',
  'server/src/account/frame/money-words.ts': 'when loaded',
  // Patterns of the contract: see below.
  'server/src/http/read-input.ts': [],
  'server/src/http/router.ts': [['^/a/[^/]+/b/[^/]+/.*/?$', 'i']],
  // Words, one or another.
  'server/src/manual/manual-routes.ts': [['(some|words)', 'i']],
  'sandbox/src/bank/written-statement.ts': [[':60[FM]:([CD])\\d{6}[A-Z]{3}([\\d,]+)', '']],
};

async function programsIn(folder: string): Promise<{ path: string; text: string }[]> {
  const entries = await readdir(join(repository, folder), { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.(ts|mjs)$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(async (path) => ({ path: relative(repository, path), text: await readFile(path, 'utf8') })),
  );
}

const known = new Map<string, string | null>();
function problemOf(source: string, flags: string): string | null {
  const name = `${flags}/${source}`;
  if (!known.has(name)) known.set(name, superlinearProblem(source, flags));
  return known.get(name) ?? null;
}

test('every expression is as fast as its text is long', async () => {
  const programs = (await Promise.all(folders.map(programsIn))).flat();
  const wrong: string[] = [];
  const making = new Set<string>();
  let count = 0;
  for (const { path, text } of programs) {
    if (readOurOwn.includes(path)) continue;
    const { expressions, made } = writtenExpressions(text);
    count += expressions.length;
    for (const { line, source, flags } of expressions) {
      const problem = problemOf(source, flags);
      if (problem !== null) wrong.push(`${path}:${line} /${source}/${flags}: ${problem}`);
    }
    if (made.length > 0) making.add(path);
    if (made.length > 0 && !(path in makers))
      wrong.push(`${path}:${made.join()} makes an expression that nobody checks`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(count > 300, `${count} were found`);
  for (const path of Object.keys(makers)) assert.ok(making.has(path), `${path} makes none any more`);
});

test('what is made of parts is as fast, too', async () => {
  const made: RegExp[] = [];
  const plain = globalThis.RegExp;
  globalThis.RegExp = new Proxy(plain, {
    construct(target, given: [string, string?]) {
      const expression = Reflect.construct(target, given);
      made.push(expression);
      return expression;
    },
  });
  try {
    for (const [path, how] of Object.entries(makers)) if (how === 'when loaded') await import(join(repository, path));
  } finally {
    globalThis.RegExp = plain;
  }
  const written = Object.values(makers).flatMap((how) => (how === 'when loaded' ? [] : how));
  const all = [...made.map(({ source, flags }) => [source, flags] as const), ...written];
  assert.ok(made.length >= 5, `${made.length} were made`);
  for (const [source, flags] of all) assert.equal(problemOf(source, flags), null, source);
});

test('a pattern of the contract is as fast, too', async () => {
  const contract = JSON.parse(await readFile(join(repository, 'contract/openapi.json'), 'utf8')) as unknown;
  const patterns = new Set<string>();
  const look = (value: unknown, name = ''): void => {
    if (typeof value === 'string' && name === 'pattern') patterns.add(value);
    if (typeof value !== 'object' || value === null) return;
    for (const [inner, each] of Object.entries(value)) {
      if (name === 'patternProperties') patterns.add(inner);
      look(each, inner);
    }
  };
  look(contract);
  assert.ok(patterns.size > 5, `${patterns.size} were found`);
  for (const pattern of patterns) assert.equal(problemOf(pattern, ''), null, pattern);
});

test('an expression that goes back again and again is noticed, and one that does not is not', () => {
  for (const source of [
    String.raw`\s+$`,
    '(a+)+$',
    '(a|a)*b',
    '(a*)*b',
    'a*b|',
    String.raw`^\s*\s*$`,
    'x*y*x*$',
    '^(.*?,)*$',
    String.raw`(?=\w*)x`,
    '.*foo',
    '<a[^]*?>',
    String.raw`name=[^\r\n]*(?:\r?\n[^\r\n]+)*\r?\n\r?\nOne`,
    String.raw`^(.{1,6}?)\1+$`,
  ])
    assert.notEqual(superlinearProblem(source, ''), null, source);
  for (const source of [
    String.raw`\s+`,
    '^a+$',
    '^[^@]+@[^@]+$',
    String.raw`\d(?=\D*$)`,
    '^(a|b)*c',
    String.raw`(?<!\\)(?:\\\\)*\\u0000`,
    '^.{1,64}@.{1,189}$',
    String.raw`\b[a-z]+\b`,
    '(?<=^|,)a+b',
  ])
    assert.equal(superlinearProblem(source, ''), null, source);
  const { expressions, made } = writtenExpressions(`f(/a+$/u, new RegExp('b'), new RegExp(c));\nconst d = x / y / 2;`);
  assert.deepEqual([expressions.map(({ source }) => source), made], [['a+$', 'b'], [1]]);
});
