import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listPage, type PageRange } from './page-cursor.ts';

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
