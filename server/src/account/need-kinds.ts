/** Which of the things that wait are whose. */
import type { NeedKind } from '../finding/needs-you.ts';
import type { AccountPermission } from '../people/roles.ts';
import type { AccountLook } from './account-look.ts';

/** Any of these permissions makes an item one's own. */
const concerns: Readonly<Record<NeedKind, readonly AccountPermission[]>> = {
  transferToApprove: ['approve'],
  refundToApprove: ['approve'],
  takenBack: ['decideCheckouts', 'seeBalances'],
  balanceOwed: ['seeBalances'],
  underpaid: ['decideCheckouts', 'refund'],
  surplus: ['decideCheckouts', 'refund'],
  refundFailed: ['refund'],
  claimExpires: ['refund'],
  webhooksGivenUp: ['webhooks'],
  webhooksFailing: ['webhooks'],
  keyUnused: ['chargeKeys'],
};

export const needKindsOf = ({ may }: Pick<AccountLook, 'may'>): NeedKind[] =>
  (Object.keys(concerns) as NeedKind[]).filter((kind) => concerns[kind].some((permission) => may(permission)));
