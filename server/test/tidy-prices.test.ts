/**
 * One way from a rate to an amount: no program outside of `pricing` reads what a rate says, so that no door of the house
 * is cheaper than another. See docs/decisions/0147.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';

const source = new URL('../src/', import.meta.url);

/** The price of a rate, a side of it, its margin, or the two sides of a conversion. */
const readsRate = /\.(?:usd|low|high|margin|fromUsd|toUsd|paidUsd|creditedUsd|billedUsd)\b/;
const takesApart = /\b(?:lowUsd|highUsd|marginOf|findRateHours|findHoursSince)\b|\{[^{}]*\busd\b[^{}]*\}\s*(?:=|\))/;

/** What they do with it. None of them makes an amount that anybody gives or gets. */
const readers: Readonly<Record<string, string>> = {
  'account/reports': 'shows it',
  'checkouts/checkout-record.ts': 'shows what was used',
  emails: 'shows it',
  'operator/rates-page.ts': 'shows what the sources say',
  'payment-page/public-rate.ts': 'shows the rate of a quote',
  'reports/checkout-ledger.ts': 'shows what was used',
};

/** As a name, by which two that are the same are found, or in a note for the record. */
const namesOrNotes = /`\$\{[^`]*`|rates\.set\(/;

const isReader = (path: string): boolean => Object.keys(readers).some((reader) => path.startsWith(reader));

const paths = (await readdir(source, { recursive: true })).filter(
  (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('pricing/'),
);
const programs = await Promise.all(
  paths.map(async (path) => ({ path, text: await readFile(new URL(path, source), 'utf8') })),
);

test('only pricing makes amounts of rates', () => {
  const wrong = programs.flatMap(({ path, text }) => {
    const isOfRates = /\/pricing\/|rateOf|KeptRate|UsedRate/.test(text);
    const reads = (line: string): boolean => readsRate.test(line) || takesApart.test(line);
    const lines = text.split('\n').filter((line) => reads(line) && !namesOrNotes.test(line));
    return isOfRates && lines.length > 0 && !isReader(path) ? lines.map((line) => `${path}: ${line.trim()}`) : [];
  });
  assert.deepEqual(wrong, []);
});
