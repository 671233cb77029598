import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  listPage,
  type PageRange,
  pageBytes,
  pageOf,
  readPageCursor,
  rowsOfPage,
  writePageCursor,
} from './page-cursor.ts';

test('a moment without an offset is one of UTC, wherever the server stands', async () => {
  const before = process.env['TZ'];
  process.env['TZ'] = 'America/New_York';
  try {
    const ranges: PageRange[] = [];
    const ask = (from: string, to: string) =>
      listPage(
        { limit: 1, from, to },
        async (range) => {
          ranges.push(range);
          return [];
        },
        async () => [],
      );
    await ask('2026-01-31', '2026-01-31T12:00');
    await ask('2026-01-31T12:00:00.5', '2026-01-31T12:00:00+01:00');
    assert.deepEqual(
      ranges.map(({ from, to }) => [from?.toISOString(), to?.toISOString()]),
      [
        ['2026-01-31T00:00:00.000Z', '2026-01-31T12:00:00.000Z'],
        ['2026-01-31T12:00:00.500Z', '2026-01-31T11:00:00.000Z'],
      ],
    );
  } finally {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  }
});

const row = (minute: number, id = 'aaaabbbbcccc') => ({ createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute)), id });

test('a cursor is read as it was written, and none is the beginning', () => {
  assert.deepEqual(readPageCursor(writePageCursor(row(7))), row(7));
  assert.equal(readPageCursor(undefined), null);
  assert.deepEqual(readPageCursor('0.abcdefghijkl'), { createdAt: new Date(0), id: 'abcdefghijkl' });
  assert.deepEqual(readPageCursor('zzzzzzzzz.abcdefghijkl')?.createdAt.getUTCFullYear(), 5188);
});

test('whatever is no cursor of ours is refused', () => {
  for (const cursor of [
    '',
    '.',
    '1',
    '1.short',
    '.abcdefghijkl',
    'A.abcdefghijkl',
    '1 .abcdefghijkl',
    '-1.abcdefghijkl',
  ])
    assert.throws(() => readPageCursor(cursor), /cursor must be/, cursor);
  assert.throws(() => readPageCursor('0000000000.abcdefghijkl'), /cursor must be/);
});

test('there is a next page only where one more was found than was asked for', () => {
  const rows = [row(3), row(2), row(1)];
  assert.deepEqual(pageOf(rows, 2), { items: rows.slice(0, 2), next: writePageCursor(row(2)) });
  assert.deepEqual(pageOf(rows, 3), { items: rows, next: null });
  assert.deepEqual(pageOf([], 3), { items: [], next: null });
  assert.deepEqual(pageOf(rows, 0), { items: [], next: null });
});

test('a page is selected with one row more, and loaded without what is gone by then', async () => {
  const asked: PageRange[] = [];
  const select = async (range: PageRange) => {
    asked.push(range);
    return [row(3, 'cccccccccccc'), row(2, 'bbbbbbbbbbbb'), row(1, 'aaaaaaaaaaaa')];
  };
  const load = async (keys: readonly { id: string }[]) => keys.map(({ id }) => (id.startsWith('b') ? undefined : id));
  const cursor = writePageCursor(row(9));
  const page = await listPage({ limit: 2, cursor }, select, load);
  assert.deepEqual(page, { items: ['cccccccccccc'], next: writePageCursor(row(2, 'bbbbbbbbbbbb')) });
  assert.deepEqual(asked, [{ from: null, to: null, before: row(9), limit: 3 }]);
});

test('what is no time is refused, by the name of its field', async () => {
  const ask = (query: { from?: string; to?: string }) =>
    listPage(
      { limit: 1, ...query },
      async () => [],
      async () => [],
    );
  await assert.rejects(ask({ from: 'soon' }), /from must be a time such as .* but is "soon"/);
  await assert.rejects(ask({ to: '2026-13-01' }), /to must be a time/);
});

test('a page ends where it has enough bytes, and its last row may fill it to the byte', () => {
  const sized = (...bytes: number[]) =>
    rowsOfPage(
      bytes.map((each) => ({ bytes: each })),
      100,
    );
  assert.equal(sized(pageBytes), 1);
  assert.equal(sized(pageBytes - 1, 1), 2, 'exactly as much as fits');
  assert.equal(sized(pageBytes - 1, 2), 1, 'one byte more');
  assert.equal(sized(pageBytes + 1, 1), 1, 'a row that is too long by itself is a page of one');
  assert.equal(sized(1, pageBytes * 9), 1, 'and ends the page before it');
  assert.equal(rowsOfPage([{}, {}, {}], 2), 2, 'where nobody says how long rows are, they are counted');
});

test('whoever follows next sees every row once, whatever the rows weigh', () => {
  const rows = fc.array(fc.record({ bytes: fc.oneof(fc.nat(2_000), fc.nat(pageBytes + 9)) }), { maxLength: 60 });
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 20 }), (sizes, limit) => {
      const all = sizes.map((size, index) => ({ ...size, id: `row${index}`, createdAt: new Date(0) }));
      const seen: string[] = [];
      for (let from = 0, isMore = true; isMore; from = seen.length) {
        const page = pageOf(all.slice(from, from + limit + 1), limit);
        const bytes = page.items.reduce((sum, item) => sum + item.bytes, 0);
        assert.ok(page.items.length === 1 || bytes <= pageBytes);
        assert.ok(page.items.length <= limit);
        seen.push(...page.items.map(({ id }) => id));
        isMore = page.next !== null;
        assert.equal(isMore, seen.length < all.length);
      }
      assert.deepEqual(
        seen,
        all.map(({ id }) => id),
      );
    }),
  );
});
