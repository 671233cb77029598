/** Whose business each kind of item is, and what an item is called. */
import { createHash } from 'node:crypto';
import { type AccountPermission, grantOf, type Role } from '../people/roles.ts';
import type { Need, NeedKind } from './needs-you.ts';

/** Any of these permissions makes an item one's own. */
const concerns: Readonly<Record<NeedKind, readonly AccountPermission[]>> = {
  policyToApprove: ['approve'],
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

export const needKinds = Object.keys(concerns) as readonly NeedKind[];

export const needKindsFor = (may: (permission: AccountPermission) => boolean): NeedKind[] =>
  needKinds.filter((kind) => concerns[kind].some((permission) => may(permission)));

export const needKindsOfRole = (role: Role): NeedKind[] =>
  needKindsFor((permission) => grantOf(permission, role) !== 'no');

/** Which item it is, among all of an account. An address of the shop's server is long, and may hold a secret. */
export const needName = ({ kind, policyId, refundId, transferId, checkoutId, apiKey, url, amounts }: Need): string => {
  const address = url === undefined ? undefined : createHash('sha256').update(url).digest('hex').slice(0, 32);
  const named = policyId ?? refundId ?? transferId ?? checkoutId ?? apiKey ?? address;
  return [kind, named ?? amounts?.[0]?.assetCode ?? ''].join('.');
};
