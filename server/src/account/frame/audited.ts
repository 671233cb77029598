/** The transaction of what a person does, with a row of the audit log in it. For use cases that do not write one. */
import type { Db, Tx } from '../../db/database.ts';
import { personActor } from '../../http/actor.ts';
import type { Clock } from '../../lib/clock.ts';
import { insertAudit } from '../../merchants/merchant-store.ts';
import type { MemberContext } from './account-route.ts';
import { inSession } from './in-session.ts';

export const audited =
  (
    { db, clock }: { readonly db: Db; readonly clock: Clock },
    { merchant, signedIn }: Pick<MemberContext, 'signedIn'> & { readonly merchant: { readonly id: string } },
    action: string,
    detail: Record<string, unknown>,
  ) =>
  <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    inSession(
      db,
      signedIn,
    )(async (tx) => {
      const result = await work(tx);
      const actor = personActor(signedIn.person.id);
      await insertAudit(tx, { merchantId: merchant.id, at: clock.now(), actor, action, detail });
      return result;
    });
