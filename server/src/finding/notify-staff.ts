/**
 * Tells the operator's staff by e-mail what waits for them in the house, each item once to each person, as `notify-people`
 * does in an account: at once, or in a summary of the morning. What has waited before somebody joined or chose so is in the
 * next summary.
 */
import type { Db, Query, Tx } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Clock } from '../lib/clock.ts';
import { staffGrantOf } from '../people/staff-roles.ts';
import { type HouseNeed, type HouseNeedKind, houseKindsFor, houseNeeds } from './house-needs.ts';
import type { Chosen, NotificationChoice } from './notification-choices.ts';
import {
  beginStaffDigest,
  forgetGoneOfHouse,
  insertToldStaff,
  listStaff,
  listStaffChoices,
  type StaffMember,
  saveStaffChoice,
} from './staff-notification-store.ts';

/** What gets worse with every minute, and money that is about to leave: at once. The rest can wait for the morning. */
const atOnce: readonly HouseNeedKind[] = [
  'booksDiffer',
  'unexplained',
  'networkSilent',
  'jobParked',
  'withdrawal',
  'returnWaits',
  'ownWaits',
];

export type StaffChoiceOf = (personId: string, kind: HouseNeedKind) => Chosen;

export async function readStaffChoices(query: Query): Promise<StaffChoiceOf> {
  const chosen = new Map<string, Chosen>(
    (await listStaffChoices(query)).map((row) => [`${row.personId} ${row.kind}`, row]),
  );
  return (personId, kind) =>
    chosen.get(`${personId} ${kind}`) ?? { choice: atOnce.includes(kind) ? 'atOnce' : 'daily', chosenAt: null };
}

export async function chooseStaffNotifications(
  tx: Tx,
  personId: string,
  choices: ReadonlyMap<HouseNeedKind, NotificationChoice>,
  now: Date,
): Promise<void> {
  const choiceOf = await readStaffChoices(tx);
  for (const [kind, choice] of choices) {
    const chosenAt = choiceOf(personId, kind).choice === choice ? null : now;
    await saveStaffChoice(tx, { personId, kind, choice, chosenAt });
  }
}

/** The hour of the day, in UTC, in which summaries are made. */
const digestHour = 8;

export async function notifyStaff({
  db,
  clock,
  networks,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: readonly string[];
}): Promise<void> {
  const needs = await houseNeeds({ db, clock, networks });
  await db.begin(async (tx) => {
    const now = clock.now();
    await forgetGoneOfHouse(
      tx,
      needs.map(({ name }) => name),
    );
    const choiceOf = await readStaffChoices(tx);
    for (const member of await listStaff(tx)) {
      const { personId } = member;
      const sorted = sortNeeds(member, needs, choiceOf);
      await tell(tx, { personId, needs: sorted.atOnce, isDigest: false, now });
      const isMorning = now.getUTCHours() >= digestHour;
      if (isMorning && (await beginStaffDigest(tx, personId, now.toISOString().slice(0, 10))))
        await tell(tx, { personId, needs: sorted.daily, isDigest: true, now });
    }
  });
}

type SortedNeeds = Record<'atOnce' | 'daily', HouseNeed[]>;

function sortNeeds(
  { personId, role, joinedAt }: StaffMember,
  needs: readonly HouseNeed[],
  choiceOf: StaffChoiceOf,
): SortedNeeds {
  const kinds = houseKindsFor((permission) => staffGrantOf(permission, role) !== 'no');
  const sorted: SortedNeeds = { atOnce: [], daily: [] };
  for (const need of needs) {
    const { choice, chosenAt } = choiceOf(personId, need.kind);
    if (!kinds.includes(need.kind) || choice === 'never') continue;
    const isOld = need.since < joinedAt || (chosenAt !== null && need.since < chosenAt);
    sorted[isOld ? 'daily' : choice].push(need);
  }
  return sorted;
}

type Telling = {
  readonly personId: string;
  readonly needs: readonly HouseNeed[];
  readonly isDigest: boolean;
  readonly now: Date;
};

async function tell(tx: Tx, { personId, needs, isDigest, now }: Telling): Promise<void> {
  if (needs.length === 0) return;
  const names = needs.map(({ name }) => name);
  const items = await insertToldStaff(tx, personId, names, now);
  if (items.length === 0) return;
  // With the moment: what comes back days later is another message.
  const payload = { personId, items, isDigest, at: now.toISOString() };
  await enqueue(tx, [{ name: 'staff.mail', payload, runAt: now }]);
}
