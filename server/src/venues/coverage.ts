/**
 * Whether we hold what is owed to merchants and promised to their open checkouts. If the operator has set a limit below
 * zero, the rest is held somewhere else. The operator is warned while there is still time to buy.
 */
import type { AssetCatalog, CatalogAsset } from '../catalog/asset-catalog.ts';
import type { Query } from '../db/database.ts';
import { type Clock, hours } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { type Decimal, divide, formatDecimal, isLess, toUnits } from '../money/decimal.ts';
import { backedBy, backingOf } from './backing-asset.ts';
import { type Holdings, readHoldings } from './treasury-promise-store.ts';
import { limitOf, type TreasuryLimits } from './treasury-stock.ts';

export type Coverage = Holdings & {
  readonly asset: CatalogAsset;
  /** Held, as a part of owed and promised. */
  readonly ratio: Decimal;
};

export type CoverageDeps = { readonly assets: AssetCatalog; readonly treasuryLimits: TreasuryLimits };

/** Of every asset of which something is owed or promised. */
export async function loadCoverage(deps: CoverageDeps, query: Query): Promise<Coverage[]> {
  const holdings = await readHoldings(query);
  const backings = new Set(deps.assets.assets.map((asset) => backingOf(deps.assets, asset)));
  return [...backings].flatMap((asset) => coverageOf(deps, asset, holdings));
}

function coverageOf(
  { assets, treasuryLimits }: CoverageDeps,
  asset: CatalogAsset,
  holdings: ReadonlyMap<string, Holdings>,
): Coverage[] {
  const parts = backedBy(assets, asset).flatMap(({ id }) => holdings.get(id) ?? []);
  const total = (unitsOf: (part: Holdings) => bigint): bigint => parts.reduce((sum, part) => sum + unitsOf(part), 0n);
  const limitUnits = toUnits(limitOf(treasuryLimits, asset), asset.ledgerScale, 'up');
  const heldUnits = total((part) => part.heldUnits) - (limitUnits < 0n ? limitUnits : 0n);
  const [owedUnits, promisedUnits] = [total((part) => part.owedUnits), total((part) => part.promisedUnits)];
  const due = owedUnits + promisedUnits;
  return due <= 0n ? [] : [{ asset, heldUnits, owedUnits, promisedUnits, ratio: ratioOf(heldUnits, due) }];
}

/** Four decimals are enough to show; rounded down, it warns a little too early rather than too late. */
const ratioOf = (held: bigint, due: bigint): Decimal =>
  divide({ digits: held, scale: 0 }, { digits: due, scale: 0 }, 4, 'down');

/** Repeated after an hour, for operators who read the log only now and then. */
const saidAgainMs = hours(1);

export function createCoverageCheck(
  deps: CoverageDeps & { readonly clock: Clock; readonly log: Log; readonly coverageWarning: Decimal },
): (query: Query) => Promise<void> {
  const saidAt = new Map<string, number>();
  return async (query) => {
    const now = deps.clock.now().getTime();
    for (const { asset, ratio } of await loadCoverage(deps, query)) {
      if (!isLess(ratio, deps.coverageWarning)) saidAt.delete(asset.id);
      else if (now - (saidAt.get(asset.id) ?? -saidAgainMs) >= saidAgainMs) {
        saidAt.set(asset.id, now);
        deps.log.warn(
          { asset: asset.id, ratio: formatDecimal(ratio) },
          'too little of an asset is held for what is owed and promised',
        );
      }
    }
  };
}
