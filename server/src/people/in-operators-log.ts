/** The transaction of what a command does, with its row in the operator's audit log, as the pages of the staff leave one. */
import type { Db, Tx } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { operatorId } from './audit-sign-in.ts';

export const inOperatorsLog =
  (
    { db, clock }: { readonly db: Db; readonly clock: Clock },
    action: string,
    detail: Readonly<Record<string, unknown>>,
  ) =>
  <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    db.begin(async (tx) => {
      const result = await work(tx);
      await insertAudit(tx, { merchantId: operatorId, at: clock.now(), actor: 'operator', action, detail });
      return result;
    });
