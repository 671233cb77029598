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
import type { UnmatchedTransfer } from '../networks/port/receiving.ts';
import { insertUnmatched, type NewUnmatchedPayment } from './unmatched-store.ts';

export async function keepUnmatched(
  tx: Tx,
  assets: AssetCatalog,
  network: NetworkDefinition,
  transfers: readonly UnmatchedTransfer[],
  at: Date,
): Promise<void> {
  if (transfers.length === 0) return;
  const payments = transfers.map((transfer): NewUnmatchedPayment => {
    const asset = present(findAsset(assets, transfer.assetCode), `asset ${transfer.assetCode}`);
    const { scale, minimumUnits } = networkAsset(network, transfer.assetCode);
    return {
      id: newId(),
      network: network.id,
      txHash: transfer.txHash,
      txIndex: transfer.index,
      asset: asset.id,
      units: rescale(transfer.units, scale, asset.ledgerScale, 'down'),
      isCrumb: transfer.units < minimumUnits,
      sender: transfer.sender,
      memo: transfer.memo,
      block: transfer.block,
      trace: transfer.trace,
    };
  });
  const fresh = await insertUnmatched(tx, payments, at);
  const entries = fresh.map(
    (payment): Entry => ({
      reference: `unmatched/${payment.network}/${payment.txHash}/${payment.txIndex}`,
      kind: 'unmatched_received',
      merchantId: null,
      checkoutId: null,
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
