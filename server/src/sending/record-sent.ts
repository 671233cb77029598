/** What networks say about transactions of our own becomes their state, and the books learn what they cost. */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Tx } from '../db/database.ts';
import { enqueue, type NewJob } from '../jobs/enqueue.ts';
import { chainWallet, operatorAccount } from '../ledger/chart-of-accounts.ts';
import { type Entry, opposite, type Subject } from '../ledger/entry.ts';
import { linesOfEntry, postEntries } from '../ledger/ledger-store.ts';
import { present } from '../lib/assert.ts';
import { rescale } from '../money/amount.ts';
import { type NetworkDefinition, networkAsset } from '../networks/port/definition.ts';
import type { Observed } from '../networks/port/receiving.ts';
import type { SentUpdate } from '../networks/port/sending.ts';
import { saveReceived } from './exchange-results.ts';
import { endPayouts, refusePayout, renamePayouts, requeuePayouts, type StoredPayout } from './payout-store.ts';
import { shareBlame } from './share-blame.ts';
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
} from './transaction-fate-store.ts';

/** Runs in the watcher's transaction. Returns how many payouts ended: jobs tell those who asked for them. */
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
        payoutId: gave.payoutId,
        ...atLedgerScale(assets, network, gave.assetCode, gave.units),
      })),
    ),
  );
  const final = observed.finalHeight ?? observed.tip.height - network.finalityDepth + 1;
  const heights = { tip: observed.tip.height, safe: observed.safeHeight ?? final, final };
  const { ended: happened, replacedHashes } = await endIncluded(tx, network.id, heights, at);
  const ended = [...happened];

  const unhappened = updates.filter(({ outcome, block }) => outcome !== 'included' && block === null);
  for (const { txHash, reason } of unhappened.filter(({ outcome }) => outcome === 'failed')) {
    const failure = reason ?? 'The network did not accept it.';
    const end = await endUnincluded(tx, network.id, { txHash, isExpired: false, failure }, at);
    if (end?.isLastVersion) ended.push(end.gone);
  }
  const expiredHashes = unhappened.filter(({ outcome }) => outcome === 'expired').map(({ txHash }) => txHash);
  const takenBack = await expire(tx, network.id, expiredHashes, replacedHashes, at);
  const payouts: StoredPayout[] = [...corrected.payouts, ...takenBack.payouts];
  for (const [payoutId, { reason, costUnits }] of blamed(assets, network, unhappened))
    payouts.push(...(await refusePayout(tx, payoutId, reason, at, costUnits)));

  // What expired may have cost something too: a batch of payments that Stellar carried out without effect.
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
    payouts.push(...(await endPayouts(tx, each, at)));
    // Of these only payouts are left that were done before.
    if (each.failure !== null) payouts.push(...(await requeuePayouts(tx, each.id, at)));
  }
  await enqueue(
    tx,
    payouts.map((payout) => advanceJob(payout, at)),
  );
  return payouts.length;
}

/** What the network took is told in its own units. */
const blamed = (assets: AssetCatalog, network: NetworkDefinition, updates: readonly SentUpdate[]) =>
  shareBlame(
    updates.map(({ fee, toBlame = [] }) => ({
      costUnits: atLedgerScale(assets, network, fee.assetCode, fee.units).units,
      toBlame,
    })),
  );

/**
 * After a reorganisation another version may be in a block, or the same one at another cost or without effect. What was
 * sent stays sent, but what it cost and which transaction carried it is told anew.
 */
async function correctBooked(
  tx: Tx,
  network: string,
  included: readonly Inclusion[],
  at: Date,
): Promise<{ entries: Entry[]; payouts: StoredPayout[] }> {
  const entries: Entry[] = [];
  const payouts: StoredPayout[] = [];
  for (const version of await bookedVersions(tx, network, included)) {
    const { booked, happened } = version;
    const before = await bookedCosts(tx, network, booked);
    const isAsBooked = booked.txHash === happened.txHash && happened.failure === null;
    if (isAsBooked && isSameCost(before, costEntries(network, happened))) {
      payouts.push(...(await renamePayouts(tx, happened)));
      continue;
    }
    const done = await replaceBooked(tx, network, version, at);
    entries.push(...before.map(reversed));
    if (done.failure !== null) continue; // Its cost is booked when it ends.
    entries.push(...costEntries(network, done));
    payouts.push(...(await renamePayouts(tx, done)));
  }
  return { entries, payouts };
}

/**
 * When a transaction can never happen, the transactions that would have spent its change cannot either. Its payouts
 * wait for another transaction; if its cost was booked, that is taken back. Returns in `payouts` those that were done
 * and are not any more.
 */
async function expire(
  tx: Tx,
  network: string,
  expired: readonly string[],
  replaced: readonly string[],
  at: Date,
): Promise<{ entries: Entry[]; payouts: StoredPayout[] }> {
  const entries: Entry[] = [];
  const payouts: StoredPayout[] = [];
  const impossible = [...replaced];
  for (let hashes = expired; hashes.length > 0 || impossible.length > 0; ) {
    for (const txHash of hashes) {
      const end = await endUnincluded(tx, network, { txHash, isExpired: true, failure: null }, at);
      if (!end) continue;
      impossible.push(txHash);
      if (!end.isLastVersion) continue;
      payouts.push(...(await requeuePayouts(tx, end.gone.id, at)));
      entries.push(...(await bookedCosts(tx, network, end.gone)).map(reversed));
    }
    hashes = impossible.length === 0 ? [] : await spendersOf(tx, network, impossible.splice(0));
  }
  return { entries, payouts };
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
      happenedAs: update.happenedAs ?? null,
      traced: update.traced ?? {},
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

/** A cost that is booked again after it was taken back gets a number. */
const costReference = (
  kind: CostKind,
  network: string,
  { txHash, rebookings = 0 }: Pick<Cost, 'txHash' | 'rebookings'>,
) => `${costKinds[kind]}/${network}/${txHash}${rebookings === 0 ? '' : `/${rebookings}`}`;

/** By its hash: each version of a transaction has costs of its own. */
const transactionSubject = (network: string, { txHash }: Pick<Cost, 'txHash'>): Subject => ({
  kind: 'outgoing_transaction',
  id: `${network}/${txHash}`,
});

const costEntry = (kind: CostKind, network: string, cost: Cost, asset: string, units: bigint): Entry[] =>
  units === 0n
    ? []
    : [
        {
          reference: costReference(kind, network, cost),
          kind,
          merchantId: null,
          subject: transactionSubject(network, cost),
          lines: [
            { account: chainWallet(network, asset), units },
            { account: operatorAccount('costs', asset), units: -units },
          ],
        },
      ];

const feeEntry = (network: string, cost: Cost): Entry[] =>
  costEntry('network_fee', network, cost, cost.feeAsset, cost.feeUnits);

/** Some tokens take a fee on every transfer: the operator pays it when such tokens are collected. */
const costEntries = (network: string, ended: EndedTransaction): Entry[] => [
  ...feeEntry(network, ended),
  ...(ended.kept && ended.failure === null
    ? costEntry('token_fee', network, ended, ended.kept.asset, ended.kept.units)
    : []),
];

/** As the ledger has them: by now the network may say something else. */
async function bookedCosts(tx: Tx, network: string, booked: Pick<Cost, 'txHash' | 'rebookings'>): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const kind of ['network_fee', 'token_fee'] as const) {
    const reference = costReference(kind, network, booked);
    const lines = await linesOfEntry(tx, reference);
    const subject = transactionSubject(network, booked);
    if (lines.length > 0) entries.push({ reference, kind, merchantId: null, subject, lines });
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

/** Whoever asked for the payout looks at it again. */
export const advanceJob = (
  { id, purpose, merchantId }: Pick<StoredPayout, 'id' | 'purpose' | 'merchantId'>,
  runAt: Date,
): NewJob => ({
  name: `${purpose}.advance` as const,
  payload: { merchantId, transferId: id },
  runAt,
});
