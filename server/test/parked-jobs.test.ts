import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listJobs, retryParkedJob } from '../src/jobs/job-store.ts';
import { createTestDatabase } from './test-database.ts';

test('a parked job heads the list, and runs again only when it is parked', async () => {
  const { db, drop } = await createTestDatabase();
  try {
    const now = new Date('2026-03-01T12:00:00Z');
    await db`
      insert into job (name, payload, run_at, attempts, last_error, parked_reason)
      values ('checkout.advance', '{}', ${now}, 0, null, null),
             ('webhook.deliver', '{}', ${now}, 7, 'gone', 'gone')`;
    const [parked, due] = await listJobs(db, now, 10);
    assert.deepEqual([parked?.name, parked?.state, parked?.lastError], ['webhook.deliver', 'parked', 'gone']);
    assert.equal(due?.state, 'due');

    assert.equal(await retryParkedJob(db, parked?.id ?? '', now), true);
    assert.equal(await retryParkedJob(db, parked?.id ?? '', now), false);
    const states = (await listJobs(db, now, 10)).map(({ state, attempts }) => [state, attempts]);
    assert.deepEqual(states, [
      ['due', 0],
      ['due', 0],
    ]);
  } finally {
    await drop();
  }
});
