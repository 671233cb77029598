/**
 * Who of the staff lets money leave that is the operator's own or that nobody asked for, and whether one is enough. Two are
 * needed once there are two, and for a week after one of them was put out. Who is new to it approves nothing for a day, and in
 * such a week nothing for a week; nor is anything approved that they asked for. So nobody makes a second hand, or becomes
 * alone, for one order (docs/decisions/0062-withdrawals-by-two.md, 0073-what-two-hands-see.md).
 */
import type { Query, Tx } from '../db/database.ts';
import { type Actor, isPersonActor, personIdOf } from '../http/actor.ts';
import { addMs, hours } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import type { StaffRole } from './roles.ts';
import { staffGrantOf } from './staff-roles.ts';
import { findLostStaff, listStaff, lockStaff, type StaffMember } from './staff-store.ts';

export const movesMoney = (role: StaffRole): boolean => staffGrantOf('money', role) !== 'no';

const newMs = hours(24);
const lostMs = hours(24 * 7);

type Since = Pick<StaffMember, 'roleSince'>;

/**
 * From when on somebody is one of the two. After somebody was put out nobody does who came shortly before or since: a second hand
 * could have been made for it while the first one was still there to be put out.
 */
export function approvesFrom({ roleSince }: Since, lostAt: Date | null): Date {
  const usual = addMs(roleSince, newMs);
  const settled = addMs(roleSince, lostMs);
  const lostOver = lostAt === null ? usual : addMs(lostAt, lostMs);
  if (lostOver <= usual) return usual;
  return lostOver < settled ? lostOver : settled;
}

/** Until the transaction ends nobody joins, leaves or gets another role. */
export async function needsSecondHand(tx: Tx, now: Date): Promise<boolean> {
  await lockStaff(tx);
  return areTwoNeeded(tx, now);
}

export async function areTwoNeeded(query: Query, now: Date): Promise<boolean> {
  const [staff, lostAt] = await Promise.all([listStaff(query), findLostStaff(query)]);
  const hands = staff.filter(({ role }) => movesMoney(role)).length;
  return hands > 1 || (lostAt !== null && now < addMs(lostAt, lostMs));
}

/** Whoever asked may still ask, whoever approves is another one, and neither is new to it. */
export async function demandSecondHand(tx: Tx, asker: Actor, approver: Actor, now: Date): Promise<void> {
  await lockStaff(tx);
  if (asker === approver) throw ownOrder();
  const [staff, lostAt] = [await listStaff(tx), await findLostStaff(tx)];
  const memberOf = (actor: Actor): StaffMember | undefined =>
    isPersonActor(actor) ? staff.find(({ personId }) => personId === personIdOf(actor)) : undefined;
  // A command is of no member of the staff, so none was put out, and none is new.
  if (asker !== 'operator') {
    const first = memberOf(asker);
    if (!isHand(first)) throw askerLeft();
    const from = approvesFrom(first, lostAt);
    if (now < from) throw askerNew(from);
  }
  const second = memberOf(approver);
  if (!isHand(second)) throw notAHand();
  const from = approvesFrom(second, lostAt);
  if (now < from) throw tooNew(from);
}

const isHand = (member: StaffMember | undefined): member is StaffMember =>
  member !== undefined && movesMoney(member.role);

const refusal = (code: string, message: string, httpStatus = 409): GatewayError =>
  new GatewayError({ code, httpStatus, message });

const ownOrder = () => refusal('own_order', 'You asked for this: somebody else of the staff approves it.', 403);
const askerLeft = () =>
  refusal('order_asker_gone', 'Whoever asked for this may not ask for it any more. Refuse it, and ask anew.');
const askerNew = (from: Date) =>
  refusal(
    'new_asker',
    `Whoever asked for this is new to the treasury: nothing of theirs is approved before ${from.toISOString()}, so that the others see it first.`,
  );
const notAHand = () => refusal('not_for_your_role', 'Your role among the staff does not allow this.', 403);
const tooNew = (from: Date) =>
  refusal(
    'new_hand',
    `Whoever is new to the treasury approves nothing for a day, and for a week where somebody was just put out: you can from ${from.toISOString()} on.`,
  );
