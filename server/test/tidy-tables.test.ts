/** The rules of the house about what is stored, checked: every table is written by one slice. See ARCHITECTURE.md. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';

const source = new URL('../src/', import.meta.url);

const filesIn = async (folder: URL, ending: string): Promise<{ path: string; text: string }[]> =>
  Promise.all(
    (await readdir(folder, { recursive: true }))
      .filter((path) => path.endsWith(ending) && !path.endsWith('.test.ts'))
      .map(async (path) => ({ path, text: await readFile(new URL(path, folder), 'utf8') })),
  );

const migrations = await filesIn(new URL('db/migrations/', source), '.sql');
const programs = await filesIn(source, '.ts');

const tables = migrations.flatMap(({ text }) => [...text.matchAll(/create table (\w+)/g)].map(([, table]) => table));

/** By a trigger, in the statement that changes what it counts. */
const writtenByTrigger = ['checkout_rail', 'deposit_total', 'stored_bytes'];

/** The slices that write a table. */
function writersOf(table: string): string[] {
  const writing = new RegExp(`\\b(insert\\s+into|update|delete\\s+from|merge\\s+into|truncate)\\s+${table}\\b`, 'i');
  const paths = programs.filter(({ text }) => writing.test(text)).map(({ path }) => path);
  return [...new Set(paths.map((path) => path.split('/')[0] ?? path))];
}

test('one table, one writer: every table is written by one slice, and the others ask it to', () => {
  assert.ok(tables.length > 40, tables.join());
  const wrong = tables.flatMap((table) => {
    const writers = writersOf(table ?? '');
    const expected = writtenByTrigger.includes(table ?? '') ? 0 : 1;
    return writers.length === expected ? [] : [`${table} is written by ${writers.join(', ') || 'nobody'}`];
  });
  assert.deepEqual(wrong, []);
});
