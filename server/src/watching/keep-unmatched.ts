/** Money that names no checkout is booked all the same: we hold it, so the books must say so. */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Tx } from '../db/database.ts';
import { chainWallet, operatorAccount } from '../ledger/chart-of-accounts.ts';
import type { Entry, Line } from '../ledger/entry.ts';
import { postEntries } from '../ledger/ledger-store.ts';
import { present } from '../lib/assert.ts';
import { newId } from '../lib/ids.ts';
import { rescale } from '../money/amount.ts';
import { type NetworkDefinition, networkAsset } from '../networks/port/definition.ts';
import type { UnmatchedArrival } from '../networks/port/receiving.ts';
import { insertUnmatched, type NewUnmatchedPayment } from './unmatched-store.ts';

export async function keepUnmatched(
  tx: Tx,
  assets: AssetCatalog,
  network: NetworkDefinition,
  arrivals: readonly UnmatchedArrival[],
  at: Date,
): Promise<void> {
  if (arrivals.length === 0) return;
  const payments = arrivals.map((arrival): NewUnmatchedPayment => {
    const asset = present(findAsset(assets, arrival.assetCode), `asset ${arrival.assetCode}`);
    const { scale, minimumUnits, unmatchedMinimumUnits = minimumUnits } = networkAsset(network, arrival.assetCode);
    return {
      id: newId(),
      network: network.id,
      txHash: arrival.txHash,
      txIndex: arrival.index,
      asset: asset.id,
      units: rescale(arrival.units, scale, asset.ledgerScale, 'down'),
      isCrumb: arrival.units < unmatchedMinimumUnits,
      sender: arrival.sender,
      memo: arrival.memo,
      block: arrival.block,
      dayBegan: arrival.dayBegan ?? null,
      trace: arrival.trace,
    };
  });
  await bookUnmatched(tx, payments, at);
}

/** Each once, by the name that it has on its network. */
export async function bookUnmatched(tx: Tx, payments: readonly NewUnmatchedPayment[], at: Date): Promise<void> {
  const fresh = await insertUnmatched(tx, payments, at);
  const entries = fresh.map(
    (payment): Entry => ({
      reference: `unmatched/${payment.network}/${payment.txHash}/${payment.txIndex}`,
      kind: 'unmatched_received',
      merchantId: null,
      subject: { kind: 'unmatched_payment', id: payment.id },
      lines: suspenseLines(payment),
    }),
  );
  await postEntries(tx, entries, at);
}

export const suspenseLines = ({
  network,
  asset,
  units,
}: Pick<NewUnmatchedPayment, 'network' | 'asset' | 'units'>): Line[] => [
  { account: operatorAccount('suspense', asset), units },
  { account: chainWallet(network, asset), units: -units },
];
