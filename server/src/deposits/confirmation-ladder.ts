/**
 * How deep a block must be for how much money, for sums of several assets. Pure.
 *
 * Tiers are written for one asset. But a reorganisation takes away everything that a block brought, in all assets. So
 * each amount counts as a part of the most that its own asset may have at a depth; if the parts add up to one or more,
 * it is too much. Otherwise a payer could split a large amount over several assets.
 *
 * What credited money may leave follows from it (`wallets/what-may-leave.ts`). How many confirmations a payment itself
 * needs is read from the tiers when it is seen (`watching/read-arrivals.ts`), and raised with what came with it
 * (`payments/payment-store.ts`, `weighPayments`).
 */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { rescale } from '../money/amount.ts';
import { divideUnits, power10 } from '../money/decimal.ts';
import type { ConfirmationTier, NetworkDefinition } from '../networks/port/definition.ts';

/** How far a network has been read, and which blocks it calls safe and final. */
export type Heights = { readonly tip: number; readonly safe: number; readonly final: number };

export type LadderStep = Pick<ConfirmationTier, 'confirmations' | 'until'>;

export type Ladder = {
  /** From the smallest depth to the one that is enough for any amount. */
  readonly steps: readonly LadderStep[];
  /** For each asset, by its id: the amount that is too much at each step; null: no amount is. At the ledger's scale. */
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

/** The amount from which on this step is not deep enough; null: it is enough for any amount. */
function limitAt(tiers: readonly ConfirmationTier[], step: LadderStep): bigint | null {
  const reached = tiers.filter((tier) => tier.confirmations <= step.confirmations && rankOf(tier) <= rankOf(step));
  const highest = reached.at(-1);
  return highest ? (highest.belowUnits ?? null) : 0n;
}

/**
 * What a unit counts at a step, as a part of `wholeWeight`: rounded up, but so fine that an amount below its limit
 * never becomes too much.
 */
export const wholeWeight = power10(72);
export const unitWeight = (limit: bigint | null): bigint =>
  limit === null ? 0n : limit === 0n ? wholeWeight : divideUnits(wholeWeight, limit, 'up');

/** The step that a block at this height has reached; -1: not even the first, or it is in no block (null). */
export function stepReached({ steps }: Ladder, height: number | null, { tip, safe, final }: Heights): number {
  if (height === null) return -1;
  if (height <= final) return steps.length - 1;
  const isReached = ({ confirmations, until }: LadderStep): boolean =>
    tip - height + 1 >= confirmations && (until === undefined || (until === 'safe' && height <= safe));
  // From the last step down: a network may call a block safe before it is as deep as an earlier step asks.
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

/**
 * As a part of `wholeWeight`. An asset that the network no longer has counts as nothing, because nothing is known about
 * it.
 */
export function weightAt({ limits }: Ladder, step: number, sums: Sums): bigint {
  let weight = 0n;
  for (const [asset, units] of sums) {
    const limit = step < 0 ? 0n : limits.get(asset)?.[step];
    if (limit !== undefined) weight += units * unitWeight(limit);
  }
  return weight;
}
