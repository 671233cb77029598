/**
 * A file of any length is made and fetched in the memory of a part. What is alive is asked after everything else was collected:
 * how much a process holds on to besides depends on when it last had a reason to clean up.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { makeExport } from '../src/account/exports/make-export.ts';
import { RunLater } from '../src/jobs/job-runner.ts';
import { present } from '../src/lib/assert.ts';
import { createLog } from '../src/lib/log.ts';
import { exportStream } from '../src/reports/export-file.ts';
import { findExport } from '../src/reports/export-store.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { openShop, type Shop } from './shop.ts';
import { assets } from './statement-world.ts';
import { turns } from './until.ts';

const rows = 40_000;
/** Where it is compared with the end: by then all that is kept for the next part is there. */
const early = 10_000;
/** A few for each further row: whatever was kept of a row would be more. */
const allowedBytes = 1_500_000;

let gateway: Gateway;
let shop: Shop;
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin });
  shop = await openShop(gateway);
  const { merchantId } = shop.merchant;
  const id = await shop.create('60.00 USD');
  await gateway.db.script(`
    alter table checkout disable trigger all;
    create temporary table sample as select * from checkout where merchant_id = '${merchantId}' and id = '${id}';
    update sample set quotes = '[]';
    do $$ begin
      for part in 0..${rows / 10_000 - 1} loop
        insert into checkout select (jsonb_populate_record(sample, jsonb_build_object(
            'id', 'm' || lpad((part * 10000 + n)::text, 11, '0'),
            'created_at', sample.created_at - make_interval(secs => part * 10000 + n)))).*
          from sample, generate_series(1, 10000) as n;
      end loop;
    end $$;
    alter table checkout enable trigger all;
    analyze checkout`);
});
after(() => gateway?.stop());

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What is alive, in bytes: objects, and buffers outside of the heap. */
function alive(): number {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function made(list: string, look: (rowsDone: number) => void): Promise<string> {
  const { merchantId } = shop.merchant;
  const { export: asked } = await shop.post('/reports/exports', { list });
  const { db, clock } = gateway;
  for (const _ of turns()) {
    const isOver = await makeExport(
      { db, clock, assets, log: createLog('error') },
      { merchantId, exportId: asked.id },
      { attempt: 1 },
    )
      .then(() => true)
      .catch((error: unknown) => {
        if (error instanceof RunLater) return false;
        throw error;
      });
    look(present(await findExport(db, merchantId, asked.id), 'the export').rowsDone);
    if (isOver) break;
  }
  return asked.id;
}

test('a file of forty thousand rows is made and fetched in the memory that ten thousand take', async () => {
  const seen: (readonly [rows: number, bytes: number])[] = [];
  const id = await made('checkouts', (rowsDone) => {
    if (rowsDone % 5_000 < 2_000) seen.push([rowsDone, alive()]);
  });
  const bytesAt = (from: number, to: number): number =>
    Math.max(...seen.filter(([done]) => done >= from && done <= to).map(([, bytes]) => bytes));
  const [first, last] = [bytesAt(1, early), bytesAt(rows - early + 1, rows + 1)];
  assert.ok(last - first < allowedBytes, `${first} bytes were alive after ${early} rows, ${last} after ${rows}`);

  const file = present(await findExport(gateway.db, shop.merchant.merchantId, id), 'the export');
  assert.deepEqual([file.state, file.rowsDone], ['READY', rows + 1]);
  const fetched: number[] = [];
  let bytes = 0;
  for await (const piece of exportStream(gateway.db, file, gateway.clock.now())) {
    bytes += piece.length;
    fetched.push(alive());
  }
  assert.equal(bytes, file.bytes);
  const [beginning = 0] = fetched;
  assert.ok(Math.max(...fetched) - beginning < allowedBytes, `${beginning} bytes, then ${Math.max(...fetched)}`);
});
