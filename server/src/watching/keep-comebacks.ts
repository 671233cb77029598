/**
 * What was sent and came back is stored once, however often and in whichever order networks tell of it. What of it goes back
 * to whoever asked for the payout is booked by the job that ends such payouts, once the payout is done. All the rest came
 * for nobody (more than was sent, or of a payout that never was): it lies in suspense from this moment, for a person.
 */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Tx } from '../db/database.ts';
import { enqueue, type NewJob } from '../jobs/enqueue.ts';
import { assert, present } from '../lib/assert.ts';
import { newId } from '../lib/ids.ts';
import { rescale, smaller } from '../money/amount.ts';
import { type NetworkDefinition, networkAsset } from '../networks/port/definition.ts';
import type { Comeback } from '../networks/port/receiving.ts';
import {
  type ComebackPayout,
  insertComebacks,
  lockComebackPayout,
  lockInVain,
  type NewComeback,
  saveTakenUnits,
} from '../sending/comeback-store.ts';
import type { PayoutPurpose } from '../sending/payout-store.ts';
import { advanceJob } from '../sending/record-sent.ts';
import { bookUnmatched } from './keep-unmatched.ts';
import type { NewUnmatchedPayment } from './unmatched-store.ts';

/** Who can be given something back. What we exchange with ourselves, or issue, never leaves us. */
const givesBack: readonly PayoutPurpose[] = ['transfer', 'refund', 'return', 'withdrawal'];

/**
 * Runs in the watcher's transaction, after it was recorded what became of payouts (`haveSomeEnded`). Returns how
 * many must be looked at.
 */
export async function keepComebacks(
  tx: Tx,
  assets: AssetCatalog,
  network: NetworkDefinition,
  { comebacks, haveSomeEnded }: { readonly comebacks: readonly Comeback[]; readonly haveSomeEnded: boolean },
  at: Date,
): Promise<number> {
  if (comebacks.length === 0 && !haveSomeEnded) return 0;
  const fresh = await insertComebacks(
    tx,
    comebacks.map((each) => toStored(assets, network, each)),
    at,
  );
  const forNobody: NewUnmatchedPayment[] = [];
  const jobs = new Map<string, NewJob>();
  for (const comeback of fresh) {
    const payout = await lockComebackPayout(tx, comeback);
    const taken = smaller(comeback.units, owedTo(payout));
    await saveTakenUnits(tx, comeback, taken);
    if (payout?.state === 'DONE' && taken > 0n) jobs.set(payout.id, advanceJob(payout, at));
    forNobody.push(...unmatchedOf(comeback, comeback.units - taken, { sender: payout?.address ?? null, part: '0' }));
  }
  for (const comeback of await lockInVain(tx, network.id)) {
    await saveTakenUnits(tx, comeback, 0n);
    forNobody.push(...unmatchedOf(comeback, comeback.takenUnits, { sender: null, part: '1' }));
  }
  await bookUnmatched(tx, forNobody, at);
  await enqueue(tx, [...jobs.values()]);
  return jobs.size;
}

const owedTo = (payout: ComebackPayout | undefined): bigint =>
  payout && payout.state !== 'FAILED' && givesBack.includes(payout.purpose) ? payout.unitsOut : 0n;

/** `part`: one comeback may be for nobody in two parts, at different times. */
export const unmatchedOf = (
  { network, comebackId, asset, reason, block }: NewComeback,
  units: bigint,
  { sender, part }: { readonly sender: string | null; readonly part: '0' | '1' },
): NewUnmatchedPayment[] =>
  units === 0n
    ? []
    : [
        {
          id: newId(),
          network,
          txHash: `comeback:${comebackId}`,
          txIndex: part,
          asset,
          units,
          isCrumb: false, // Nobody can send us these in any number: a person reads each.
          sender,
          memo: reason,
          block,
          dayBegan: null,
          trace: {},
        },
      ];

function toStored(assets: AssetCatalog, network: NetworkDefinition, told: Comeback): NewComeback {
  const { comebackId, payoutId, txHash, assetCode, units, block, reason } = told;
  assert(units > 0n, `the comeback ${comebackId} brings nothing`);
  const asset = present(findAsset(assets, assetCode), `asset ${assetCode}`);
  const { scale } = networkAsset(network, assetCode);
  const brought = rescale(units, scale, asset.ledgerScale, 'down');
  return { network: network.id, comebackId, payoutId, txHash, asset: asset.id, units: brought, reason, block };
}
