import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { kinds, nameOfTogether, shareProcesses } from './share-processes.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));

/** A repository of a few files, for as long as the work takes. */
async function withFiles<T>(files: Readonly<Record<string, string>>, work: (root: string) => T): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), 'quittance-shared-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    return work(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const everyKind = (processes: number) => Object.fromEntries(kinds.map((kind) => [kind, processes]));

/** Whether a test made of this is alone, beside modules that it may import. */
const isAlone = (text: string, name = 'server/src/a.test.ts'): Promise<boolean> =>
  withFiles(
    {
      [name]: text,
      'server/src/pure.ts': "import assert from 'node:assert/strict';\nexport const mode = process.env['MODE'];\n",
      'server/src/start.ts': "import type { A } from './pure.ts';\nimport {\n  spawn,\n} from 'node:child_process';\n",
      'server/src/far.ts': "export { start } from '@quittance/server/start';\n",
      'server/test/gateway.ts': "import { afterEach } from 'node:test';\nafterEach(() => {});\n",
      'server/test/books.ts': "import { afterEach } from 'node:test';\nafterEach(() => {});\n",
      'scripts/run-command-line.ts': 'export const run = (words: string[]) => words.length;\n',
      'scripts/start.ts': "import { spawn } from 'node:child_process';\nexport const run = spawn;\n",
      'server/test/stopwatch.ts': 'export const used = () => process.cpuUsage();\n',
    },
    (root) => shareProcesses([name], { processes: everyKind(1), root }).alone.length === 1,
  );

test('what keeps to itself shares a process, with hooks of its own and whatever the service reads of its process', async () => {
  assert.equal(
    await isAlone(
      "import { test } from 'node:test';\nimport './pure.ts';\nbefore(async () => {\n  await 1;\n});\nconst f = async () => await 1;",
    ),
    false,
  );
  assert.equal(await isAlone("import '../test/gateway.ts';"), false, 'whose hooks are set for all');
  assert.equal(await isAlone("import type { Start } from './start.ts';"), false, 'a type is not loaded');
});

test('what reaches beyond itself is alone, however far away it does so', async () => {
  const cases = {
    'another programme': "import { spawn } from 'node:child_process';",
    'another programme, and one that is waited for': "import { execFileSync, spawn } from 'node:child_process';",
    'another programme, two modules away': "import { start } from './far.ts';",
    'another programme, when it comes to that': "test('late', async () => void (await import('./far.ts')));",
    'a setting of the process': "process.env['TZ'] = 'UTC';",
    'the clock of the process': 'test("x", (context) => context.mock.timers.enable());',
    'what the process has computed': "import { used } from '../test/stopwatch.ts';",
    'hooks of a module that is loaded once': "import '../test/books.ts';",
    'a file that waits while it is loaded': 'const folder = await mkdtemp();',
    'a file that waits when it is run as a program': 'if (import.meta.main) await serve();',
  };
  for (const [why, text] of Object.entries(cases)) assert.equal(await isAlone(text), true, why);
});

test('what is replaced for a test and put back when it ends may be in company; a clock that stands for everybody may not', async () => {
  const inCompany = {
    'a method of an object': "test('x', (context) => context.mock.method(console, 'log', () => {}));",
    'how often it was called': "const log = context.mock.method(console, 'log');\nlog.mock.calls.length;",
    'which is forgotten again': "context.mock.method(console, 'log').mock.resetCalls();",
    'the date alone': "test('x', (context) => context.mock.timers.enable({ apis: ['Date'], now: 0 }));",
    'a date that goes on': "test('x', (context) => context.mock.timers.setTime(0));",
    'a programme whose end is waited for': "import { execFileSync, spawnSync } from 'node:child_process';",
    'a date that is computed': "const later = new Date(Date.parse('2026-03-01') + 1000);",
    'what it was told when it was started':
      "const [, , seed] = process.argv;\nconst level = process.env['TEST_LOG_LEVEL'];",
    'a setting that is only compared': "if (process.env['CI'] === 'true') test('x', () => {});",
    'a command that is only a text': "const line = 'npx quittance pay latest';",
    'a command that runs here': "import '../../scripts/run-command-line.ts';",
  };
  for (const [why, text] of Object.entries(inCompany)) assert.equal(await isAlone(text), false, why);
  const alone = {
    'a function without an object, which nobody puts back': "import { mock } from 'node:test';\nconst f = mock.fn();",
    'all timers': "test('x', (context) => context.mock.timers.enable({ apis: ['setTimeout', 'Date'] }));",
    'a date that all see': 'globalThis.Date = class extends Date {};',
    'how often properties are tried': 'fc.configureGlobal({ numRuns: 10 });',
    'a setting that is taken away': "delete process.env['TZ'];",
    'where the process is': "process.chdir('/');",
    'a command that starts another': "import { run } from '../../scripts/start.ts';",
  };
  for (const [why, text] of Object.entries(alone)) assert.equal(await isAlone(text), true, why);
});

test('samples share processes with samples, and browsers with browsers', async () => {
  const browser = "import { chromium } from 'playwright-core';";
  const files = {
    'a.test.ts': '',
    'b.sampled.test.ts': '',
    'c.test.ts': "import './browser.ts';",
    'd.sampled.test.ts': browser,
    'e.test.ts': '',
    'browser.ts': browser,
  };
  const names = Object.keys(files).filter((name) => name.endsWith('.test.ts'));
  await withFiles(files, (root) => {
    const { alone, together } = shareProcesses(names, { processes: everyKind(1), root });
    assert.deepEqual(alone, []);
    assert.deepEqual(together, [
      { kind: 'plain', files: ['a.test.ts', 'e.test.ts'] },
      { kind: 'sampled', files: ['b.sampled.test.ts'] },
      { kind: 'browser', files: ['c.test.ts'] },
      { kind: 'sampled browser', files: ['d.sampled.test.ts'] },
    ]);
    const plainOnly = shareProcesses(names, { processes: { plain: 2 }, root });
    assert.deepEqual(plainOnly.alone, ['b.sampled.test.ts', 'c.test.ts', 'd.sampled.test.ts']);
    assert.deepEqual(plainOnly.together.length, 2);
  });
});

test('the name of what is told together says how much is told of each', () => {
  assert.equal(nameOfTogether(['a.test.ts', 'deep/b.test.ts']), 'together');
  assert.equal(nameOfTogether(['a.sampled.test.ts', 'b.sampled.test.ts']), 'together.sampled');
  assert.equal(nameOfTogether(['a.deep.test.ts', 'b.conformance.deep.test.ts']), 'together.deep');
  assert.throws(() => nameOfTogether(['a.deep.test.ts', 'b.test.ts']), /not told to the same depth/);
});

test('what a test imports by the name of its package is found where it lies', async () => {
  const files = {
    'a.test.ts': "import { watched } from '@quittance/server/test/watched';",
    'b.test.ts': "import { starts } from '@quittance/server/test/starts';",
    'server/test/watched.ts': 'export const watched = 1;',
    'server/test/starts.ts': "import { spawn } from 'node:child_process';",
  };
  await withFiles(files, (root) =>
    assert.deepEqual(shareProcesses(['a.test.ts', 'b.test.ts'], { processes: everyKind(1), root }).alone, [
      'b.test.ts',
    ]),
  );
});

test('every file is run once, most rules and stories together, and what starts programmes alone', () => {
  const files = globSync('{contract,server,sandbox,sdk,scripts}/**/*.test.ts', {
    cwd: repository,
    exclude: ['**/node_modules/**'],
  });
  const { alone, together } = shareProcesses(files, { processes: everyKind(3), root: repository });
  const shared = together.flatMap((each) => each.files);
  assert.equal(together.filter(({ kind }) => kind === 'plain').length, 3);
  assert.deepEqual([...alone, ...shared].sort(), files.sort());
  assert.ok(alone.length < files.length / 7, `most processes are saved, but ${alone.length} are not`);
  const inCompany = [
    'server/src/money/decimal.test.ts',
    'server/test/checkout-late.test.ts',
    'server/test/transfer-kill.sampled.test.ts',
    'server/test/browser-exceptions.sampled.test.ts',
    'server/test/networks/stellar.conformance.sampled.test.ts',
  ];
  for (const each of inCompany) assert.ok(shared.includes(each), each);
  for (const own of ['server/test/kill-nine.sampled.test.ts', 'server/test/frozen-process.sampled.test.ts'])
    assert.ok(alone.includes(own), own);
  assert.deepEqual(shareProcesses(files, { processes: {}, root: repository }).together, []);
});

const begin = "import assert from 'node:assert/strict';\nimport { afterEach, test } from 'node:test';\n";
const books = `${begin}afterEach(({ name }) => console.log(\`books after \${name}\`));`;

/** These files, told together by a process of their own as `npm test` does it. */
const tell = (files: Readonly<Record<string, string>>) =>
  withFiles({ 'server/test/gateway.ts': books, ...files }, (root) => {
    const module = JSON.stringify(new URL('tell-together.ts', import.meta.url));
    const names = JSON.stringify(Object.keys(files));
    const programme = `import { tellTogether } from ${module};\ntellTogether(${names}, ${JSON.stringify(root)});`;
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const args = ['--test-reporter=tap', '--test-force-exit', '--input-type=module', '--eval', programme];
    return spawnSync(process.execPath, args, { encoding: 'utf8', env });
  });

test('a file that fails in company fails under its own name, and keeps nobody from telling the rest', async () => {
  const ran = await tell({
    'wrong.test.ts': `${begin}test('two is three', () => assert.equal(2, 3));`,
    'broken.test.ts': `${begin}throw new Error('cannot be loaded');`,
    'hooked.test.ts': `${begin}let told = 0;\nafterEach(() => { told += 1; assert.equal(told, 1, 'only after my own'); });\ntest('hooked', () => {});`,
    'right.test.ts': `${begin}test('two is two', () => assert.equal(2, 2));`,
  });
  assert.equal(ran.status, 1, ran.stderr);
  const verdicts = [...ran.stdout.matchAll(/^ *(ok|not ok) \d+ - (.*)$/gm)].map(
    ([, verdict, name]) => `${verdict} ${name}`,
  );
  assert.deepEqual(verdicts, [
    ...['not ok two is three', 'not ok wrong.test.ts'],
    ...['not ok it can be loaded', 'not ok broken.test.ts'],
    ...['ok hooked', 'ok hooked.test.ts'],
    ...['ok two is two', 'ok right.test.ts'],
  ]);
  assert.match(ran.stdout, /^# fail 2$/m, 'one summary counts them all');
  for (const name of ['two is three', 'hooked', 'two is two'])
    assert.ok(ran.stdout.includes(`books after ${name}\n`), `the books are checked after ${name}`);
});

test('an error that nobody catches fails the run, whatever the tests say', async () => {
  const stray =
    "test('stray', async () => { await null; void Promise.reject(new Error('lost')); await new Promise(setImmediate); });";
  const ran = await tell({ 'stray.test.ts': begin + stray });
  assert.deepEqual([ran.status, /lost/.test(ran.stdout)], [1, true], ran.stdout);
});
