/**
 * Anybody can press a link, again and again, and each press makes a checkout. Those for which nobody chooses a way to pay
 * within a day are swept away: no address was shown, so no money can be on its way, and an account's list is not as long as
 * strangers like. How many there were stays counted.
 */
import { lockUnchosen } from '../checkouts/unchosen-store.ts';
import type { Db } from '../db/database.ts';
import { addMs, hours } from '../lib/clock.ts';
import { deleteUnpaid } from './delete-unpaid.ts';

const keptMs = hours(24);
const atOnce = 50;

export async function sweepUnchosen(db: Db, now: Date): Promise<void> {
  const sweepSome = (): Promise<number> =>
    db.begin(async (tx) => {
      const keys = await lockUnchosen(tx, addMs(now, -keptMs), atOnce);
      if (keys.length > 0) await deleteUnpaid(tx, keys);
      return keys.length;
    });
  while ((await sweepSome()) === atOnce);
}
