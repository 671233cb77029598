/** What fees are taken for: the kinds of the report about fees, in their order on paper. */
export const feeKinds = ['settlement', 'deposit', 'swap', 'transfer', 'network'] as const;
export type FeeKind = (typeof feeKinds)[number];

/**
 * By the kind of the entry that took it. What a transfer cost is taken as one: the network's part of it is split off by
 * what the transfer says, and what an attempt cost that failed is the network's alone.
 */
export function feeKindOf(entryKind: string): FeeKind {
  if (entryKind === 'swap') return 'swap';
  if (entryKind === 'transfer_released') return 'network';
  if (entryKind.startsWith('transfer_')) return 'transfer';
  return entryKind.startsWith('deposit_') ? 'deposit' : 'settlement';
}

/** As it is stored; what a later release has written is shown all the same. */
export const feeKindNamed = (name: string): FeeKind => feeKinds.find((kind) => kind === name) ?? 'settlement';
