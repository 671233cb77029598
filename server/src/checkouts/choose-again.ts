/**
 * The payer goes back to a way to pay that was chosen before and is still good. Its address is given again, so there is no
 * new commitment; that it is the choice now is noted, so that every open page of the checkout shows the same address.
 */
import type { Db } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import type { Commitment } from './checkout.ts';
import type { CheckoutKey } from './checkout-store.ts';
import { addToTimeline, findChosenAgain } from './timeline-store.ts';

export async function chooseAgain(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  checkout: CheckoutKey,
  { id, network, asset }: Pick<Commitment, 'id' | 'network' | 'asset'>,
): Promise<void> {
  await db.begin(async (tx) => {
    if ((await findChosenAgain(tx, checkout)) === id) return;
    const note = { what: 'chosen_again', why: { network, asset, commitmentId: id } };
    await addToTimeline(tx, checkout, [note], clock.now());
  });
}
