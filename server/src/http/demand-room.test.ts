import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Query } from '../db/database.ts';
import { GatewayError } from '../lib/errors.ts';
import { createDemandRoom } from './demand-room.ts';

/** A database that has stored so much, and is asked. */
function storing(stored: { bytes: number; megabytesMax?: number }) {
  let asked = 0;
  const db = (async () => {
    asked += 1;
    return [{ bytes: String(stored.bytes), megabytesMax: stored.megabytesMax ?? null }];
  }) as unknown as Query;
  return { db, asked: () => asked };
}

const refused = (error: unknown): boolean => error instanceof GatewayError && error.code === 'storage_full';

test('what fits to the byte is stored, and one byte more is not', async () => {
  for (const [stored, bytes, fits] of [
    [999, 1, true],
    [999, 2, false],
    [1_000, 0, true],
    [1_000, 1, false],
    [0, 1_000, true],
    [0, 1_001, false],
  ] as const) {
    const demandRoom = createDemandRoom({ db: storing({ bytes: stored }).db, bytesMax: 1_000, nowMs: () => 0 });
    if (fits) await demandRoom('merchant', bytes);
    else await assert.rejects(demandRoom('merchant', bytes), refused);
  }
});

test('what comes at the same moment is added up, and what was refused is not', async () => {
  const { db, asked } = storing({ bytes: 900 });
  const demandRoom = createDemandRoom({ db, bytesMax: 1_000, nowMs: () => 0 });
  const sizes = [60, 60, 30, 11, 10];
  const outcomes = await Promise.allSettled(sizes.map((bytes) => demandRoom('merchant', bytes)));
  assert.deepEqual(
    sizes.filter((_, index) => outcomes[index]?.status === 'fulfilled'),
    [60, 30, 10],
  );
  assert.equal(asked(), 1, 'for all of them the database is asked once');
  await demandRoom('another', 100);
});

test('after a second the database is asked again, and what was forgotten makes room', async () => {
  const stored = { bytes: 1_000 };
  let now = 0;
  const demandRoom = createDemandRoom({ db: storing(stored).db, bytesMax: 1_000, nowMs: () => now });
  await assert.rejects(demandRoom('merchant', 1), refused);
  stored.bytes = 500;
  await assert.rejects(demandRoom('merchant', 1), refused);
  now = 1_000;
  await demandRoom('merchant', 500);
  await assert.rejects(demandRoom('merchant', 1), refused);
});
