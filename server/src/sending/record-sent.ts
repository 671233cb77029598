/** What networks say about transactions of our own becomes their state, and the books learn what they cost. */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Tx } from '../db/database.ts';
import { enqueue, type NewJob } from '../jobs/enqueue.ts';
import { chainWallet, operatorAccount } from '../ledger/chart-of-accounts.ts';
import { type Entry, opposite } from '../ledger/entry.ts';
import { linesOfEntry, postEntries } from '../ledger/ledger-store.ts';
import { present } from '../lib/assert.ts';
import { rescale } from '../money/amount.ts';
import { divideUnits } from '../money/decimal.ts';
import { type NetworkDefinition, networkAsset } from '../networks/port/definition.ts';
import type { Observed } from '../networks/port/receiving.ts';
import type { SentUpdate } from '../networks/port/sending.ts';
import { saveReceived } from './exchange-results.ts';
import {
  endTransfers,
  refuseTransfer,
  renameTransfers,
  requeueTransfers,
  type StoredTransfer,
} from './outgoing-store.ts';
import {
  bookedVersions,
  type EndedTransaction,
  endIncluded,
  endUnincluded,
  type Inclusion,
  markIncluded,
  replaceBooked,
  spendersOf,
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
  const included = updates.flatMap((update) => toInclusion(assets, network, update));
  await markIncluded(tx, network.id, included);
  const corrected = await correctBooked(tx, network.id, included, at);
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
  const { ended: happened, replacedHashes } = await endIncluded(tx, network.id, observed.tip.height, finalHeight, at);
  const ended = [...happened];

  const unhappened = updates.filter(({ outcome, block }) => outcome !== 'included' && block === null);
  for (const { txHash, reason } of unhappened.filter(({ outcome }) => outcome === 'failed')) {
    const failure = reason ?? 'The network did not accept it.';
    const end = await endUnincluded(tx, network.id, { txHash, isExpired: false, failure }, at);
    if (end?.isLastVersion) ended.push(end.gone);
  }
  const expiredHashes = unhappened.filter(({ outcome }) => outcome === 'expired').map(({ txHash }) => txHash);
  const takenBack = await expire(tx, network.id, expiredHashes, replacedHashes, at);
  const transfers: StoredTransfer[] = [...corrected.transfers, ...takenBack.transfers];
  for (const [transferId, { reason, costUnits }] of blamed(assets, network, unhappened))
    transfers.push(...(await refuseTransfer(tx, transferId, reason, at, costUnits)));

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
      ...corrected.entries,
      ...takenBack.entries,
      ...expired.flatMap((each) => feeEntry(network.id, each)),
      ...ended.flatMap((each) => costEntries(network.id, each)),
    ],
    at,
  );
  for (const each of ended) {
    transfers.push(...(await endTransfers(tx, each, at)));
    // Only what was done before is left of it.
    if (each.failure !== null) transfers.push(...(await requeueTransfers(tx, each.id, at)));
  }
  await enqueue(
    tx,
    transfers.map((transfer) => advanceJob(transfer, at)),
  );
  return transfers.length;
}

/** Those to blame for a batch without effect share what it cost, whichever of its versions it was that did. */
function blamed(assets: AssetCatalog, network: NetworkDefinition, updates: readonly SentUpdate[]) {
  const found = new Map<string, { readonly reason: string; readonly costUnits: bigint }>();
  for (const { fee, toBlame = [] } of updates)
    for (const { transferId, reason } of toBlame) {
      const { units } = atLedgerScale(assets, network, fee.assetCode, fee.units);
      const share = divideUnits(units, BigInt(toBlame.length), 'up');
      found.set(transferId, { reason, costUnits: (found.get(transferId)?.costUnits ?? 0n) + share });
    }
  return found;
}

/**
 * A block that was given up may come back with another version of what it had, or with the same at another price or
 * without effect. What was sent stays sent; but what it cost, and by which transaction it went, is told anew.
 */
async function correctBooked(
  tx: Tx,
  network: string,
  included: readonly Inclusion[],
  at: Date,
): Promise<{ entries: Entry[]; transfers: StoredTransfer[] }> {
  const entries: Entry[] = [];
  const transfers: StoredTransfer[] = [];
  for (const version of await bookedVersions(tx, network, included)) {
    const { booked, happened } = version;
    const before = await bookedCosts(tx, network, booked);
    const isAsBooked = booked.txHash === happened.txHash && happened.failure === null;
    if (isAsBooked && isSameCost(before, costEntries(network, happened))) continue;
    const done = await replaceBooked(tx, network, version, at);
    entries.push(...before.map(reversed));
    if (done.failure !== null) continue; // Its cost is booked when it ends.
    entries.push(...costEntries(network, done));
    transfers.push(...(await renameTransfers(tx, done)));
  }
  return { entries, transfers };
}

/**
 * What can never happen takes with it what would have spent its change. Its transfers wait for another transaction; the
 * cost of one that was booked is taken back. `transfers`: those that were done, and are not any more.
 */
async function expire(
  tx: Tx,
  network: string,
  expired: readonly string[],
  replaced: readonly string[],
  at: Date,
): Promise<{ entries: Entry[]; transfers: StoredTransfer[] }> {
  const entries: Entry[] = [];
  const transfers: StoredTransfer[] = [];
  const impossible = [...replaced];
  for (let hashes = expired; hashes.length > 0 || impossible.length > 0; ) {
    for (const txHash of hashes) {
      const end = await endUnincluded(tx, network, { txHash, isExpired: true, failure: null }, at);
      if (!end) continue;
      impossible.push(txHash);
      if (!end.isLastVersion) continue;
      transfers.push(...(await requeueTransfers(tx, end.gone.id, at)));
      entries.push(...(await bookedCosts(tx, network, end.gone)).map(reversed));
    }
    hashes = impossible.length === 0 ? [] : await spendersOf(tx, network, impossible.splice(0));
  }
  return { entries, transfers };
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

type Cost = Pick<EndedTransaction, 'txHash' | 'feeAsset' | 'feeUnits'> & { readonly rebookings?: number };

const costKinds = { network_fee: 'network-fee', token_fee: 'token-fee' } as const;
type CostKind = keyof typeof costKinds;

/** What was booked, taken back and is booked again has a number. */
const costReference = (
  kind: CostKind,
  network: string,
  { txHash, rebookings = 0 }: Pick<Cost, 'txHash' | 'rebookings'>,
) => `${costKinds[kind]}/${network}/${txHash}${rebookings === 0 ? '' : `/${rebookings}`}`;

const costEntry = (kind: CostKind, network: string, cost: Cost, asset: string, units: bigint): Entry[] =>
  units === 0n
    ? []
    : [
        {
          reference: costReference(kind, network, cost),
          kind,
          merchantId: null,
          checkoutId: null,
          lines: [
            { account: chainWallet(network, asset), units },
            { account: operatorAccount('costs', asset), units: -units },
          ],
        },
      ];

const feeEntry = (network: string, cost: Cost): Entry[] =>
  costEntry('network_fee', network, cost, cost.feeAsset, cost.feeUnits);

/** A token that takes a fee takes it from the operator too, when what was paid in it is collected. */
const costEntries = (network: string, ended: EndedTransaction): Entry[] => [
  ...feeEntry(network, ended),
  ...(ended.kept && ended.failure === null
    ? costEntry('token_fee', network, ended, ended.kept.asset, ended.kept.units)
    : []),
];

/** As the ledger has them: what the network says of the transaction now may differ. */
async function bookedCosts(tx: Tx, network: string, booked: Pick<Cost, 'txHash' | 'rebookings'>): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const kind of ['network_fee', 'token_fee'] as const) {
    const reference = costReference(kind, network, booked);
    const lines = await linesOfEntry(tx, reference);
    if (lines.length > 0) entries.push({ reference, kind, merchantId: null, checkoutId: null, lines });
  }
  return entries;
}

const reversed = (entry: Entry): Entry => ({
  ...entry,
  reference: `${entry.reference}/reversed`,
  kind: entry.kind === 'token_fee' ? 'token_fee_reversed' : 'network_fee_reversed',
  lines: opposite(entry.lines),
});

const isSameCost = (before: readonly Entry[], after: readonly Entry[]): boolean => {
  const moved = (entries: readonly Entry[]): string =>
    entries
      .flatMap(({ lines }) => lines.map(({ account, units }) => `${account} ${units}`))
      .sort()
      .join();
  return moved(before) === moved(after);
};

/** Whoever asked for the transfer looks at it again. */
export const advanceJob = ({ id, purpose, merchantId }: StoredTransfer, runAt: Date): NewJob => ({
  name: `${purpose}.advance` as const,
  payload: { merchantId, transferId: id },
  runAt,
});
