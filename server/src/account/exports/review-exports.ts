/** Somebody lost a role or a key: files of who may not have them any more are not kept, whether they are ready or being made. */
import type { Db } from '../../db/database.ts';
import type { JobCatalog } from '../../jobs/job-catalog.ts';
import type { Clock } from '../../lib/clock.ts';
import { dropExport } from '../../reports/end-export.ts';
import { listLiveExports } from '../../reports/export-store.ts';
import { mayHave } from './make-export.ts';

export async function reviewExports(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { merchantId }: JobCatalog['export.review'],
): Promise<void> {
  for (const made of await listLiveExports(db, merchantId))
    if (!(await mayHave({ db }, made))) await db.begin((tx) => dropExport(tx, made, clock.now()));
}
