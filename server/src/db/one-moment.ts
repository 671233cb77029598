/** What must agree with itself: all that is read there is of one moment, whatever others commit meanwhile. */
import type { Db, Tx } from './database.ts';

export const inOneMoment = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.begin(async (tx) => {
    await tx`set transaction isolation level repeatable read`;
    return work(tx);
  });
