import type { Db } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { lockGivenUp, markReplaced } from './delivery-list-store.ts';
import { deliveryJob } from './record-event.ts';
import { insertRedeliveries } from './webhook-store.ts';

/** So many in one transaction. */
const batchMax = 500;

/**
 * Sends everything again that was given up since then. Of each subject only the newest event: the shop would otherwise
 * go back to what is no longer true. Where that one has arrived, or is on its way, nothing is missing and nothing is
 * sent.
 */
export async function redeliverFailed(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  merchantId: string,
  since: Date,
): Promise<{ readonly sent: number }> {
  for (let sent = 0; ; ) {
    const { found, again } = await redeliverSome({ db, clock }, merchantId, since);
    sent += again;
    if (found < batchMax) return { sent };
  }
}

async function redeliverSome(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  merchantId: string,
  since: Date,
): Promise<{ found: number; again: number }> {
  const at = clock.now();
  return db.begin(async (tx) => {
    const givenUp = await lockGivenUp(tx, merchantId, since, batchMax);
    if (givenUp.length === 0) return { found: 0, again: 0 };
    const again = new Map<string, string>();
    for (const { newest } of givenUp)
      if (newest.state === 'FAILED' && !again.has(newest.id)) again.set(newest.id, newId());
    const redeliveries = Array.from(again, ([deliveryId, id]) => ({ deliveryId, id }));
    await insertRedeliveries(tx, merchantId, redeliveries, at);
    const replaced = givenUp.map(({ id, newest }) => ({ id, by: again.get(newest.id) ?? newest.id }));
    await markReplaced(tx, merchantId, replaced);
    await enqueue(
      tx,
      redeliveries.map(({ id }) => deliveryJob({ merchantId, deliveryId: id, at })),
    );
    return { found: givenUp.length, again: again.size };
  });
}
