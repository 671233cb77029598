/**
 * What changed the holdings and is no payment: it is stored once, whatever order and however often networks tell of it,
 * and the books have it from that moment. A reversal is taken from its payment; what of it cannot be (its payment has
 * not come, or brought less) is open until its payment comes or a person explains it.
 */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Tx } from '../db/database.ts';
import type { Entry } from '../ledger/entry.ts';
import { postEntries } from '../ledger/ledger-store.ts';
import { assert, present } from '../lib/assert.ts';
import { newId } from '../lib/ids.ts';
import { rescale } from '../money/amount.ts';
import { type NetworkDefinition, networkAsset } from '../networks/port/definition.ts';
import type { Observed } from '../networks/port/receiving.ts';
import {
  insertMovements,
  lockAwaited,
  type Movement,
  type NewMovement,
  saveAbout,
  saveOpenUnits,
} from '../payments/movement-store.ts';
import { explainedMovement, receivedMovement } from './movement-entries.ts';
import { type ReversedPayment, takeBackPayment } from './take-back-payment.ts';

export type KeptMovements = {
  /** Payments whose owners must be looked at. */
  readonly reversed: readonly ReversedPayment[];
  /** Of new ones, how many a person has to explain. */
  readonly unexplained: number;
};

/** Runs in the watcher's transaction, after what arrived was stored. */
export async function keepMovements(
  tx: Tx,
  assets: AssetCatalog,
  network: NetworkDefinition,
  observed: Pick<Observed, 'observations' | 'unmatched' | 'reversals' | 'otherMovements'>,
  at: Date,
): Promise<KeptMovements> {
  const told = movementsOf(assets, network, observed);
  const arrived = [...observed.observations, ...(observed.unmatched ?? [])].map(({ txHash }) => txHash);
  if (told.length + arrived.length === 0) return { reversed: [], unexplained: 0 };
  const fresh = await insertMovements(tx, told, at);
  const entries: Entry[] = [];
  const reversed: ReversedPayment[] = [];
  let unexplained = 0;
  for (const movement of fresh) {
    const taken = await takeBackPayment(tx, movement, movement.units, at);
    entries.push(...receivedMovement(movement, movement.units + taken.ofPayment), ...taken.ofOwn);
    const isExplained = movement.kind !== 'UNKNOWN' && movement.kind !== 'REVERSAL';
    const open = isExplained ? 0n : movement.units + taken.ofPayment + taken.ofUnmatched;
    if (open !== 0n) unexplained += 1;
    await saveOpenUnits(tx, movement.id, open);
    if (taken.doubted.length > 0) await saveAbout(tx, movement.id, taken.doubted);
    reversed.push(...taken.reversed);
  }
  for (const movement of arrived.length === 0 ? [] : await lockAwaited(tx, network.id, arrived)) {
    const taken = await takeOpen(tx, movement, at);
    entries.push(...taken.entries);
    reversed.push(...taken.reversed);
  }
  const posted = await postEntries(tx, entries, at);
  assert(posted.size === entries.length, 'a movement had been booked before');
  return { reversed, unexplained };
}

/** What is open of a reversal that was told before is taken from its payment, as far as that goes. */
export async function takeOpen(
  tx: Tx,
  movement: Movement,
  at: Date,
): Promise<{ units: bigint; entries: Entry[]; reversed: readonly ReversedPayment[] }> {
  const taken = await takeBackPayment(tx, movement, movement.openUnits, at);
  const units = taken.ofPayment + taken.ofUnmatched;
  if (units === 0n) return { units, entries: [], reversed: [] };
  await saveOpenUnits(tx, movement.id, movement.openUnits + units);
  const entries = taken.ofPayment === 0n ? [] : [explainedMovement(movement, -taken.ofPayment, null)];
  return { units, entries: [...entries, ...taken.ofOwn], reversed: taken.reversed };
}

function movementsOf(
  assets: AssetCatalog,
  network: NetworkDefinition,
  { reversals = [], otherMovements = [] }: Pick<Observed, 'reversals' | 'otherMovements'>,
): NewMovement[] {
  const toLedger = (assetCode: string, units: bigint) => {
    const asset = present(findAsset(assets, assetCode), `asset ${assetCode}`);
    const { scale } = networkAsset(network, assetCode);
    return { asset: asset.id, units: rescale(units, scale, asset.ledgerScale, 'down') };
  };
  return [
    ...reversals.map(({ reversalId, txHash, index, assetCode, units, block, reason }): NewMovement => {
      assert(units > 0n, `the reversal ${reversalId} takes nothing back`);
      const { asset, units: taken } = toLedger(assetCode, units);
      return {
        id: newId(),
        network: network.id,
        kind: 'REVERSAL',
        key: reversalId,
        asset,
        units: -taken,
        txHash,
        txIndex: index,
        note: reason,
        about: [],
        block,
      };
    }),
    ...otherMovements.map(({ key, kind, assetCode, units: told, block, note, about = [] }): NewMovement => {
      const { asset, units } = toLedger(assetCode, told);
      const none = { txHash: null, txIndex: null };
      return { id: newId(), network: network.id, kind, key, asset, units, ...none, note, about, block };
    }),
  ];
}
