/** What swaps post. */
import { type MerchantPurpose, merchantAccount, operatorAccount } from '../ledger/chart-of-accounts.ts';
import type { Entry, EntryKind, Line } from '../ledger/entry.ts';
import type { Swap } from './swap.ts';

/** All accounts that a swap touches, and what its decision depends on: locked together, in the order of their names. */
export const swapAccounts = ({ merchantId, sourceAsset, targetAsset }: Swap): string[] => [
  merchantAccount(merchantId, 'available', sourceAsset),
  merchantAccount(merchantId, 'reserved', sourceAsset),
  merchantAccount(merchantId, 'available', targetAsset),
  merchantAccount(merchantId, 'receivable', targetAsset),
  operatorAccount('equity', targetAsset),
  operatorAccount('fees', targetAsset),
  operatorAccount('fx', sourceAsset),
  operatorAccount('fx', targetAsset),
];

/** The operator buys what is given and sells what is wanted; what the merchant owes in the target is repaid first. */
export function swapEntry(swap: Swap, from: 'available' | 'reserved', books: ReadonlyMap<string, bigint>): Entry {
  const { merchantId, sourceAsset, targetAsset, sourceUnits, grossUnits, feeUnits } = swap;
  const netUnits = grossUnits - feeUnits;
  const debt = -(books.get(merchantAccount(merchantId, 'receivable', targetAsset)) ?? 0n);
  const repaid = debt < netUnits ? debt : netUnits;
  return entry(swap, 'swap', `swap:${swap.id}`, [
    { account: merchantAccount(merchantId, from, sourceAsset), units: -sourceUnits },
    { account: operatorAccount('fx', sourceAsset), units: sourceUnits },
    { account: operatorAccount('fx', targetAsset), units: -grossUnits },
    { account: operatorAccount('fees', targetAsset), units: feeUnits },
    { account: merchantAccount(merchantId, 'receivable', targetAsset), units: repaid },
    { account: merchantAccount(merchantId, 'available', targetAsset), units: netUnits - repaid },
  ]);
}

export const reservingEntry = (swap: Swap): Entry =>
  entry(swap, 'swap_reserved', `swap:${swap.id}:reserved`, movedLines(swap, 'available', 'reserved'));

export const releasingEntry = (swap: Swap): Entry =>
  entry(swap, 'swap_released', `swap:${swap.id}:released`, movedLines(swap, 'reserved', 'available'));

const movedLines = (
  { merchantId, sourceAsset, sourceUnits }: Swap,
  from: MerchantPurpose,
  to: MerchantPurpose,
): Line[] => [
  { account: merchantAccount(merchantId, from, sourceAsset), units: -sourceUnits },
  { account: merchantAccount(merchantId, to, sourceAsset), units: sourceUnits },
];

const entry = ({ merchantId, id }: Swap, kind: EntryKind, reference: string, lines: readonly Line[]): Entry => ({
  ...{ reference, kind, merchantId, checkoutId: id, lines },
});
