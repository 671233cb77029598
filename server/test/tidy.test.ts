/** The rules of the house that a reader relies on, checked. See ARCHITECTURE.md. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, normalize, relative, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { paymentUnits } from '../src/catalog/payment-units.ts';
import { registeredNetworks } from '../src/networks/registry.ts';
import { atLeastOne } from './at-least-one.ts';

const source = fileURLToPath(new URL('../src', import.meta.url));
const repository = fileURLToPath(new URL('../..', import.meta.url));

/** From the ground up. A slice imports from rows below its own, never from a neighbour on its row and never upwards. */
const floors: readonly (readonly string[])[] = [
  ['lib', 'money'],
  ['networks'],
  ['db'],
  ['http', 'jobs', 'ledger'],
  ['catalog', 'merchants', 'webhooks'],
  ['people'],
  ['auth', 'counterparties', 'pricing', 'deposits', 'web'],
  ['sending'],
  ['venues'],
  ['payments'],
  ['checkouts', 'wallets'],
  ['payment-links', 'watching'],
  ['settlements'],
  ['refunds', 'bridge', 'bank-files'],
  ['finding', 'payment-page', 'reports'],
  ['papers'],
  ['account', 'emails', 'invoices', 'site'],
  ['manual', 'operator'],
  ['app'],
];

/** The files directly in src: the configuration, the wiring and the program. */
const floorOf = (path: string): number => {
  const slice = path.includes(sep) ? (path.split(sep)[0] ?? '') : 'app';
  return floors.findIndex((floor) => floor.includes(slice));
};

async function typescriptFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name));
}

const files = await Promise.all(
  (await typescriptFiles(source)).map(async (path) => ({
    path: relative(source, path),
    text: await readFile(path, 'utf8'),
  })),
);
const programs = files.filter(({ path }) => !path.endsWith('.test.ts'));

test('every kind of advisory lock has a number of its own', () => {
  const classes = programs.flatMap(({ text }) => [...text.matchAll(/LockClass = (\d_?\d+)|lockClass = (\d_?\d+)/g)]);
  const numbers = classes.map(([, named, plain]) => named ?? plain);
  assert.ok(numbers.length >= 9, numbers.join());
  assert.deepEqual(new Set(numbers).size, numbers.length, numbers.join());
});

test('every slice has a floor, and imports only go down', () => {
  const wrong: string[] = [];
  for (const { path, text } of programs) {
    const own = floorOf(path);
    assert.notEqual(own, -1, `${path} lies in a slice that no floor knows`);
    for (const [, specifier] of text.matchAll(/^(?:import|export)[^;]*?from '(\.[^']+)'/gms)) {
      const target = normalize(join(dirname(path), specifier ?? ''));
      const isSameSlice = target.split(sep)[0] === path.split(sep)[0] || (!target.includes(sep) && !path.includes(sep));
      if (!isSameSlice && floorOf(target) >= own) wrong.push(`${path} imports ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('a file name is an address: no two files of the server share one', () => {
  const names = programs.map(({ path }) => basename(path));
  assert.deepEqual(
    names.filter((name, position) => names.indexOf(name) !== position),
    [],
  );
});

/** Stellar is what these are about. */
const aboutStellar = ['bridge', 'venues'];

/** What is in a program, without comments: an example may be named there, and in texts for people. */
const withoutComments = (text: string): string => text.replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');

test('a network is known by its folder alone: nobody above asks for one by its id, or for a unit of its own', () => {
  const ids = [...registeredNetworks.map(({ identity }) => identity.id), ...paymentUnits.keys()].join('|');
  // A whole text, a field that is read, a field that is written.
  const named = new RegExp(`(['"\`])(?:${ids})\\1|\\.(?:${ids})\\b|\\b(?:${ids})(?=:)`, 'g');
  const wrong = programs
    .filter(({ path }) => !['networks', ...aboutStellar].includes(path.split(sep)[0] ?? ''))
    .flatMap(({ path, text }) => Array.from(withoutComments(text).matchAll(named), ([id]) => `${path}: ${id}`));
  assert.deepEqual(wrong, []);
});

test('nobody above the networks imports one of them: the registry gives all alike', () => {
  const wrong = programs
    .filter(({ path }) => !['networks', ...aboutStellar].includes(path.split(sep)[0] ?? ''))
    .flatMap(({ path, text }) =>
      Array.from(text.matchAll(/from '([^']*\/networks\/[a-z0-9-]+\/[^']+)'/g), ([, specifier = '']) => specifier)
        .filter((specifier) => !specifier.includes('/networks/port/'))
        .map((specifier) => `${path} imports ${specifier}`),
    );
  assert.deepEqual(wrong, []);
});

test('objects are written plainly: none is spread into another where it is made', () => {
  const wrong = files.filter(({ text }) => /\.\.\.\{/.test(withoutComments(text))).map(({ path }) => path);
  assert.deepEqual(wrong, []);
});

/** What is left of a list, was found in a text or is answered may be nothing, and a loop over nothing proves nothing. */
test('a test that says something of each of what it found has found something', async () => {
  const found: string[] = [];
  for (const path of [
    ...(await typescriptFiles(source)),
    ...(await typescriptFiles(join(repository, 'server/test'))),
  ]) {
    if (!path.endsWith('.test.ts')) continue;
    const text = await readFile(path, 'utf8');
    const blocks = text.split(/\n(?=\w)/).filter((block) => /^(?:test|deepTest)\(/.test(block));
    // Of a loop within another one the outer one is asked.
    for (const [, list = '', body = ''] of blocks
      .join('\n')
      .matchAll(/^ {2}for \(const .*? of (.*)((?:\n(?: {3}.*)?)*)/gm)) {
      const mayBeNothing = /await |\.filter\(|\.matchAll\(/.test(list.replace(/\) (?:if \(|await |assert\b).*/, ''));
      const isProven = /^(?:atLeastOne\(|\[)/.test(list);
      if (mayBeNothing && !isProven && /\bassert\b/.test(list + body))
        found.push(`${relative(repository, path)}: ${list}`);
    }
  }
  assert.deepEqual(found, [], 'say atLeastOne(…) of it');
});

test('no file is named after nothing', () => {
  const vague = /(^|[-/])(service|manager|helpers?|utils?|types|common|misc)\.ts$|(^|\/)index\.ts$/;
  assert.deepEqual(
    programs.map(({ path }) => path).filter((path) => vague.test(path)),
    [],
  );
});

test('no file of the server is longer than 400 lines', () => {
  assert.deepEqual(
    files.filter(({ text }) => text.split('\n').length > 400).map(({ path }) => path),
    [],
  );
});

test('only main.ts reads the environment, and hands it to config.ts', () => {
  // What the manual shows is a text, for programs of others.
  const shown = join('manual', 'example-requests.ts');
  const readers = programs
    .filter(({ path, text }) => path !== shown && /process\.env/.test(text))
    .map(({ path }) => path);
  assert.deepEqual(readers.sort(), ['main.ts']);
});

test('money never meets a float', () => {
  const suspicious = /parseFloat\(|\.toFixed\(|Number\([^)]*(amount|units|price|total|usd)\b/i;
  assert.deepEqual(
    programs.filter(({ text }) => suspicious.test(text)).map(({ path }) => path),
    [],
  );
});

test('the contract imports nothing of ours', async () => {
  const folder = join(repository, 'contract', 'src');
  for (const path of atLeastOne(await typescriptFiles(folder))) {
    if (path.endsWith('.test.ts')) continue;
    const text = await readFile(path, 'utf8');
    assert.doesNotMatch(text, /from '(\.\.\/\.\.|@quittance)/, relative(repository, path));
  }
});

test('the SDK has no dependencies and imports nothing but Node and itself', async () => {
  const folder = join(repository, 'sdk', 'node');
  const { dependencies = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  assert.deepEqual(dependencies, {});
  for (const path of atLeastOne(await typescriptFiles(join(folder, 'src')))) {
    const text = await readFile(path, 'utf8');
    assert.doesNotMatch(text, /from '(?!node:|\.\/)/, relative(repository, path));
  }
});

test('the SDKs for PHP and Ruby need their languages and nothing else', async () => {
  const { require } = JSON.parse(await readFile(join(repository, 'sdk/php/composer.json'), 'utf8'));
  assert.deepEqual(Object.keys(require), ['php', 'ext-curl', 'ext-hash', 'ext-json']);
  assert.doesNotMatch(await readFile(join(repository, 'sdk/ruby/quittance.gemspec'), 'utf8'), /dependency/);
});

test('the server runs without the sandbox', () => {
  assert.deepEqual(
    programs.filter(({ text }) => text.includes('@quittance/sandbox')).map(({ path }) => path),
    [],
  );
});
