/**
 * The operator's own stock. Of every asset the operator has what it brought in (equity), earned (fees) and bought or
 * sold in conversions (fx), less what networks took (costs). A part of that may be only what merchants owe. Nothing
 * that the treasury gives or promises may bring what is really there below a limit: the rest belongs to merchants.
 * Pure.
 */
import type { CatalogAsset } from '../catalog/asset-catalog.ts';
import { operatorAccount } from '../ledger/chart-of-accounts.ts';
import { type ToldProblem, told } from '../lib/errors.ts';
import { formatUnits } from '../money/amount.ts';
import { type Decimal, toUnits, zero } from '../money/decimal.ts';

/** By asset code, `*` for all others: the lowest position that the treasury may reach. Left out: zero. */
export type TreasuryLimits = ReadonlyMap<string, Decimal>;

export const positionAccounts = (asset: string): string[] => [
  operatorAccount('costs', asset),
  operatorAccount('equity', asset),
  operatorAccount('fees', asset),
  operatorAccount('fx', asset),
];

export type Stock = {
  /** What is beyond the limit, less what merchants owe: what can be given or promised. Negative: too much was given. */
  readonly units: bigint;
  /** How much of it is promised to open checkouts, by merchant. */
  readonly promised: ReadonlyMap<string, bigint>;
};

export const noStock: Stock = { units: 0n, promised: new Map() };

export const limitOf = (limits: TreasuryLimits, { assetCode }: Pick<CatalogAsset, 'assetCode'>): Decimal =>
  limits.get(assetCode) ?? limits.get('*') ?? zero;

/** `ownUnits`: the position, less what merchants owe. */
export const stockBeyond = (
  limits: TreasuryLimits,
  asset: Pick<CatalogAsset, 'assetCode' | 'ledgerScale'>,
  ownUnits: bigint,
): bigint => ownUnits - toUnits(limitOf(limits, asset), asset.ledgerScale, 'up');

export const promisedUnits = ({ promised }: Stock): bigint =>
  [...promised.values()].reduce((sum, units) => sum + units, 0n);

/** What was promised to nobody. Negative: more was promised than is there. */
export const freeUnits = (stock: Stock): bigint => stock.units - promisedUnits(stock);

/**
 * The most that may be promised to a checkout of this merchant. Committing costs nothing, so no merchant, and nobody
 * who commits its checkouts, may have promised more than a share of what the others leave: so something is always left
 * for the next one. `share` is a part: 0.5 is half; 1 if there is nobody to share with.
 */
export function promisableUnits(stock: Stock, merchantId: string, share: Decimal): bigint {
  const own = stock.promised.get(merchantId) ?? 0n;
  const leftByOthers = freeUnits(stock) + own;
  if (leftByOthers <= 0n) return 0n;
  const shared = toUnits({ digits: leftByOthers * share.digits, scale: share.scale }, 0, 'down');
  return smaller(shared - own, leftByOthers - own);
}

const smaller = (a: bigint, b: bigint): bigint => {
  const least = a < b ? a : b;
  return least > 0n ? least : 0n;
};

/** Why so much cannot be given; null: it can. */
export function shortageOf(
  mostUnits: bigint,
  units: bigint,
  asset: Pick<CatalogAsset, 'assetCode' | 'ledgerScale'>,
): ToldProblem | null {
  if (units <= mostUnits) return null;
  const most = `${formatUnits(mostUnits > 0n ? mostUnits : 0n, asset.ledgerScale)} ${asset.assetCode}`;
  return told('method_not_in_stock', `The service can give at most ${most} from its stock at the moment.`, { most });
}
