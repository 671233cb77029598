/** The transaction of what a person does. Whoever was signed out, put out or given another role meanwhile does nothing. */
import type { Db, Query, Tx } from '../../db/database.ts';
import type { Session } from '../../people/session.ts';
import { demandSession } from './account-request.ts';

type SignedIn = { readonly session: Pick<Session, 'id' | 'notFor'> };

export const inSession =
  (db: Db, signedIn: SignedIn) =>
  <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    db.begin(async (tx) => {
      await demandSession(tx, signedIn);
      return work(tx);
    });

/** The database as this person changes it, for use cases that begin their own transactions. */
export function heldBySession(db: Db, signedIn: SignedIn): Db {
  const query: Query = (strings, ...values) => db(strings, ...values);
  return Object.assign(query, db, { begin: inSession(db, signedIn) });
}
