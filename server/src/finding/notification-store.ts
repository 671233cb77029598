/** All SQL about what people are told by e-mail. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';
import type { NotificationChoice, ToldKind } from './notification-choices.ts';

export type StoredChoice = {
  readonly personId: string;
  readonly kind: ToldKind;
  readonly choice: NotificationChoice;
  /** Null: it was never another one, as far as anybody knows. */
  readonly chosenAt: Date | null;
};

export async function listChoices(query: Query, merchantId: string): Promise<StoredChoice[]> {
  return query<StoredChoice>`
    select person_id as "personId", kind, choice, chosen_at as "chosenAt" from notification_choice where merchant_id = ${merchantId}`;
}

/** Without a moment the former one stays. */
export async function saveChoice(
  tx: Tx,
  merchantId: string,
  { personId, kind, choice, chosenAt }: StoredChoice,
): Promise<void> {
  await tx`
    insert into notification_choice (merchant_id, person_id, kind, choice, chosen_at)
    values (${merchantId}, ${personId}, ${kind}, ${choice}, ${chosenAt})
    on conflict (merchant_id, person_id, kind) do update
       set choice = excluded.choice, chosen_at = coalesce(excluded.chosen_at, notification_choice.chosen_at)`;
}

/** Those of the items of which this person was not told before: from now on they count as told. */
export async function insertTold(
  tx: Tx,
  merchantId: string,
  personId: string,
  items: readonly string[],
  now: Date,
): Promise<string[]> {
  const rows = await tx<{ item: string }>`
    insert into notification (merchant_id, person_id, item, told_at)
    select ${merchantId}, ${personId}, item, ${now} from unnest(${[...items]}::text[]) as item
    on conflict do nothing returning item`;
  return rows.map(({ item }) => item);
}

/** What is gone may come again, and is told again then. */
export async function forgetGone(tx: Tx, merchantId: string, present: readonly string[]): Promise<void> {
  await tx`delete from notification where merchant_id = ${merchantId} and item <> all(${[...present]}::text[])`;
}

/** False: the summary of this day, or of a later one, was made before. */
export async function beginDigest(tx: Tx, merchantId: string, personId: string, day: string): Promise<boolean> {
  const rows = await tx`
    insert into notification_digest (merchant_id, person_id, day) values (${merchantId}, ${personId}, ${day}::date)
    on conflict (merchant_id, person_id) do update set day = excluded.day
     where notification_digest.day < excluded.day
    returning day`;
  return rows.length > 0;
}

/** Accounts with people that nobody has looked at since then, the longest waiting first. */
export async function accountsToLookAt(query: Query, before: Date, limit: number): Promise<string[]> {
  const rows = await query<{ id: string }>`
    select merchant.id from merchant left join notification_look on notification_look.merchant_id = merchant.id
     where exists (select from membership where membership.merchant_id = merchant.id)
       and (looked_at is null or looked_at <= ${before})
     order by looked_at nulls first, merchant.id limit ${limit}`;
  return rows.map(({ id }) => id);
}

export async function saveLook(tx: Tx, merchantId: string, now: Date): Promise<void> {
  await tx`
    insert into notification_look (merchant_id, looked_at) values (${merchantId}, ${now})
    on conflict (merchant_id) do update set looked_at = excluded.looked_at`;
}
