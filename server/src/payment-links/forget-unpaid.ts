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

export async function forgetUnpaid(db: Pick<Db, 'begin'>, before: Date): Promise<void> {
  /** Until when all were looked at. Those that must stay are many, and each look at one of them asks ten tables. */
  let from = new Date(0);
  const forgetSome = (): Promise<number> =>
    db.begin(async (tx) => {
      const found = await lockForgettable(tx, { from, before }, atOnce);
      if (found.length === 0) return 0;
      await noteForgotten(tx, found);
      await deleteUnpaid(tx, found);
      from = found.at(-1)?.createdAt ?? from;
      return found.length;
    });
  while ((await forgetSome()) === atOnce);
}
