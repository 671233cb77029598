/** The table of settings in docs/operations.md. `npm run settings` writes it; a test compares it with the list. */
import { readFile, writeFile } from 'node:fs/promises';
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

export const documentedTable = async (): Promise<string | undefined> =>
  inDocument.exec(await readFile(document, 'utf8'))?.[0];

if (import.meta.main) {
  const text = await readFile(document, 'utf8');
  await writeFile(
    document,
    text.replace(inDocument, () => settingsTable()),
  );
}
