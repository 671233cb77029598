/**
 * How deep a block must be for how much money, for sums of several assets. Pure.
 *
 * Tiers are written for one asset. A reorganisation takes everything that a block brought, in whichever asset, so each
 * amount counts as the part that it is of the most its own asset may have at a depth; parts of one and more are too
 * much. Otherwise a payer would split what is too large into several assets.
 */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { rescale } from '../money/amount.ts';
import { divideUnits, power10 } from '../money/decimal.ts';
import type { ConfirmationTier, NetworkDefinition } from '../networks/port/definition.ts';

/** As far as a network has been read, and which blocks it calls safe and final. */
export type Heights = { readonly tip: number; readonly safe: number; readonly final: number };

export type LadderStep = Pick<ConfirmationTier, 'confirmations' | 'until'>;

export type Ladder = {
  /** From the shallowest to the one that is deep enough for any amount. */
  readonly steps: readonly LadderStep[];
  /** Of each asset by its id: at each step, the amount that is too much for it; null: none is. At the ledger's scale. */
  readonly limits: ReadonlyMap<string, readonly (bigint | null)[]>;
};

export function confirmationLadder(assets: AssetCatalog, network: NetworkDefinition): Ladder {
  const carried = [...network.assets, ...(network.tokens ?? [])].flatMap((rail) => {
    const asset = findAsset(assets, rail.assetCode);
    return asset ? [{ asset, rail, tiers: rail.confirmationTiers ?? network.confirmationTiers }] : [];
  });
  const steps = distinctSteps(carried.flatMap(({ tiers }) => tiers));
  const limits = carried.map(({ asset, rail, tiers }): [string, (bigint | null)[]] => [
    asset.id,
    steps.map((step) => {
      const limit = limitAt(tiers, step);
      return limit === null ? null : rescale(limit, rail.scale, asset.ledgerScale, 'up');
    }),
  ]);
  return { steps, limits: new Map(limits) };
}

const untilRank = { none: 0, safe: 1, final: 2 };
const rankOf = ({ until }: LadderStep): number => untilRank[until ?? 'none'];

function distinctSteps(tiers: readonly ConfirmationTier[]): LadderStep[] {
  const steps = tiers.map(({ confirmations, until }): LadderStep => ({ confirmations, ...(until && { until }) }));
  const distinct = new Map(steps.map((step) => [`${step.confirmations} ${step.until}`, step]));
  return [...distinct.values()].sort((a, b) => a.confirmations - b.confirmations || rankOf(a) - rankOf(b));
}

/** The amount from which this step is too shallow; null: it is deep enough for any. */
function limitAt(tiers: readonly ConfirmationTier[], step: LadderStep): bigint | null {
  const reached = tiers.filter((tier) => tier.confirmations <= step.confirmations && rankOf(tier) <= rankOf(step));
  const highest = reached.at(-1);
  return highest ? (highest.belowUnits ?? null) : 0n;
}

/**
 * What a unit counts at a step, of `wholeWeight`: rounded up, and fine enough that this never makes an amount too much
 * that is below its limit.
 */
export const wholeWeight = power10(72);
export const unitWeight = (limit: bigint | null): bigint =>
  limit === null ? 0n : limit === 0n ? wholeWeight : divideUnits(wholeWeight, limit, 'up');

/** The step that a block of this height has reached; -1: not even the first. Null: it is in no block. */
export function stepReached({ steps }: Ladder, height: number | null, { tip, safe, final }: Heights): number {
  if (height === null) return -1;
  if (height <= final) return steps.length - 1;
  const isReached = ({ confirmations, until }: LadderStep): boolean =>
    tip - height + 1 >= confirmations && (until === undefined || (until === 'safe' && height <= safe));
  // From above: a network may call a block safe before it is as deep as a step below asks.
  return steps.findLastIndex(isReached);
}

/** The height up to which blocks are deep enough for any amount. */
export function openHeight({ steps }: Ladder, { tip, safe, final }: Heights): number {
  const last = steps.at(-1);
  if (!last || last.until === 'final') return final;
  const deep = tip - last.confirmations + 1;
  return Math.max(final, last.until === 'safe' ? Math.min(deep, safe) : deep);
}

/** By asset id, at the ledger's scale. */
export type Sums = ReadonlyMap<string, bigint>;

/** Of `wholeWeight`. An asset that the network does not carry any more counts for nothing: nothing is known of it. */
export function weightAt({ limits }: Ladder, step: number, sums: Sums): bigint {
  let weight = 0n;
  for (const [asset, units] of sums) {
    const limit = step < 0 ? 0n : limits.get(asset)?.[step];
    if (limit !== undefined) weight += units * unitWeight(limit);
  }
  return weight;
}

/** The first step that is deep enough for these sums together. */
export function stepFor(ladder: Ladder, sums: Sums): number {
  const step = ladder.steps.findIndex((_, position) => weightAt(ladder, position, sums) < wholeWeight);
  return step === -1 ? ladder.steps.length - 1 : step;
}
