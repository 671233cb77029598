/** The table of settings in docs/operations.md. `npm run settings` writes it; a test compares it with the list. */
import { readFileSync, writeFileSync } from 'node:fs';
import { settings } from '@quittance/server/settings';

const document = new URL('../docs/operations.md', import.meta.url);
const inDocument = /^\| setting \|.*\n(?:\|.*\n)*/m;
const cell = (text: string): string => text.replaceAll(/[|*<]/g, String.raw`\$&`);

export const settingsTable = (): string =>
  [
    '| setting | default | meaning |',
    '|---|---|---|',
    ...settings.map(({ name, fallback, meaning }) => `| \`${name}\` | ${cell(fallback)} | ${cell(meaning)} |`),
    '',
  ].join('\n');

const read = (): string => readFileSync(document, 'utf8');

export const documentedTable = (): string | undefined => inDocument.exec(read())?.[0];

if (import.meta.main)
  writeFileSync(
    document,
    read().replace(inDocument, () => settingsTable()),
  );
