/** What can be asked of *Needs you* in its address. */
import type { NeedKind } from '../../finding/needs-you.ts';

export const needGroups = {
  all: null,
  approvals: ['policyToApprove', 'transferToApprove', 'refundToApprove', 'newHand'],
  payments: ['takenBack', 'balanceOwed', 'underpaid', 'surplus', 'refundFailed', 'claimExpires'],
  technical: ['webhooksGivenUp', 'webhooksFailing', 'keyUnused'],
  account: ['destinationUsable', 'noPasskey', 'onlyOneOwner'],
} as const satisfies Record<string, readonly NeedKind[] | null>;

export type NeedGroup = keyof typeof needGroups;

export const isIn = (group: NeedGroup, kind: NeedKind): boolean => {
  const kinds: readonly NeedKind[] | null = needGroups[group];
  return kinds === null || kinds.includes(kind);
};

export const needDeeds = [
  'approved',
  'refused',
  'policyApproved',
  'policyRefused',
  'policyWithdrawn',
  'hidden',
] as const;
export type NeedDeed = (typeof needDeeds)[number];

export function needsYouPath(asked: { group?: NeedGroup; open?: string; did?: NeedDeed } = {}): string {
  const query = new URLSearchParams({
    ...(asked.group !== undefined && asked.group !== 'all' && { group: asked.group }),
    ...(asked.open !== undefined && { open: asked.open }),
    ...(asked.did !== undefined && { did: asked.did }),
  }).toString();
  return `/account/needs-you${query === '' ? '' : `?${query}`}`;
}
