/**
 * Whether somebody else can approve what a person asks for. Only a passkey approves, so who has none is nobody else. Where
 * somebody who could approve is gone, the account counts for a week as if they were still there
 * (docs/decisions/0050-nobody-becomes-alone-by-force.md).
 */
import type { Tx } from '../db/database.ts';
import { addMs, hours } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import { findLostApprover, saveLostApprover } from './lost-approver-store.ts';
import { approves } from './new-hand.ts';
import { type Member, membershipsOf } from './person-store.ts';

export const canApprove = ({ role, hasPasskey }: Pick<Member, 'role' | 'hasPasskey'>): boolean =>
  approves(role) && hasPasskey;

/** Whether anybody but these could approve. */
export const hasSecondApprover = (members: readonly Member[], ...except: readonly string[]): boolean =>
  members.some((each) => !except.includes(each.personId) && canApprove(each));

const days = 7;
const rememberedMs = hours(24 * days);

/** In every account in which this person approved. */
export async function rememberLostPasskey(tx: Tx, personId: string, now: Date): Promise<void> {
  for (const { merchantId, role } of await membershipsOf(tx, personId))
    if (approves(role)) await saveLostApprover(tx, merchantId, now);
}

/** Whoever is alone because somebody was put out decides nothing alone for a while. */
export async function demandAloneForLong(tx: Tx, merchantId: string, now: Date): Promise<void> {
  const lostAt = await findLostApprover(tx, merchantId);
  if (lostAt !== null && addMs(lostAt, rememberedMs) > now) throw aloneTooShortly(addMs(lostAt, rememberedMs));
}

const aloneTooShortly = (until: Date): GatewayError =>
  new GatewayError({
    code: 'policy_alone',
    httpStatus: 409,
    message:
      `Somebody who approves left this account less than ${days} days ago, so nobody changes this alone before ` +
      `${until.toISOString()}. The operator can invite a second person.`,
  });
