/** What named nobody becomes the operator's own, or is no longer because the network took it back. */
import { operatorAccount } from '../ledger/chart-of-accounts.ts';
import type { Entry, Line } from '../ledger/entry.ts';
import type { CrumbAdoption } from './crumb-adoption-store.ts';
import type { UnmatchedPayment } from './unmatched-store.ts';

const intoEquity = (asset: string, units: bigint): Line[] => [
  { account: operatorAccount('suspense', asset), units: -units },
  { account: operatorAccount('equity', asset), units },
];

export const ownEntry = ({ id, asset, units }: UnmatchedPayment): Entry => ({
  reference: `unmatched/${id}/own`,
  kind: 'unmatched_own',
  merchantId: null,
  subject: { kind: 'unmatched_payment', id },
  lines: intoEquity(asset, units),
});

export const ownCrumbsEntry = ({ id, asset }: CrumbAdoption, units: bigint): Entry => ({
  reference: `unmatched-crumbs/${id}/own`,
  kind: 'unmatched_own',
  merchantId: null,
  subject: { kind: 'crumb_adoption', id },
  lines: intoEquity(asset, units),
});

/** The movement that took it back lies in suspense, below zero: equity makes up for it. */
export const ownTakenBackEntry = (
  { id, asset }: UnmatchedPayment,
  movement: { readonly id: string },
  units: bigint,
): Entry => ({
  reference: `unmatched/${id}/own-taken-back/${movement.id}`,
  kind: 'unmatched_own_reversed',
  merchantId: null,
  subject: { kind: 'unmatched_payment', id },
  lines: intoEquity(asset, -units),
});
