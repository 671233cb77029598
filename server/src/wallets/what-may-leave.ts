/**
 * What may leave an account now: what is available, less what was credited for blocks that are not deep enough for the
 * sum that they brought, and no more than the ceiling of the house has room for. Whoever lets money leave asks here,
 * under the lock of the balance.
 */
import { type AssetCatalog, type CatalogAsset, findAsset } from '../catalog/asset-catalog.ts';
import type { Query, Tx } from '../db/database.ts';
import { confirmationLadder, type Heights, type Ladder, type Sums } from '../deposits/confirmation-ladder.ts';
import { merchantAccount } from '../ledger/chart-of-accounts.ts';
import { readBalances } from '../ledger/ledger-store.ts';
import { present } from '../lib/assert.ts';
import { addMs, type Clock } from '../lib/clock.ts';
import { smaller } from '../money/amount.ts';
import { type Decimal, type Rounding, toUnits } from '../money/decimal.ts';
import type { Connector } from '../networks/port/connector.ts';
import type { NetworkDefinition } from '../networks/port/definition.ts';
import { convertUnits, isConversion, worthRate } from '../pricing/conversion.ts';
import type { RateBook } from '../pricing/rate-book.ts';
import { ceilings, heightAbove, mostWithin, unitsByStep } from './house-ceiling.ts';
import { mustWait } from './leaving-errors.ts';
import { type UnfinalBlock, unitsOfAsset, type WaitingBlock, waitingBlocks } from './unfinal-credits.ts';
import {
  hasManyMerchants,
  lockExposure,
  readHeights,
  readUnfinalBlocks,
  uncoveredUnits,
  unfinalNetworks,
} from './unfinal-store.ts';

export type LeavingDeps = {
  readonly clock: Clock;
  readonly assets: AssetCatalog;
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly rates: RateBook;
  readonly unfinalCeilings: UnfinalCeilings;
};

/** By network, in its default asset. Left out: a multiple of the largest amount that has a limit of its own. */
export type UnfinalCeilings = ReadonlyMap<string, Decimal>;

/** Why not everything that is available may leave, and until when, as things are. */
export type Wait = {
  readonly units: bigint;
  readonly network: string; // its name
  readonly reason: 'depth' | 'ceiling';
  /** It becomes final after days, which no number of blocks tells. */
  readonly isByDays?: boolean;
  readonly confirmations: number | null; // null: nobody knows: its block is no longer part of the chain, or it is by days
  readonly until: Date | null;
};

export type Leaving = {
  readonly mostUnits: bigint;
  readonly wait: Wait | null;
  /** Blocks of each network from which nothing may leave yet, also not what nobody was credited for. */
  readonly waiting: ReadonlyMap<string, readonly WaitingBlock[]>;
};

/** Before any lock of the ledger, and after it `whatMayLeave`. */
export async function lockLeaving(tx: Tx, merchantId: string): Promise<ReadonlySet<string>> {
  const networks = await unfinalNetworks(tx, merchantId);
  await lockExposure(tx, networks);
  return new Set(networks);
}

/**
 * For orders that would be refused anyway: before any lock, without which nothing is certain. What all accounts have taken
 * out is not counted in no time, and whoever asks again and again for what must wait would else keep others waiting.
 */
export const asIfLocked = ({ connectors }: LeavingDeps): ReadonlySet<string> => new Set(connectors.keys());

/** Throws when this much must wait. Too little to have is no matter of ours. */
export async function demandFree(
  deps: LeavingDeps,
  query: Query,
  { merchantId, asset, units }: { readonly merchantId: string; readonly asset: string; readonly units: bigint },
): Promise<void> {
  const account = merchantAccount(merchantId, 'available', asset);
  const availableUnits = (await readBalances(query, [account])).get(account) ?? 0n;
  if (availableUnits < units) return;
  const held = { merchantId, asset, availableUnits };
  const leaving = await whatMayLeave(deps, query, held, { units, locked: asIfLocked(deps) });
  if (units > leaving.mostUnits) throw mustWait(present(findAsset(deps.assets, asset), `asset ${asset}`), leaving);
}

/** What is taken from payments that nobody was credited for counts as if it had been credited and had left. */
export type Taken = {
  readonly network: string;
  readonly height: number | null;
  readonly units: bigint;
  readonly isCounted: boolean; // its payment is among those that are weighed already
};

/** What is about to leave, by somebody who has locked these networks. */
export type Order = {
  readonly units: bigint;
  readonly locked: ReadonlySet<string>;
  readonly taken?: readonly Taken[];
};

/** Without an order: for showing only. */
export async function whatMayLeave(
  deps: LeavingDeps,
  query: Query,
  account: { readonly merchantId: string; readonly asset: string; readonly availableUnits: bigint },
  order: Order | null = null,
): Promise<Leaving> {
  const { merchantId, asset, availableUnits } = account;
  const blocksByNetwork = await readUnfinalBlocks(query, merchantId);
  const taken = order?.taken ?? [];
  const networks = [...new Set([...blocksByNetwork.keys(), ...taken.map(({ network }) => network)])];
  const waiting = new Map<string, readonly WaitingBlock[]>();
  let mostUnits = availableUnits;
  let wait: Wait | null = null;
  const limit = (most: bigint, why: Omit<Wait, 'units'>): void => {
    if (most >= mostUnits) return;
    mostUnits = most;
    wait = { ...why, units: smaller(availableUnits, availableUnits - (most > 0n ? most : 0n)) };
  };

  let deepEnough = availableUnits;
  for (const rail of await railsOf(deps, query, networks)) {
    const { network } = rail;
    const blocks = withTaken(
      blocksByNetwork.get(network.id) ?? [],
      asset,
      taken.filter((each) => each.network === network.id),
    );
    const held = waitingBlocks(rail.ladder, rail.heights, blocks);
    waiting.set(network.id, held);
    const heldHere = held.filter(({ credited }) => (credited.get(asset) ?? 0n) > 0n);
    deepEnough -= unitsOfAsset(heldHere, asset);
    if (heldHere.length > 0)
      limit(deepEnough, { network: network.name, reason: 'depth', ...untilOf(deps, network, heldHere) });
    // What it still has covers all that it could lose.
    if (availableUnits - (order?.units ?? availableUnits) >= unitsOfAsset(blocks, asset)) continue;
    // What came at this very moment, after the locks were taken, waits for the next order.
    const isUnlocked = order !== null && !order.locked.has(network.id);
    const rooms = isUnlocked ? rail.ladder.steps.map(() => 0n) : await roomByStep(deps, query, rail, account);
    if (rooms === null) continue;
    const risks = unitsByStep(rail.ladder, rail.heights, blocks, asset);
    limit(mostWithin(availableUnits, risks, rooms), {
      network: network.name,
      reason: 'ceiling',
      ...finalOf(deps, rail, blocks, asset),
    });
  }
  return { mostUnits, wait, waiting };
}

type Rail = { readonly network: NetworkDefinition; readonly ladder: Ladder; readonly heights: Heights };

/** A network that is not configured any more says nothing: what came there would wait for ever. */
async function railsOf(
  deps: Pick<LeavingDeps, 'assets' | 'connectors'>,
  query: Query,
  networks: readonly string[],
): Promise<Rail[]> {
  if (networks.length === 0) return [];
  return (await readHeights(query, networks)).flatMap(({ network: id, tip, safe, final }) => {
    const network = deps.connectors.get(id)?.network;
    if (!network) return [];
    const finalHeight = final ?? tip - network.finalityDepth + 1;
    const heights = { tip, final: finalHeight, safe: safe ?? finalHeight };
    return [{ network, ladder: confirmationLadder(deps.assets, network), heights }];
  });
}

function withTaken(blocks: readonly UnfinalBlock[], asset: string, taken: readonly Taken[]): UnfinalBlock[] {
  const byHeight = new Map(blocks.map((block) => [block.height, block]));
  for (const { height, units, isCounted } of taken) {
    const { paid, credited } = byHeight.get(height) ?? { paid: new Map(), credited: new Map() };
    byHeight.set(height, {
      height,
      paid: isCounted ? paid : added(paid, asset, units),
      credited: added(credited, asset, units),
    });
  }
  return [...byHeight.values()];
}

const added = (sums: Sums, asset: string, units: bigint): Sums =>
  new Map(sums).set(asset, (sums.get(asset) ?? 0n) + units);

function untilOf({ clock }: LeavingDeps, network: NetworkDefinition, blocks: readonly WaitingBlock[]) {
  const missing = blocks.map(({ confirmations }) => confirmations);
  const known = missing.filter((each) => each !== null);
  if (known.length < missing.length) return { confirmations: null, until: null };
  const confirmations = Math.max(...known);
  return { confirmations, until: addMs(clock.now(), confirmations * network.averageBlockSeconds * 1_000) };
}

/** At the latest when all of it is final. */
function finalOf(deps: LeavingDeps, { network, heights }: Rail, blocks: readonly UnfinalBlock[], asset: string) {
  if (network.type === 'BANK') return { isByDays: true, confirmations: null, until: null };
  const own = blocks.filter(({ credited }) => (credited.get(asset) ?? 0n) > 0n);
  return untilOf(
    deps,
    network,
    own.map((block) => ({ ...block, confirmations: block.height === null ? null : block.height - heights.final })),
  );
}

/** What may still be uncovered of this account, by step, in its own asset. Null: there is no ceiling. */
async function roomByStep(
  deps: LeavingDeps,
  query: Query,
  rail: Rail,
  account: { readonly merchantId: string; readonly asset: string },
): Promise<readonly bigint[] | null> {
  const ceiling = ceilingOf(deps, rail);
  if (!ceiling) return null;
  const asset = present(findAsset(deps.assets, account.asset), `asset ${account.asset}`);
  const others = await houseExposure(deps, query, rail, ceiling.asset, account);
  const isShared = await hasManyMerchants(query);
  return ceiling.units.map((units, step) => {
    const used = others[step];
    const left = used === undefined || used === null ? null : units - used;
    // What blocks above are good for is a small part of the ceiling. Down here one account could take all of it.
    const isLast = step === ceiling.units.length - 1;
    const room = left !== null && isShared && isLast ? left / 2n : left;
    // What has no rate might be worth anything.
    return (room === null ? null : convert(deps.rates, room > 0n ? room : 0n, ceiling.asset, asset, 'down')) ?? 0n;
  });
}

function ceilingOf(deps: LeavingDeps, { network, ladder }: Rail) {
  const asset = present(findAsset(deps.assets, network.assets[0]?.assetCode ?? ''), 'the default asset of a network');
  const set = deps.unfinalCeilings.get(network.id);
  const units = ceilings(ladder, asset.id, set ? toUnits(set, asset.ledgerScale, 'down') : null);
  return units && { asset, units };
}

/** What the house would lose on a network, by step, in its default asset. Null: something has no rate. */
async function houseExposure(
  deps: LeavingDeps,
  query: Query,
  { network, ladder, heights }: Rail,
  inAsset: CatalogAsset,
  without: { readonly merchantId: string; readonly asset: string } | null,
): Promise<(bigint | null)[]> {
  const cuts = ladder.steps.map((_, step) => heightAbove(ladder, heights, step));
  const sums: (bigint | null)[] = cuts.map(() => 0n);
  for (const { step, asset: id, units } of await uncoveredUnits(query, network.id, cuts, without)) {
    const asset = present(findAsset(deps.assets, id), `asset ${id}`);
    const sum = sums[step];
    const value = units === 0n ? 0n : convert(deps.rates, units, asset, inAsset, 'up');
    sums[step] = sum === undefined || sum === null || value === null ? null : sum + value;
  }
  return sums;
}

function convert(
  rates: RateBook,
  units: bigint,
  from: CatalogAsset,
  to: CatalogAsset,
  rounding: Rounding,
): bigint | null {
  const scales = { from: from.ledgerScale, to: to.ledgerScale };
  const worth = worthRate(rates.rate, from.currencyCode, to.currencyCode);
  return isConversion(worth) ? convertUnits(worth, units, scales, rounding) : null;
}

/** For the operator: of each network with a ceiling, what has left against payments that are not final. */
export async function exposureOfHouse(
  deps: LeavingDeps,
  query: Query,
): Promise<{ network: string; asset: string; ceiling: bigint; exposure: bigint | null }[]> {
  const rails = await railsOf(deps, query, [...deps.connectors.keys()]);
  const shown = rails.map(async (rail) => {
    const ceiling = ceilingOf(deps, rail);
    if (!ceiling) return [];
    const exposure = (await houseExposure(deps, query, rail, ceiling.asset, null)).at(-1) ?? null;
    return [{ network: rail.network.id, asset: ceiling.asset.id, ceiling: ceiling.units.at(-1) ?? 0n, exposure }];
  });
  return (await Promise.all(shown)).flat();
}
