/** The transaction of what a person does. Whoever was signed out, put out or given another role meanwhile does nothing. */
import type { Db, Tx } from '../db/database.ts';
import { demandSession } from './account-request.ts';

type SignedIn = { readonly session: { readonly id: string } };

export const inSession =
  (db: Db, signedIn: SignedIn) =>
  <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    db.begin(async (tx) => {
      await demandSession(tx, signedIn);
      return work(tx);
    });
