/** An exchange at a venue has ended: it is booked, and whoever asked for it goes on. */
import type { Db } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { postEntries } from '../ledger/ledger-store.ts';
import type { Clock } from '../lib/clock.ts';
import { endExchange } from '../venues/exchange-on-stellar.ts';

export async function recordExchange(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { transferId }: { readonly transferId: string },
): Promise<void> {
  const now = clock.now();
  await db.begin(async (tx) => {
    const ended = await endExchange(tx, transferId, now);
    if (!ended) return; // This job ran before and only its acknowledgement was lost.
    const { order, entry } = ended;
    const { merchantId, ownerId } = order;
    await postEntries(tx, entry ? [entry] : [], now);
    await enqueue(tx, [
      order.purpose === 'swap'
        ? { name: 'swap.advance', payload: { merchantId, swapId: ownerId }, runAt: now }
        : { name: 'checkout.advance', payload: { merchantId, checkoutId: ownerId }, runAt: now },
    ]);
  });
}
