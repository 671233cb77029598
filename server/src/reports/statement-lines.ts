/**
 * On which line of a statement an entry of the ledger stands. A statement is about what is available. Of what an entry did to
 * that, the fee of the service and what was owed are lines of their own; all the rest is on the line of the entry's kind. So
 * each entry is on one line, with its fee and its debt split off, and the lines add up to what happened.
 */
import type { EntryKind } from '../ledger/entry.ts';

/** In their order on paper. */
export const statementLines = [
  'credits',
  'deposits',
  'fees',
  'refunds',
  'swaps',
  'transfers',
  'reversals',
  'debts',
  'other',
] as const;
export type StatementLine = (typeof statementLines)[number];

/** `other`: the operator's own entries. None of them touches an account today; if one did, it would be seen. */
export const lineOfKind: Readonly<Record<EntryKind, StatementLine>> = {
  payment_received: 'reversals', // Of what is available it moves only what was taken when the payment had vanished.
  payment_reversed: 'reversals',
  moved_to_suspense: 'reversals',
  settlement: 'credits',
  settlement_reversed: 'reversals',
  excess_accepted: 'credits',
  refund_followed: 'reversals', // Likewise: the payment came again in another form.
  refund_held: 'refunds',
  refund_sent: 'refunds',
  refund_returned: 'refunds',
  refund_came_back: 'refunds',
  deposit_credited: 'deposits',
  deposit_reversed: 'reversals',
  unmatched_assigned: 'deposits',
  swap: 'swaps',
  swap_reserved: 'swaps',
  swap_released: 'swaps',
  exchange: 'swaps',
  transfer_reserved: 'transfers',
  transfer_released: 'transfers',
  transfer_sent: 'transfers',
  transfer_came_back: 'transfers',
  funding_received: 'other',
  funding_reversed: 'other',
  unmatched_received: 'other',
  unmatched_returned: 'other',
  unmatched_own: 'other',
  unmatched_own_reversed: 'other',
  return_fee_reserved: 'other',
  return_fee_released: 'other',
  withdrawal_reserved: 'other',
  withdrawal_released: 'other',
  withdrawal_sent: 'other',
  withdrawal_came_back: 'other',
  bridge_issued: 'other',
  bridge_burned: 'other',
  network_fee: 'other',
  network_fee_reversed: 'other',
  token_fee: 'other',
  token_fee_reversed: 'other',
  movement_received: 'other',
  movement_explained: 'other',
  opening_balance: 'other',
  difference_adopted: 'other',
};

export const lineOf = (kind: string): StatementLine =>
  (lineOfKind as Readonly<Record<string, StatementLine>>)[kind] ?? 'other';

export const kindsOn = (line: StatementLine): EntryKind[] =>
  (Object.keys(lineOfKind) as EntryKind[]).filter((kind) => lineOfKind[kind] === line);

/** As it is stored; what a later release has written is shown all the same. */
export const lineNamed = (name: string): StatementLine => statementLines.find((line) => line === name) ?? 'other';

/** What entries of a kind did to one asset. `fee`: what the service took. */
export type Movement = {
  readonly kind: string;
  readonly available: bigint;
  readonly receivable: bigint;
  readonly fee: bigint;
  readonly entries: number;
  readonly withDebt: number;
  readonly withFee: number;
};

export type LineShare = { readonly line: StatementLine; readonly units: bigint; readonly entries: number };

/** All shares together are what happened to what is available. */
export function sharesOf(movement: Movement): LineShare[] {
  const { kind, available, receivable, fee, entries, withDebt, withFee } = movement;
  return [
    { line: lineOf(kind), units: available + receivable + fee, entries },
    { line: 'fees' as const, units: -fee, entries: withFee },
    { line: 'debts' as const, units: -receivable, entries: withDebt },
  ].filter(({ units }) => units !== 0n);
}
