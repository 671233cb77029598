/** Whose business each kind of item is, what an item is called, and who sees it. */
import { createHash } from 'node:crypto';
import { personActor } from '../http/actor.ts';
import { type AccountPermission, grantOf, type Role } from '../people/roles.ts';
import type { HiddenNeed } from './hidden-need-store.ts';
import type { Need, NeedKind } from './needs-you.ts';

/** Any of these permissions makes an item one's own. */
const concerns: Readonly<Record<NeedKind, readonly AccountPermission[]>> = {
  policyToApprove: ['approve'],
  transferToApprove: ['approve'],
  refundToApprove: ['approve'],
  newHand: ['approve'],
  takenBack: ['decideCheckouts', 'seeBalances'],
  balanceOwed: ['seeBalances'],
  underpaid: ['decideCheckouts', 'refund'],
  surplus: ['decideCheckouts', 'refund'],
  refundFailed: ['refund'],
  claimExpires: ['refund'],
  webhooksGivenUp: ['webhooks'],
  webhooksFailing: ['webhooks'],
  destinationUsable: ['moveMoney'],
  keyUnused: ['chargeKeys'],
  noPasskey: ['approve'],
  onlyOneOwner: ['people'],
};

export const needKinds = Object.keys(concerns) as readonly NeedKind[];

export const needKindsFor = (may: (permission: AccountPermission) => boolean): NeedKind[] =>
  needKinds.filter((kind) => concerns[kind].some((permission) => may(permission)));

export const needKindsOfRole = (role: Role): NeedKind[] =>
  needKindsFor((permission) => grantOf(permission, role) !== 'no');

/** Which item it is, among all of an account. An address of the shop's server is long, and may hold a secret. */
export const needName = (need: Need): string => {
  const { kind, policyId, refundId, transferId, checkoutId, apiKey, targetAccountId, personId, about, url, amounts } =
    need;
  const address = url === undefined ? undefined : createHash('sha256').update(url).digest('hex').slice(0, 32);
  const named =
    policyId ?? refundId ?? transferId ?? checkoutId ?? apiKey ?? targetAccountId ?? personId ?? about ?? address;
  return [kind, named ?? amounts?.[0]?.assetCode ?? ''].join('.');
};

/** Nobody loses money by these: who has read one may hide it for a while (`hide-need`). */
const hideable: readonly NeedKind[] = ['destinationUsable', 'keyUnused', 'noPasskey', 'onlyOneOwner'];

export const canBeHidden = (kind: NeedKind): boolean => hideable.includes(kind);

/**
 * Whether this person sees it: what is about one person is nobody else's, an order in which they have a hand is for others
 * to decide (its list has it, to be taken back), and what is hidden stays so until its time.
 */
export const isSeenBy =
  (personId: string, hidden: readonly HiddenNeed[], now: Date) =>
  (need: Need): boolean => {
    if (need.personId !== undefined && need.personId !== personId) return false;
    if (need.hands?.includes(personActor(personId))) return false;
    const item = canBeHidden(need.kind) ? needName(need) : null;
    return !hidden.some(
      (each) => each.personId === personId && each.item === item && each.until > now && each.since >= need.since,
    );
  };
