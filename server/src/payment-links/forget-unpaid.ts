/**
 * Checkouts that merchants made and for which nobody ever chose a way to pay are forgotten after a while, whole: no address was
 * shown, so nothing can come. Where one was chosen, everything stays, because what comes late is credited, and the shop is
 * told of it with what it posted. How many there were stays counted.
 */
import { lockForgettable, noteForgotten } from '../checkouts/unchosen-store.ts';
import type { Db } from '../db/database.ts';
import { deleteUnpaid } from './delete-unpaid.ts';

/** Few: each may be as long as a request, and what it is found by is read from it. */
const atOnce = 50;

export async function forgetUnpaid(db: Db, before: Date): Promise<void> {
  const forgetSome = (): Promise<number> =>
    db.begin(async (tx) => {
      const keys = await lockForgettable(tx, before, atOnce);
      if (keys.length === 0) return 0;
      await noteForgotten(tx, keys);
      await deleteUnpaid(tx, keys);
      return keys.length;
    });
  while ((await forgetSome()) === atOnce);
}
