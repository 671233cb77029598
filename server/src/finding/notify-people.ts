/**
 * Tells people by e-mail what waits for them, each item once to each person: at once, or in the morning of the account's
 * time zone. At once is told what begins after somebody joined or chose so: what has waited before is in the next summary,
 * so that nobody is flooded. Items are no rows but questions, so one process asks them again and again, account after
 * account; nothing that happens waits for it.
 */
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import type { Db, Tx } from '../db/database.ts';
import { createLeadership } from '../db/leadership.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { addMs, type Clock, minutes } from '../lib/clock.ts';
import { keepTicking, type Ticking } from '../lib/keep-ticking.ts';
import type { Log } from '../lib/log.ts';
import { findMerchant, lockMerchant } from '../merchants/merchant-store.ts';
import { timeZoneOf } from '../merchants/time-zone.ts';
import { type Member, membersOf } from '../people/person-store.ts';
import { deleteHiddenExcept, listHiddenNeeds } from './hidden-need-store.ts';
import { isSeenBy, needKindsOfRole, needName } from './need-kinds.ts';
import { listNeeds, type Need } from './needs-you.ts';
import { type ChoiceOf, readChoices } from './notification-choices.ts';
import { accountsToLookAt, beginDigest, forgetGone, insertTold, saveLook } from './notification-store.ts';
import { notifyStaff } from './notify-staff.ts';

export type NotifyDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly assets: AssetCatalog;
  /** Without it nobody is told, but what was hidden and is gone by now is forgotten all the same. */
  readonly sendsEmail: boolean;
};

const lockClass = 7_051; // The first half of the advisory lock: "someone tells people what waits for them".
const pauseMs = 5_000;
/** How often an account is looked at. */
const lookMs = minutes(1);
const accountsAtOnce = 20;
/** The hour of the day in which summaries are made. */
const digestHour = 8;

export function createNeedsNotifier(
  deps: NotifyDeps & {
    readonly log: Log;
    /** Those that this installation watches: their silence is told to the staff. */
    readonly networks: readonly string[];
  },
): Ticking<'progress' | 'idle' | 'not leading'> {
  const { db, clock, log } = deps;
  const leadership = createLeadership(db, { lockClass, key: 'needs', onGain: async () => true });
  /** An account that cannot be looked at waits for its next turn like all others, and keeps nobody from theirs. */
  async function lookAt(merchantId: string): Promise<void> {
    try {
      await notifyPeople(deps, merchantId);
    } catch (error) {
      log.warn({ err: error, merchantId }, 'cannot tell the people of this account what waits for them');
      await db.begin((tx) => saveLook(tx, merchantId, clock.now()));
    }
  }
  let houseAt = 0;
  async function lookAtHouse(): Promise<void> {
    const now = clock.now().getTime();
    if (!deps.sendsEmail || (now >= houseAt && now < houseAt + lookMs)) return;
    houseAt = now;
    await notifyStaff(deps).catch((error: unknown) =>
      log.warn({ err: error }, 'cannot tell the staff what waits for them'),
    );
  }
  return keepTicking({
    pauseMs,
    leadership,
    async tick() {
      if (!(await leadership.lead())) return 'not leading';
      await lookAtHouse();
      const ids = await accountsToLookAt(db, addMs(clock.now(), -lookMs), accountsAtOnce);
      for (const id of ids) await lookAt(id);
      return ids.length === accountsAtOnce ? 'progress' : 'idle';
    },
    onError: (error) => log.warn({ err: error }, 'cannot tell people what waits for them'),
  });
}

export async function notifyPeople(deps: NotifyDeps, merchantId: string): Promise<void> {
  const { db, clock } = deps;
  const needs = await listNeeds(deps, merchantId);
  await db.begin(async (tx) => {
    const now = clock.now();
    const merchant = await findMerchant(tx, merchantId);
    if (!merchant) return;
    await lockMerchant(tx, merchantId);
    const [members, choiceOf] = [await membersOf(tx, merchantId), await readChoices(tx, merchantId)];
    const present = needs.map(needName);
    await forgetGone(tx, merchantId, present);
    await deleteHiddenExcept(tx, merchantId, present, now);
    const hidden = await listHiddenNeeds(tx, merchantId);
    const { day, hour } = localTime(now, timeZoneOf(merchant.pageSettings));
    for (const member of deps.sendsEmail ? members : []) {
      const seen = needs.filter(isSeenBy(member.personId, hidden, now));
      const { atOnce, daily } = sortNeeds(member, seen, choiceOf);
      await tell(tx, { merchantId, member, needs: atOnce, isDigest: false, now });
      if (hour >= digestHour && (await beginDigest(tx, merchantId, member.personId, day)))
        await tell(tx, { merchantId, member, needs: daily, isDigest: true, now });
    }
    await saveLook(tx, merchantId, now);
  });
}

type SortedNeeds = Record<'atOnce' | 'daily', Need[]>;

/** What the role may see, and somebody else has asked for. */
function sortNeeds({ role, personId, joinedAt }: Member, needs: readonly Need[], choiceOf: ChoiceOf): SortedNeeds {
  const kinds = needKindsOfRole(role);
  const sorted: SortedNeeds = { atOnce: [], daily: [] };
  for (const need of needs) {
    if (!kinds.includes(need.kind) || need.requestedBy === personId) continue;
    const { choice, chosenAt } = choiceOf(personId, need.kind);
    if (choice === 'never') continue;
    const isOld = need.since < joinedAt || (chosenAt !== null && need.since < chosenAt);
    sorted[isOld ? 'daily' : choice].push(need);
  }
  return sorted;
}

type Telling = {
  readonly merchantId: string;
  readonly member: Member;
  readonly needs: readonly Need[];
  readonly isDigest: boolean;
  readonly now: Date;
};

async function tell(tx: Tx, { merchantId, member, needs, isDigest, now }: Telling): Promise<void> {
  const { personId } = member;
  if (needs.length === 0) return;
  const items = await insertTold(tx, merchantId, personId, needs.map(needName), now);
  if (items.length === 0) return;
  // With the moment: what comes back days later is another message.
  const payload = { merchantId, personId, items, isDigest, at: now.toISOString() };
  await enqueue(tx, [{ name: 'needs.mail', payload, runAt: now }]);
}

function localTime(now: Date, timeZone: string): { readonly day: string; readonly hour: number } {
  const day = now.toLocaleDateString('sv-SE', { timeZone });
  const hour = Number(now.toLocaleTimeString('sv-SE', { timeZone, hour: '2-digit', hourCycle: 'h23' }).slice(0, 2));
  return { day, hour };
}
