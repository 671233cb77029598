/** All SQL about what people do not want to see for a while. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';

export type HiddenNeed = {
  readonly personId: string;
  readonly item: string;
  readonly since: Date;
  readonly until: Date;
};

/** Of everybody in the account, past ones too. */
export async function listHiddenNeeds(query: Query, merchantId: string): Promise<HiddenNeed[]> {
  return query<HiddenNeed>`
    select person_id as "personId", item, since, until from hidden_need where merchant_id = ${merchantId}`;
}

export async function saveHiddenNeed(tx: Tx, merchantId: string, hidden: HiddenNeed): Promise<void> {
  await tx`
    insert into hidden_need (merchant_id, person_id, item, since, until)
    values (${merchantId}, ${hidden.personId}, ${hidden.item}, ${hidden.since}, ${hidden.until})
    on conflict (merchant_id, person_id, item) do update set since = excluded.since, until = excluded.until`;
}

/** What is gone may come again, and is seen again then. */
export async function deleteHiddenExcept(
  tx: Tx,
  merchantId: string,
  present: readonly string[],
  now: Date,
): Promise<void> {
  await tx`
    delete from hidden_need
     where merchant_id = ${merchantId} and (item <> all(${[...present]}::text[]) or until <= ${now})`;
}
