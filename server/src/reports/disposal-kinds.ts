/** What of the entries of the ledger took something out of an account, and how a report calls it. */
import type { EntryKind } from '../ledger/entry.ts';
import type { Leaving } from '../ledger/leaving-store.ts';

/** In their order in the totals. `return`: a refund of what had never been credited. */
export const disposalKinds = ['transfer', 'refund', 'return', 'swap', 'conversion', 'attempt'] as const;
export type DisposalKind = (typeof disposalKinds)[number];

const kindOfEntry: Partial<Readonly<Record<EntryKind, DisposalKind>>> = {
  transfer_sent: 'transfer',
  refund_sent: 'refund',
  swap: 'swap',
  settlement: 'conversion',
  settlement_reversed: 'conversion',
  transfer_released: 'attempt',
  refund_returned: 'attempt',
};
export const leavingKinds = Object.keys(kindOfEntry) as EntryKind[];

export const disposalKindOf = ({ kind, isUncredited }: Pick<Leaving, 'kind' | 'isUncredited'>): DisposalKind =>
  isUncredited ? 'return' : (kindOfEntry[kind as EntryKind] ?? 'attempt');

/** Of which kinds the entries are that a report calls so. */
export const leavingKindsOf = (kinds: ReadonlySet<DisposalKind>): EntryKind[] =>
  leavingKinds.filter((kind) =>
    [false, kind === 'refund_sent'].some((isUncredited) => kinds.has(disposalKindOf({ kind, isUncredited }))),
  );

/** As it is stored; what a later release has written is shown all the same. */
export const disposalKindNamed = (name: string): DisposalKind =>
  disposalKinds.find((kind) => kind === name) ?? 'attempt';
