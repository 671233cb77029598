/**
 * Asks Stellar how many of our tokens there are, and stores it beside what the books say. What was issued or burned a
 * moment ago and is not booked yet is counted separately, so that a bridge at work makes no difference.
 */
import { findAsset } from '../catalog/asset-catalog.ts';
import { present } from '../lib/assert.ts';
import { rescale } from '../money/amount.ts';
import { NetworkError } from '../networks/port/connector.ts';
import { isBetween, type Uncounted } from '../watching/reconcile.ts';
import { observedTip } from '../watching/reconciliation-store.ts';
import { type BridgeDeps, bridgedAssets } from './bridge.ts';
import { bridgeActivity, bridgeBooks } from './bridge-store.ts';
import { bridgeTokens, saveTokenCounts, type TokenCount } from './bridge-token-store.ts';
import { tokenDifference } from './verify-bridge.ts';

const stellar = 'STELLAR';
const stellarScale = 7;

/** All of them, except those that were counted after `since`. */
export async function tokensToCount(deps: Omit<BridgeDeps, 'pollMs'>, since: Date | null): Promise<string[]> {
  const tokens = await bridgeTokens(deps.db);
  const now = deps.clock.now();
  const isRecent = (asset: string): boolean =>
    tokens.some(({ asset: id, count }) => id === asset && count !== null && isBetween(since, count.countedAt, now));
  // What was issued once is still there, even if it is no longer configured.
  const assets = [...new Set([...bridgedAssets(deps), ...tokens.map(({ asset }) => asset)])].filter((asset) =>
    findAsset(deps.assets, asset),
  );
  return assets.every(isRecent) ? [] : assets;
}

export async function countTokens(deps: Omit<BridgeDeps, 'pollMs'>, since: Date | null = null): Promise<Uncounted[]> {
  const { db, log } = deps;
  const assets = await tokensToCount(deps, since);
  if (assets.length === 0) return [];
  try {
    const counts = await count(deps, assets);
    await db.begin((tx) => saveTokenCounts(tx, counts));
    for (const each of counts.filter((found) => tokenDifference(found) !== 0n))
      log.error(
        { asset: each.asset, difference: tokenDifference(each).toString() },
        'Stellar has another number of our tokens than were issued',
      );
    return [];
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return [{ what: 'tokens on Stellar', reason: error.message }];
  }
}

async function count(deps: Omit<BridgeDeps, 'pollMs'>, assets: readonly string[]): Promise<TokenCount[]> {
  const { db, connectors, clock } = deps;
  const assetOf = (id: string) => present(findAsset(deps.assets, id), `asset ${id}`);
  const tip = await observedTip(db, stellar);
  const supply = connectors.get(stellar)?.supply;
  if (!supply) throw new NetworkError('Stellar is not configured.', { isRetryable: false });
  if (!tip) throw new NetworkError('Stellar has not answered yet.', { isRetryable: true });
  const found = await supply({ tip, assetCodes: assets.map((asset) => assetOf(asset).assetCode) });
  return db.begin(async (tx) => {
    // All of one moment: otherwise a movement booked in between would be counted twice, or not at all.
    await tx`set transaction isolation level repeatable read, read only`;
    if ((await observedTip(tx, stellar))?.hash !== tip.hash)
      throw new NetworkError('The ledger went on while we counted.', { isRetryable: true });
    const [books, activities] = [await bridgeBooks(tx, assets), await bridgeActivity(tx, assets)];
    const countedAt = clock.now();
    return assets.map((asset) => {
      const { assetCode, ledgerScale } = assetOf(asset);
      const units = found.find((each) => each.assetCode === assetCode)?.units ?? 0n;
      const movement = activities.find((each) => each.asset === asset)?.movement ?? null;
      const change = movement === null ? 0n : movement.isIssue ? movement.units : -movement.units;
      return {
        asset,
        supply: rescale(units, stellarScale, ledgerScale, 'down'),
        booked: books.find((each) => each.asset === asset)?.issuedUnits ?? 0n,
        landed: movement?.state === 'LANDED' ? change : 0n,
        underway: movement?.state === 'SIGNED' ? change : 0n,
        countedAt,
      };
    });
  });
}
