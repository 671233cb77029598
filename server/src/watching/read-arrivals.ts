/**
 * Turns what a network reported into payments to be stored: with units at the ledger's scale, and the confirmations
 * that they need.
 */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Query } from '../db/database.ts';
import { present } from '../lib/assert.ts';
import { newId } from '../lib/ids.ts';
import { inParts } from '../lib/in-parts.ts';
import { rescale } from '../money/amount.ts';
import { confirmationTier, type NetworkDefinition, networkAsset } from '../networks/port/definition.ts';
import type { Observation } from '../networks/port/receiving.ts';
import { findArrivals } from '../payments/crumb-store.ts';
import { type Arrivals, isCrumb } from '../payments/is-crumb.ts';
import type { NewPayment } from '../payments/payment-store.ts';

export const arrivalsPerStep = 1_000;

export async function readArrivals(
  deps: { readonly db: Query; readonly assets: AssetCatalog },
  network: NetworkDefinition,
  observations: readonly Observation[],
  now: Date,
): Promise<NewPayment[]> {
  const arrived = new Map<string, Arrivals>();
  const payments: NewPayment[] = [];
  const outputs = onePerOutput(observations);
  const brought = new Map<string, bigint>();
  for (const each of outputs) brought.set(railOf(each), (brought.get(railOf(each)) ?? 0n) + each.units);
  for (const part of inParts(outputs, arrivalsPerStep)) {
    const unknown = new Set(part.map(({ targetKey }) => targetKey).filter((key) => !arrived.has(key)));
    for (const [key, arrivals] of await findArrivals(deps.db, network.id, [...unknown])) arrived.set(key, arrivals);
    for (const each of part)
      payments.push(
        toPayment(deps.assets, network, each, {
          arrivals: arrived.get(each.targetKey) ?? null,
          broughtUnits: brought.get(railOf(each)) ?? each.units,
          now,
        }),
      );
  }
  return payments;
}

const railOf = ({ txHash, assetCode }: Observation): string => `${txHash} ${assetCode}`;

function toPayment(
  assets: AssetCatalog,
  network: NetworkDefinition,
  observation: Observation,
  seen: { readonly arrivals: Arrivals | null; readonly broughtUnits: bigint; readonly now: Date },
): NewPayment {
  const { arrivals, broughtUnits, now } = seen;
  const asset = present(findAsset(assets, observation.assetCode), `asset ${observation.assetCode}`);
  const { scale, minimumUnits } = networkAsset(network, observation.assetCode);
  // Once it is in a block, it is weighed together with everything that counts with it.
  const { confirmations, until } = confirmationTier(network, observation.assetCode, broughtUnits);
  const blockTime = observation.block?.time;
  const units = rescale(observation.units, scale, asset.ledgerScale, 'down');
  const leastUnits = rescale(minimumUnits, scale, asset.ledgerScale, 'up');
  return {
    id: newId(),
    targetKey: observation.targetKey,
    txHash: observation.txHash,
    txIndex: observation.index,
    signedAs: observation.signedAs,
    asset: asset.id,
    units,
    leastUnits,
    isCrumb: isCrumb({ asset: asset.id, units, leastUnits, isInBlock: observation.block !== null }, arrivals),
    confirmationsRequired: confirmations,
    ...(until && { confirmedUntil: until }),
    confirmationsMax: network.finalityDepth,
    block: observation.block,
    firstSeenAt: blockTime && blockTime < now ? blockTime : now,
    dayBegan: observation.dayBegan ?? null,
    trace: observation.trace,
  };
}

/** The same arrival can be reported from the mempool and from a block at once: the one in the block counts. */
function onePerOutput(observations: readonly Observation[]): Observation[] {
  const byOutput = new Map<string, Observation>();
  for (const observation of observations) {
    const key = `${observation.txHash}/${observation.index}`;
    const known = byOutput.get(key);
    if (!known || known.block === null) byOutput.set(key, observation);
  }
  return [...byOutput.values()];
}
