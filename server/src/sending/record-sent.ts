/** What networks say about transactions of our own becomes their state, and the books learn what they cost. */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Tx } from '../db/database.ts';
import { enqueue, type NewJob } from '../jobs/enqueue.ts';
import { chainWallet, operatorAccount } from '../ledger/chart-of-accounts.ts';
import type { Entry } from '../ledger/entry.ts';
import { postEntries } from '../ledger/ledger-store.ts';
import { present } from '../lib/assert.ts';
import { rescale } from '../money/amount.ts';
import { type NetworkDefinition, networkAsset, type Observed, type SentUpdate } from '../networks/port.ts';
import { saveReceived } from './exchange-results.ts';
import { endTransfers, refuseTransfer, requeueTransfers, type StoredTransfer } from './outgoing-store.ts';
import {
  type EndedTransaction,
  endIncluded,
  endUnincluded,
  type Inclusion,
  markIncluded,
  unincludeBlocks,
} from './outgoing-transaction-store.ts';

/** In the watcher's transaction. Returns how many transfers ended: their askers are told by jobs. */
export async function recordSent(
  tx: Tx,
  assets: AssetCatalog,
  network: NetworkDefinition,
  observed: Observed,
  at: Date,
): Promise<number> {
  const updates = observed.sent ?? [];
  await unincludeBlocks(tx, network.id, observed.vanishedBlocks);
  await markIncluded(
    tx,
    network.id,
    updates.flatMap((update) => toInclusion(assets, network, update)),
  );
  await saveReceived(
    tx,
    updates.flatMap((update) =>
      (update.exchanged ?? []).map((gave) => ({
        transferId: gave.transferId,
        ...atLedgerScale(assets, network, gave.assetCode, gave.units),
      })),
    ),
  );
  const finalHeight = observed.finalHeight ?? observed.tip.height - network.finalityDepth + 1;
  const ended = await endIncluded(tx, network.id, observed.tip.height, finalHeight, at);

  const transfers: StoredTransfer[] = [];
  for (const { txHash, outcome, block, reason, toBlame = [] } of updates) {
    if (outcome === 'included' || block !== null) continue;
    const isExpired = outcome === 'expired';
    const failure = isExpired ? null : (reason ?? 'The network did not accept it.');
    const gone = await endUnincluded(tx, network.id, { txHash, isExpired, failure }, at);
    if (!gone) continue;
    if (isExpired) await requeueTransfers(tx, gone.id);
    else ended.push(gone);
    for (const { transferId, reason: why } of toBlame)
      transfers.push(...(await refuseTransfer(tx, transferId, why, at)));
  }

  // What expired may have cost something too: a batch that the ledger carried out without effect.
  const expired = updates
    .filter(({ outcome, fee }) => outcome === 'expired' && fee.units > 0n)
    .map(({ txHash, fee }) => {
      const { asset, units } = atLedgerScale(assets, network, fee.assetCode, fee.units);
      return { txHash, feeAsset: asset, feeUnits: units };
    });
  await postEntries(
    tx,
    [
      ...[...ended, ...expired].filter(({ feeUnits }) => feeUnits > 0n).map((each) => feeEntry(network.id, each)),
      ...ended.flatMap((each) => tokenFeeEntry(network.id, each)),
    ],
    at,
  );
  for (const each of ended) transfers.push(...(await endTransfers(tx, each, at)));
  await enqueue(
    tx,
    transfers.map((transfer) => advanceJob(transfer, at)),
  );
  return transfers.length;
}

function toInclusion(assets: AssetCatalog, network: NetworkDefinition, update: SentUpdate): Inclusion[] {
  const { txHash, block, outcome } = update;
  if (block === null || outcome === 'expired') return [];
  return [
    {
      txHash,
      block,
      feeUnits: atLedgerScale(assets, network, update.fee.assetCode, update.fee.units).units,
      kept: update.kept ? atLedgerScale(assets, network, update.kept.assetCode, update.kept.units) : null,
      failure: outcome === 'failed' ? (update.reason ?? 'The network carried it out without effect.') : null,
      moves: (update.moves ?? []).map(({ targetKey, assetCode, units }) => ({
        targetKey,
        ...atLedgerScale(assets, network, assetCode, units),
      })),
    },
  ];
}

function atLedgerScale(
  assets: AssetCatalog,
  network: NetworkDefinition,
  assetCode: string,
  units: bigint,
): { asset: string; units: bigint } {
  const asset = present(findAsset(assets, assetCode), `asset ${assetCode}`);
  const { scale } = networkAsset(network, assetCode);
  return { asset: asset.id, units: rescale(units, scale, asset.ledgerScale, 'down') };
}

type Cost = Pick<EndedTransaction, 'txHash' | 'feeAsset' | 'feeUnits'>;

const feeEntry = (network: string, { txHash, feeAsset, feeUnits }: Cost): Entry => ({
  reference: `network-fee/${network}/${txHash}`,
  kind: 'network_fee',
  merchantId: null,
  checkoutId: null,
  lines: [
    { account: chainWallet(network, feeAsset), units: feeUnits },
    { account: operatorAccount('costs', feeAsset), units: -feeUnits },
  ],
});

/** A token that takes a fee takes it from the operator too, when what was paid in it is collected. */
const tokenFeeEntry = (network: string, { txHash, kept, failure }: EndedTransaction): Entry[] => {
  if (!kept || failure !== null) return [];
  const lines = [
    { account: chainWallet(network, kept.asset), units: kept.units },
    { account: operatorAccount('costs', kept.asset), units: -kept.units },
  ];
  return [
    { reference: `token-fee/${network}/${txHash}`, kind: 'token_fee', merchantId: null, checkoutId: null, lines },
  ];
};

/** Whoever asked for the transfer looks at it again. */
export const advanceJob = ({ id, purpose, merchantId }: StoredTransfer, runAt: Date): NewJob => ({
  name: `${purpose}.advance` as const,
  payload: { merchantId, transferId: id },
  runAt,
});
