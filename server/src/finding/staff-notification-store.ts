/** All SQL about what the operator's staff are told by e-mail. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';
import type { StaffRole } from '../people/roles.ts';
import type { HouseNeedKind } from './house-needs.ts';
import type { NotificationChoice } from './notification-choices.ts';

export type StaffChoice = {
  readonly personId: string;
  readonly kind: HouseNeedKind;
  readonly choice: NotificationChoice;
  readonly chosenAt: Date | null;
};

export async function listStaffChoices(query: Query): Promise<StaffChoice[]> {
  return query<StaffChoice>`
    select person_id as "personId", kind, choice, chosen_at as "chosenAt" from staff_notification_choice`;
}

/** Without a moment the former one stays. */
export async function saveStaffChoice(tx: Tx, { personId, kind, choice, chosenAt }: StaffChoice): Promise<void> {
  await tx`
    insert into staff_notification_choice (person_id, kind, choice, chosen_at)
    values (${personId}, ${kind}, ${choice}, ${chosenAt})
    on conflict (person_id, kind) do update
       set choice = excluded.choice, chosen_at = coalesce(excluded.chosen_at, staff_notification_choice.chosen_at)`;
}

export type StaffMember = { readonly personId: string; readonly role: StaffRole; readonly joinedAt: Date };

export async function listStaff(query: Query): Promise<StaffMember[]> {
  return query<StaffMember>`
    select person_id as "personId", role, created_at as "joinedAt" from staff order by created_at, person_id`;
}

/** Those of the items of which this person was not told before: from now on they count as told. */
export async function insertToldStaff(
  tx: Tx,
  personId: string,
  items: readonly string[],
  now: Date,
): Promise<string[]> {
  const rows = await tx<{ item: string }>`
    insert into staff_notification (person_id, item, told_at)
    select ${personId}, item, ${now} from unnest(${[...items]}::text[]) as item
    on conflict do nothing returning item`;
  return rows.map(({ item }) => item);
}

/** What is gone may come again, and is told again then. */
export async function forgetGoneOfHouse(tx: Tx, present: readonly string[]): Promise<void> {
  await tx`delete from staff_notification where item <> all(${[...present]}::text[])`;
}

/** False: the summary of this day, or of a later one, was made before. */
export async function beginStaffDigest(tx: Tx, personId: string, day: string): Promise<boolean> {
  const rows = await tx`
    insert into staff_digest (person_id, day) values (${personId}, ${day}::date)
    on conflict (person_id) do update set day = excluded.day where staff_digest.day < excluded.day
    returning day`;
  return rows.length > 0;
}
