/** What lists of deliveries cost, as the rows that PostgreSQL reads for them: the same on every machine. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Query } from '../db/database.ts';
import { countOpenDeliveries, listDeliveries, newestUrl } from './delivery-list-store.ts';
import { givenUpUrls } from './undelivered-store.ts';

const stored = 20_000;
const merchantId = 'a-busy-shop1';
const page = { before: null, limit: 51 };
const middle = { ...page, before: { createdAt: new Date('2026-01-05'), id: 'x' } };

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
  const made = `timestamptz '2026-01-01' + n * interval '1 minute'`;
  await database.db.script(`
    begin;
    set local session_replication_role = replica;
    insert into event (merchant_id, id, type, subject, body, created_at)
    select '${merchantId}', 'e' || n, 'CHECKOUT_COMPLETED', 's' || n, '{}', ${made} from generate_series(1, ${stored}) as n;
    insert into delivery (merchant_id, id, event_id, subject, url, api_key, state, attempts, created_at)
    select '${merchantId}', 'd' || n, 'e' || n, 's' || n, 'https://shop.example/hook', 'key',
           case n % 2000 when 1 then 'FAILED' when 2 then 'PENDING' else 'DELIVERED' end, 1, ${made}
      from generate_series(1, ${stored}) as n;
    commit;`);
});
after(() => database.drop());

/** Of deliveries, by this connection. */
async function readSoFar(query: Query): Promise<number> {
  const [row] = await query<{ read: number }>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as read
      from pg_stat_xact_user_tables where relname = 'delivery'`;
  return row?.read ?? 0;
}

for (const isKnown of [false, true])
  test(`no list reads more than it shows, ${isKnown ? 'analysed' : 'in a table that PostgreSQL knows nothing about yet'}`, async () => {
    if (isKnown) await database.db.script('analyze delivery; analyze event;');
    const { db } = database;
    const works: Record<string, (query: Query) => Promise<unknown>> = {
      all: (query) => listDeliveries(query, merchantId, 'all', page),
      'all, in the middle': (query) => listDeliveries(query, merchantId, 'all', middle),
      failed: (query) => listDeliveries(query, merchantId, 'failed', page),
      waiting: (query) => listDeliveries(query, merchantId, 'waiting', page),
      counted: (query) => countOpenDeliveries(query, merchantId, 1_000),
      'newest URL': (query) => newestUrl(query, merchantId),
      'given up': (query) => givenUpUrls(query, merchantId, new Date(0), 1_000),
    };
    for (const [name, work] of Object.entries(works)) {
      const read = await db.begin(async (tx) => {
        const before = await readSoFar(tx);
        await work(tx);
        return (await readSoFar(tx)) - before;
      });
      assert.ok(read < 300, `${name}: ${read} rows`);
    }
  });
