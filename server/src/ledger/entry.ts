/** An entry is something that happened; its lines move units between accounts and add up to zero for each asset. */
import { assert } from '../lib/assert.ts';
import { assetOfAccount } from './chart-of-accounts.ts';

export type Line = { readonly account: string; readonly units: bigint };

export type EntryKind =
  | 'payment_received'
  | 'payment_reversed'
  | 'moved_to_suspense'
  | 'settlement'
  | 'settlement_reversed'
  | 'deposit_credited'
  | 'deposit_reversed'
  | 'funding_received'
  | 'funding_reversed'
  | 'unmatched_received'
  | 'unmatched_assigned'
  | 'swap'
  | 'swap_reserved'
  | 'swap_released'
  | 'exchange'
  | 'bridge_issued'
  | 'bridge_burned'
  | 'network_fee'
  | 'network_fee_reversed'
  | 'token_fee'
  | 'token_fee_reversed'
  | 'opening_balance'
  | 'difference_adopted'
  | 'transfer_reserved'
  | 'transfer_released'
  | 'transfer_sent'
  | 'withdrawal_reserved'
  | 'withdrawal_released'
  | 'withdrawal_sent'
  | 'refund_held'
  | 'refund_followed'
  | 'refund_sent'
  | 'refund_returned'
  | 'excess_accepted'
  | 'unmatched_returned';

export type Entry = {
  readonly reference: string; // one business event, one reference, one entry, however often it is posted
  readonly kind: EntryKind;
  readonly merchantId: string | null; // null: about the operator's own accounts
  readonly checkoutId: string | null; // the checkout, custom deposit or transfer that it is about
  readonly lines: readonly Line[];
};

/** Lines on the same account are added up, lines of zero disappear, and the rest must balance per asset. */
export function balancedEntry(entry: Entry): Entry {
  const byAccount = new Map<string, bigint>();
  for (const { account, units } of entry.lines) byAccount.set(account, (byAccount.get(account) ?? 0n) + units);
  const lines = [...byAccount].filter(([, units]) => units !== 0n).map(([account, units]) => ({ account, units }));
  assert(lines.length >= 2, `the entry ${entry.reference} moves nothing`);

  const byAsset = new Map<string, bigint>();
  for (const { account, units } of lines) {
    const asset = assetOfAccount(account);
    byAsset.set(asset, (byAsset.get(asset) ?? 0n) + units);
  }
  for (const [asset, units] of byAsset)
    assert(units === 0n, `the entry ${entry.reference} is off by ${units} ${asset}`);
  return { ...entry, lines };
}

/** The opposite of an entry: how a mistake or a reorganisation is corrected, since rows are never changed. */
export const opposite = (lines: readonly Line[]): Line[] =>
  lines.map(({ account, units }) => ({ account, units: -units }));
