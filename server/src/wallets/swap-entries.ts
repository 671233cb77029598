/** What swaps post. */
import { merchantAccount, operatorAccount } from '../ledger/chart-of-accounts.ts';
import type { Entry, EntryKind, Line } from '../ledger/entry.ts';
import type { Swap } from './swap.ts';

/** The merchant's accounts that a swap touches, or that its decision depends on: locked together. */
export const swapAccounts = ({ merchantId, sourceAsset, targetAsset }: Swap): string[] => [
  merchantAccount(merchantId, 'available', sourceAsset),
  merchantAccount(merchantId, 'receivable', sourceAsset),
  merchantAccount(merchantId, 'reserved', sourceAsset),
  merchantAccount(merchantId, 'available', targetAsset),
  merchantAccount(merchantId, 'receivable', targetAsset),
];

/** The operator buys what is given and sells what is credited; what the merchant owes in that is repaid first. */
export function swapEntry(swap: Swap, from: 'available' | 'reserved', books: ReadonlyMap<string, bigint>): Entry {
  const { merchantId, sourceAsset, targetAsset, sourceUnits, grossUnits, feeUnits } = swap;
  const netUnits = grossUnits - feeUnits;
  return entry(swap, 'swap', `swap:${swap.id}`, [
    { account: merchantAccount(merchantId, from, sourceAsset), units: -sourceUnits },
    { account: operatorAccount('fx', sourceAsset), units: sourceUnits },
    { account: operatorAccount('fx', targetAsset), units: -grossUnits },
    { account: operatorAccount('fees', targetAsset), units: feeUnits },
    ...givenLines(merchantId, targetAsset, netUnits, books),
  ]);
}

export const reservingEntry = (swap: Swap): Entry =>
  entry(swap, 'swap_reserved', `swap:${swap.id}:reserved`, [
    { account: merchantAccount(swap.merchantId, 'available', swap.sourceAsset), units: -swap.sourceUnits },
    { account: merchantAccount(swap.merchantId, 'reserved', swap.sourceAsset), units: swap.sourceUnits },
  ]);

/** Nothing was exchanged. A debt that came up meanwhile is repaid first, as from any other credit. */
export function releasingEntry(swap: Swap, books: ReadonlyMap<string, bigint>): Entry {
  const { merchantId, sourceAsset, sourceUnits } = swap;
  return entry(swap, 'swap_released', `swap:${swap.id}:released`, [
    { account: merchantAccount(merchantId, 'reserved', sourceAsset), units: -sourceUnits },
    ...givenLines(merchantId, sourceAsset, sourceUnits, books),
  ]);
}

/** What the merchant owes in the credited asset and will not owe any more. */
export function repaidUnits(
  { merchantId, targetAsset, grossUnits, feeUnits }: Swap,
  books: ReadonlyMap<string, bigint>,
) {
  const debt = debtOf(merchantId, targetAsset, books);
  const netUnits = grossUnits - feeUnits;
  return debt < netUnits ? debt : netUnits;
}

const debtOf = (merchantId: string, asset: string, books: ReadonlyMap<string, bigint>): bigint =>
  -(books.get(merchantAccount(merchantId, 'receivable', asset)) ?? 0n);

function givenLines(merchantId: string, asset: string, units: bigint, books: ReadonlyMap<string, bigint>): Line[] {
  const debt = debtOf(merchantId, asset, books);
  const repaid = debt < units ? debt : units;
  return [
    { account: merchantAccount(merchantId, 'receivable', asset), units: repaid },
    { account: merchantAccount(merchantId, 'available', asset), units: units - repaid },
  ];
}

const entry = ({ merchantId, id }: Swap, kind: EntryKind, reference: string, lines: readonly Line[]): Entry => ({
  reference,
  kind,
  merchantId,
  subject: { kind: 'swap', id },
  lines,
});
