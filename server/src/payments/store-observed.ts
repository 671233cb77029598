/**
 * One step of a watcher: what a network reported becomes payments, in the same transaction as the cursor. Whatever was
 * touched is looked at again by a job; here nothing is decided about checkouts or money.
 */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { addToTimelines } from '../checkouts/checkout-store.ts';
import type { Db, Query } from '../db/database.ts';
import type { TargetPurpose } from '../deposits/deposit-target-store.ts';
import { enqueue, type NewJob } from '../jobs/enqueue.ts';
import { present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { rescale } from '../money/amount.ts';
import {
  confirmationTier,
  type NetworkDefinition,
  networkAsset,
  type Observation,
  type Observed,
} from '../networks/port.ts';
import { changeKeys, ownTransactions } from '../sending/outgoing-transaction-store.ts';
import { recordSent } from '../sending/record-sent.ts';
import { keepUnmatched } from './keep-unmatched.ts';
import {
  type ChangedPayment,
  confirmPayments,
  finalizePayments,
  giveUpTransfers,
  type NewPayment,
  saveCursor,
  savePayments,
  unconfirmBlocks,
} from './payment-store.ts';
import { type ChangedStray, giveUpStrays, saveStrays } from './stray-transfer-store.ts';
import { withoutKept } from './unmatched-store.ts';

/** Another process watches this network now. */
export class LeaseLost extends Error {}

export type StoreDeps = { readonly db: Db; readonly clock: Clock; readonly assets: AssetCatalog };

export async function storeObserved(
  deps: StoreDeps,
  network: NetworkDefinition,
  epoch: string,
  observed: Observed,
): Promise<number> {
  const now = deps.clock.now();
  const foreign = await withoutOurOwn(deps.db, network.id, observed.observations);
  const observations = observed.unmatched ? await withoutKept(deps.db, network.id, foreign) : foreign;
  const payments = observations.map((observation): NewPayment => {
    const asset = present(findAsset(deps.assets, observation.assetCode), `asset ${observation.assetCode}`);
    const { scale } = networkAsset(network, observation.assetCode);
    const { confirmations, until } = confirmationTier(network, observation.assetCode, observation.units);
    const blockTime = observation.block?.time;
    return {
      id: newId(),
      targetKey: observation.targetKey,
      txHash: observation.txHash,
      txIndex: observation.index,
      asset: asset.id,
      units: rescale(observation.units, scale, asset.ledgerScale, 'down'),
      confirmationsRequired: confirmations,
      ...(until && { confirmedUntil: until }),
      confirmationsMax: network.finalityDepth,
      block: observation.block,
      firstSeenAt: blockTime && blockTime < now ? blockTime : now,
      trace: observation.trace,
    };
  });

  const finalHeight = observed.finalHeight ?? observed.tip.height - network.finalityDepth + 1;
  const safeHeight = observed.safeHeight ?? finalHeight;
  return deps.db.begin(async (tx) => {
    const [isStillOurs, unconfirmed, seen, gone, confirmed, lostStrays, strays] = await Promise.all([
      saveCursor(tx, network.id, epoch, observed, now),
      unconfirmBlocks(tx, network.id, observed.vanishedBlocks),
      savePayments(tx, network.id, onePerOutput(payments)),
      giveUpTransfers(tx, network.id, observed.vanishedTransfers),
      confirmPayments(tx, network.id, { tip: observed.tip, safeHeight, finalHeight }, now),
      giveUpStrays(tx, network.id, observed.vanishedBlocks, now),
      saveStrays(tx, network.id, observed.strays ?? []),
      finalizePayments(tx, network.id, finalHeight),
      keepUnmatched(tx, deps.assets, network, observed.unmatched ?? [], now),
    ]);
    if (!isStillOurs) throw new LeaseLost(`another watcher has taken over ${network.id}`);

    const note = (what: string) => (payment: ChangedPayment) => ({
      purpose: payment.purpose,
      merchantId: payment.merchant_id,
      checkoutId: payment.owner_id,
      what,
      why: { network: network.id, tx: payment.tx_hash },
    });
    const strayNote = (what: string) => (stray: ChangedStray) => ({
      purpose: stray.purpose,
      merchantId: stray.merchant_id,
      checkoutId: stray.owner_id,
      what,
      why: { network: network.id, tx: stray.tx_hash, token: stray.what },
    });
    const notes = [
      ...unconfirmed.map(note('payment_unconfirmed')),
      ...seen.map((payment) => note(payment.is_new ? 'payment_seen' : 'payment_in_block')(payment)),
      ...gone.map((payment) => note(payment.replaced_by ? 'payment_replaced' : 'payment_dropped')(payment)),
      ...confirmed.map(note('payment_confirmed')),
      ...lostStrays.map(strayNote('wrong_token_vanished')),
      ...strays.map(strayNote('wrong_token_received')),
    ];
    const touched = new Map(notes.map((each) => [each.checkoutId, each]));
    const jobs = [...touched.values()].flatMap((each) => jobFor(network.id, each, now));
    const [ended] = await Promise.all([
      recordSent(tx, deps.assets, network, observed, now),
      addToTimelines(
        tx,
        notes.filter(({ purpose }) => purpose === 'checkout'),
        now,
      ),
      enqueue(tx, jobs),
    ]);
    return jobs.length + ended;
  });
}

/**
 * What our own transactions bring to targets is no payment: gas for collecting, a sweep into the wallet. Only change is
 * kept, because it is a coin that can be spent again.
 */
async function withoutOurOwn(
  query: Query,
  network: string,
  observations: readonly Observation[],
): Promise<readonly Observation[]> {
  if (observations.length === 0) return observations;
  const own = await ownTransactions(
    query,
    network,
    observations.map(({ txHash }) => txHash),
  );
  if (own.size === 0) return observations;
  const change = await changeKeys(
    query,
    network,
    observations.map(({ targetKey }) => targetKey),
  );
  return observations.filter(({ txHash, targetKey }) => !own.has(txHash) || change.has(targetKey));
}

/** Whoever the money belongs to is looked at again. */
function jobFor(
  network: string,
  { purpose, merchantId, checkoutId }: { purpose: TargetPurpose; merchantId: string; checkoutId: string },
  runAt: Date,
): NewJob[] {
  if (purpose === 'checkout') return [{ name: 'checkout.advance', payload: { merchantId, checkoutId }, runAt }];
  if (purpose === 'deposit')
    return [{ name: 'deposit.advance', payload: { merchantId, depositId: checkoutId }, runAt }];
  if (purpose === 'funding') return [{ name: 'funding.book', payload: { network }, runAt }];
  return []; // Change never left.
}

/** A transfer can be reported from the mempool and from a block in one breath; the one in the block is the news. */
function onePerOutput(payments: readonly NewPayment[]): NewPayment[] {
  const byOutput = new Map<string, NewPayment>();
  for (const payment of payments) {
    const key = `${payment.txHash}/${payment.txIndex}`;
    const known = byOutput.get(key);
    if (!known || known.block === null) byOutput.set(key, payment);
  }
  return [...byOutput.values()];
}
