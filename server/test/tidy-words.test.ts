/** One word, one meaning (docs/glossary.md): the words that once had several, and where they may be used. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../src', import.meta.url));
const entries = await readdir(source, { recursive: true, withFileTypes: true });
const programs = await Promise.all(
  entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map(async (path) => ({ path: relative(source, path), text: await readFile(path, 'utf8') })),
);

/** `others`: names that are stored, which the previous release knows, and words of others. They do not count. */
type Word = { readonly word: RegExp; readonly others: RegExp; mayBeIn(path: string): boolean };

/** The SQL of what a transaction uses up, which is stored as its claims. */
const storesOfUses = [
  'sending/coin-store.ts',
  'sending/outgoing-transaction-store.ts',
  'sending/transaction-fate-store.ts',
];

const words: Readonly<Record<string, Word>> = {
  'a claim is of a refund; a claimable balance is of Stellar': {
    word: /claim/i,
    others: /claimed_by|claimed_until|claim_expires_at|claimExp\w+|'CLAIMABLE'/g,
    mayBeIn: (path) =>
      /refund|claim|way-back|^networks\/stellar\/|^web\/texts\/|^checkouts\/checkout-rows|^page-routes/.test(path) ||
      /^account\/(checkouts\/one-checkout-|texts\/(?:\w+\/)?\w+-checkout-)/.test(path) ||
      storesOfUses.includes(path),
  },
  'a transfer is of a merchant, or of EIP-20; others send payouts and see arrivals': {
    word: /transfer/i,
    others: /outgoing_transfer|stray_transfer|transferIds?\b|'transfers?'|transfers: count/g,
    mayBeIn: (path) =>
      !/^(sending|payments|watching|deposits|venues|bridge|networks)\//.test(path) ||
      path.includes('/evm/') ||
      path.endsWith('/bank-payer-texts.ts'), // In Spanish and Portuguese it is what a payer makes at a bank.
  },
  'a promise is of the treasury; what payouts will take is unsent': {
    word: /promised|promisable|promises\b/i,
    others: /(?:timers|fs|dns)\/promises/g,
    mayBeIn: (path) => !/^(sending|watching|payments|bridge)\//.test(path),
  },
};

/** Comments are for people, who know from the sentence what is meant. */
const withoutComments = (text: string): string => text.replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');

for (const [meaning, { word, others, mayBeIn }] of Object.entries(words))
  test(meaning, () => {
    const wrong = programs
      .filter(({ path }) => !mayBeIn(path))
      .flatMap(({ path, text }) =>
        withoutComments(text)
          .replaceAll(others, '')
          .split('\n')
          .filter((line) => word.test(line))
          .map((line) => `${path}: ${line.trim()}`),
      );
    assert.deepEqual(wrong, []);
  });
