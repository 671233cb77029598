/**
 * The operator's own stock. Of every asset the operator holds what it brought in (equity), earned (fees) and bought or
 * sold in conversions (fx), less what networks took (costs). A part of it may be no more than what merchants owe. A swap
 * out of the treasury may not take what is really there below a limit: what is beyond it belongs to merchants.
 */
import type { CatalogAsset } from '../catalog/asset-catalog.ts';
import { operatorAccount } from '../ledger/chart-of-accounts.ts';
import { formatUnits } from '../money/amount.ts';
import { type Decimal, toUnits, zero } from '../money/decimal.ts';

/** By asset code, `*` for all others: the lowest position that swaps may lead to. Left out: zero. */
export type TreasuryLimits = ReadonlyMap<string, Decimal>;

export const positionAccounts = (asset: string): string[] => [
  operatorAccount('costs', asset),
  operatorAccount('equity', asset),
  operatorAccount('fees', asset),
  operatorAccount('fx', asset),
];

/**
 * Why so much cannot be taken from the treasury; null: it can. `books` are the locked balances, `owedUnits` what merchants
 * will still owe afterwards.
 */
export function treasuryShortage(
  books: ReadonlyMap<string, bigint>,
  limits: TreasuryLimits,
  asset: CatalogAsset,
  { units, owedUnits }: { readonly units: bigint; readonly owedUnits: bigint },
): string | null {
  const position = positionAccounts(asset.id).reduce((sum, account) => sum + (books.get(account) ?? 0n), 0n);
  const limit = toUnits(limits.get(asset.assetCode) ?? limits.get('*') ?? zero, asset.ledgerScale, 'up');
  const most = position - owedUnits - limit;
  if (units <= most) return null;
  const said = formatUnits(most > 0n ? most : 0n, asset.ledgerScale);
  return `The service can give at most ${said} ${asset.assetCode} from its stock at the moment.`;
}
