/** Orders of the operator that only the running service can take, because it knows the networks: put to it, and awaited. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@quittance/server/db/database';
import { enqueue } from '@quittance/server/jobs/enqueue';
import type { JobCatalog } from '@quittance/server/jobs/job-catalog';
import { orderJob } from '@quittance/server/jobs/job-store';
import { systemClock as clock } from '@quittance/server/lib/clock';
import { CommandError } from './command-line.ts';

const patienceMs = 60_000;

type OrderName = 'withdrawal.request' | 'return.request';

/** What became of it; what was refused is refused with the same sentence. */
export async function askForOrder<Taken>(
  db: Db,
  name: OrderName,
  payload: JobCatalog[OrderName],
  look: {
    readonly taken: (db: Db, id: string) => Promise<Taken | undefined>;
    readonly whyDeclined: (db: Db, id: string) => Promise<string | undefined>;
  },
): Promise<Taken> {
  const { transferId: id } = payload;
  await db.begin((tx) => enqueue(tx, [{ name, payload, runAt: clock.now() } as Parameters<typeof enqueue>[1][number]]));
  const until = clock.now().getTime() + patienceMs;
  for (;;) {
    const job = await orderJob(db, name, id);
    const taken = job === null ? await look.taken(db, id) : undefined;
    if (taken) return taken;
    const why = job === null ? await look.whyDeclined(db, id) : undefined;
    if (why !== undefined) throw new CommandError(why);
    if (job?.isParked) throw new CommandError(job.lastError ?? 'It was refused.');
    if (clock.now().getTime() > until)
      throw new CommandError(
        `The service has not looked at it yet, and will send it when it does: see job list${job?.lastError ? `. ${job.lastError}` : '. Is a worker running?'}`,
      );
    await sleep(100);
  }
}
