/** An entry of the ledger in words: what happened, and the accounts between which it moved something. */
import { findNetwork } from '../../catalog/network-catalog.ts';
import { type AccountName, partsOfAccount } from '../../ledger/chart-of-accounts.ts';
import type { AccountLook } from '../frame/account-look.ts';
import type { AccountTextKey } from '../texts/account-texts.ts';

/** What of an account's own entries has a sentence; the rest is the operator's, and not in its lists. */
const entryKinds = [
  'payment_received',
  'payment_reversed',
  'moved_to_suspense',
  'settlement',
  'settlement_reversed',
  'excess_accepted',
  'refund_followed',
  'refund_held',
  'refund_sent',
  'refund_returned',
  'refund_came_back',
  'deposit_credited',
  'deposit_reversed',
  'unmatched_assigned',
  'swap',
  'swap_reserved',
  'swap_released',
  'exchange',
  'transfer_reserved',
  'transfer_released',
  'transfer_sent',
  'transfer_came_back',
] as const;

const entryTexts: Readonly<Record<string, AccountTextKey>> = Object.fromEntries(
  entryKinds.map((kind) => [kind, `entry_${kind}` as const]),
);

export const entryName = ({ say }: Pick<AccountLook, 'say'>, kind: string): string =>
  say(entryTexts[kind] ?? 'entry_other');

/** The account's own as everywhere else; a network by its name; the rest belongs to who runs the service. */
export function ledgerAccountName({ say }: AccountLook, account: string): string {
  const { owner, purpose }: AccountName = partsOfAccount(account);
  if (owner === 'merchant') return say(`balance_${purpose}`);
  if (owner === 'network') return findNetwork(purpose)?.name ?? purpose;
  return say(`serviceAccount_${purpose}`);
}
