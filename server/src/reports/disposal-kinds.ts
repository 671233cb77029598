/** What of the entries of the ledger took something out of an account, and how a report calls it. */
import type { EntryKind } from '../ledger/entry.ts';
import type { Leaving } from '../ledger/leaving-store.ts';

/** In their order in the totals. `return`: a refund of what had never been credited. */
export const disposalKinds = ['transfer', 'refund', 'return', 'swap', 'conversion', 'attempt'] as const;
export type DisposalKind = (typeof disposalKinds)[number];

/** What an entry may be called. */
const kindsOfEntry: Partial<Readonly<Record<EntryKind, readonly DisposalKind[]>>> = {
  transfer_sent: ['transfer'],
  refund_sent: ['refund', 'return'],
  swap: ['swap'],
  settlement: ['conversion'],
  settlement_reversed: ['conversion'],
  transfer_released: ['attempt'],
  refund_returned: ['attempt', 'refund', 'return'],
  transfer_came_back: ['transfer'],
  refund_came_back: ['refund', 'return'],
};
export const leavingKinds = Object.keys(kindsOfEntry) as EntryKind[];

/** A refund that is undone, or comes back, is called what it was when it was sent. */
export function disposalKindOf({ kind, units, isUncredited }: Pick<Leaving, 'kind' | 'units' | 'isUncredited'>) {
  const isOfRefund = kind === 'refund_sent' || kind === 'refund_came_back';
  if (isOfRefund || (kind === 'refund_returned' && units < 0n)) return isUncredited ? 'return' : 'refund';
  return kindsOfEntry[kind as EntryKind]?.[0] ?? 'attempt';
}

/** Of which kinds the entries are that a report calls so. */
export const leavingKindsOf = (kinds: ReadonlySet<DisposalKind>): EntryKind[] =>
  leavingKinds.filter((kind) => kindsOfEntry[kind]?.some((name) => kinds.has(name)));

/** As it is stored; what a later release has written is shown all the same. */
export const disposalKindNamed = (name: string): DisposalKind =>
  disposalKinds.find((kind) => kind === name) ?? 'attempt';
