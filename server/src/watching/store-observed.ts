/**
 * One step of a watcher: what a network reported becomes payments, in the same transaction as the cursor. A job looks
 * again at everything that was touched; nothing is decided here about checkouts or money.
 */
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import { addToTimelines } from '../checkouts/timeline-store.ts';
import type { Db, Query, Tx } from '../db/database.ts';
import { confirmationLadder } from '../deposits/confirmation-ladder.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { addMs, type Clock, hours } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { inParts } from '../lib/in-parts.ts';
import type { NetworkDefinition } from '../networks/port/definition.ts';
import type { Observation, Observed, Reversal, UnmatchedArrival } from '../networks/port/receiving.ts';
import { countFinalCrumbs, gatherHeaps, openHeaps, ripeHeaps } from '../payments/crumb-store.ts';
import { saveCursor } from '../payments/cursor-store.ts';
import { inheritSights } from '../payments/inheritance-store.ts';
import {
  type ChangedPayment,
  confirmPayments,
  finalizePayments,
  giveUpArrivals,
  knownArrivals,
  type NewPayment,
  type SeenPayment,
  savePayments,
  unconfirmBlocks,
  weighPayments,
} from '../payments/payment-store.ts';
import { changeKeys, ownTransactions, standingTransactions } from '../sending/outgoing-transaction-store.ts';
import { recordSent } from '../sending/record-sent.ts';
import { keepComebacks } from './keep-comebacks.ts';
import { keepMovements } from './keep-movements.ts';
import { keepUnmatched } from './keep-unmatched.ts';
import { jobFor } from './owner-jobs.ts';
import { arrivalsPerStep, readArrivals } from './read-arrivals.ts';
import { reversalNote } from './reversal-note.ts';
import { strayNotes } from './stray-notes.ts';
import { giveUpStrays, saveStrays } from './stray-store.ts';
import { withoutKept } from './unmatched-store.ts';

const heapsPerStep = 100;

/** Another process watches this network now. */
export class LeaseLost extends Error {}

export type StoreDeps = { readonly db: Db; readonly clock: Clock; readonly assets: AssetCatalog };

/** How many owners must be looked at, and how many new movements a person must explain. */
export type Stored = { readonly touched: number; readonly unexplained: number };

export async function storeObserved(
  deps: StoreDeps,
  network: NetworkDefinition,
  epoch: string,
  observed: Observed,
): Promise<Stored> {
  const now = deps.clock.now();
  const foreign = await withoutOurOwn(deps.db, network.id, observed.observations);
  const observations = observed.unmatched ? await withoutKept(deps.db, network.id, foreign) : foreign;
  const unmatched = await withoutPaid(deps.db, network.id, observed.unmatched ?? []);
  const payments = await readArrivals(deps, network, observations, now);
  const finalHeight = observed.finalHeight ?? observed.tip.height - network.finalityDepth + 1;
  const safeHeight = observed.safeHeight ?? finalHeight;
  const heights = { tip: observed.tip.height, safe: safeHeight, final: finalHeight };
  const ladder = confirmationLadder(deps.assets, network);
  const news = payments.filter(({ block, isCrumb }) => block && !isCrumb).map(({ txHash }) => txHash);
  return deps.db.begin(async (tx) => {
    const [isStillOurs, unconfirmed] = await Promise.all([
      saveCursor(tx, network.id, epoch, observed, heights, now),
      unconfirmBlocks(tx, network.id, observed.vanishedBlocks),
    ]);
    if (!isStillOurs) throw new LeaseLost(`another watcher has taken over ${network.id}`);
    const seen = await saveArrivals(tx, network.id, payments);
    // In this order, because the statements run one after the other: what is confirmed must have been weighed with all
    // that is new.
    const [gone, , confirmed, lostStrays, strays, , , , ripe] = await Promise.all([
      giveUpArrivals(tx, network.id, observed.vanishedArrivals),
      weighPayments(tx, network.id, ladder, { heights, news, confirmationsMax: network.finalityDepth }),
      confirmPayments(tx, network.id, { tip: observed.tip, safeHeight, finalHeight }, now),
      giveUpStrays(tx, network.id, observed.vanishedBlocks, now),
      saveStrays(tx, network.id, observed.strays ?? []),
      finalizePayments(tx, network.id, finalHeight),
      keepUnmatched(tx, deps.assets, network, unmatched, now),
      countFinalCrumbs(tx, network.id, finalHeight, now),
      ripeHeaps(tx, network.id, addMs(now, -hours(24)), heapsPerStep),
      inheritSights(tx, network.id, possibleHeirs(payments, observed.vanishedArrivals)),
    ]);
    const gathered = await gatherHeaps(
      tx,
      ripe.map(({ id }) => ({ heapId: id, paymentId: newId() })),
      now,
    );
    const reversals = await takenByOthers(tx, network.id, observed.reversals ?? []);
    const { reversed, unexplained } = await keepMovements(tx, deps.assets, network, { ...observed, reversals }, now);

    const instructed = new Map(observed.observations.map((each) => [each.txHash, each.instructed]));
    const note = (what: string) => (payment: ChangedPayment) => ({
      purpose: payment.purpose,
      merchantId: payment.merchant_id,
      checkoutId: payment.owner_id,
      what,
      why: { network: network.id, tx: payment.tx_hash },
    });
    const notes = [
      ...unconfirmed.map(note('payment_unconfirmed')),
      ...seen.map((payment) => {
        const noted = note(payment.is_new ? 'payment_seen' : 'payment_in_block')(payment);
        const ordered = instructed.get(payment.tx_hash);
        return ordered === undefined ? noted : { ...noted, why: { ...noted.why, instructed: ordered } };
      }),
      ...gone.map((payment) => note(payment.replaced_by ? 'payment_replaced' : 'payment_dropped')(payment)),
      ...confirmed.map(note('payment_confirmed')),
      ...gathered.map((payment) => ({
        ...note('crumbs_gathered')(payment),
        why: { network: network.id, crumbs: Number(payment.crumbs) },
      })),
      ...reversed.map((each) => reversalNote(network.id, each)),
    ].filter(({ purpose }) => purpose !== 'crumb');
    const strayOwners = await strayNotes(tx, network.id, lostStrays, strays);
    const touched = new Map([...notes, ...strayOwners].map((each) => [each.checkoutId, each]));
    const jobs = [...touched.values()].flatMap((each) => jobFor(network.id, each, now));
    const [ended] = await Promise.all([
      recordSent(tx, deps.assets, network, observed, now),
      addToTimelines(
        tx,
        [...notes, ...strayOwners.filter(({ isWorthANote }) => isWorthANote)].filter(
          ({ purpose }) => purpose === 'checkout',
        ),
        now,
      ),
      enqueue(tx, jobs),
    ]);
    const told = { comebacks: observed.comebacks ?? [], haveSomeEnded: ended > 0 };
    const comebacks = await keepComebacks(tx, deps.assets, network, told, now);
    return { touched: jobs.length + ended + comebacks, unexplained };
  });
}

/** Returns those whose owner must be looked at: not crumbs. */
async function saveArrivals(tx: Tx, network: string, payments: readonly NewPayment[]): Promise<SeenPayment[]> {
  const seen: SeenPayment[] = [];
  for (const part of inParts(payments, arrivalsPerStep)) {
    const crumbs = part.filter(({ isCrumb }) => isCrumb);
    const [, saved] = await Promise.all([openHeaps(tx, network, crumbs), savePayments(tx, network, part)]);
    seen.push(...saved.filter(({ purpose }) => purpose !== 'crumb'));
  }
  return seen;
}

/**
 * What our own transactions bring to targets is no payment: gas for collecting, a sweep into the wallet. Only change is
 * stored, because it is a coin that can be spent again.
 */
async function withoutOurOwn(
  query: Query,
  network: string,
  observations: readonly Observation[],
): Promise<readonly Observation[]> {
  if (observations.length === 0) return observations;
  const own = await ownTransactions(query, network, observations.map(signedHash));
  if (own.size === 0) return observations;
  const change = await changeKeys(
    query,
    network,
    observations.map(({ targetKey }) => targetKey),
  );
  return observations.filter((each) => !own.has(signedHash(each)) || change.has(each.targetKey));
}

/** What we gave back ourselves is a payout, and booked as one; but what was said to have failed has left after all. */
async function takenByOthers(tx: Tx, network: string, told: readonly Reversal[]): Promise<readonly Reversal[]> {
  const signed = told.flatMap(({ signedAs }) => signedAs ?? []);
  if (signed.length === 0) return told;
  const own = await standingTransactions(tx, network, signed);
  return told.filter(({ signedAs }) => signedAs === undefined || !own.has(signedAs));
}

/**
 * What is somebody's payment stays that. Read again, its text may name another checkout too, which was not there then; and the
 * books would have it twice.
 */
async function withoutPaid(
  query: Query,
  network: string,
  unmatched: readonly UnmatchedArrival[],
): Promise<readonly UnmatchedArrival[]> {
  if (unmatched.length === 0) return unmatched;
  const nameOf = ({ txHash, index }: UnmatchedArrival): string => `${txHash}:${index}`;
  const paid = await knownArrivals(query, network, unmatched.map(nameOf), { inBlocks: true });
  return unmatched.filter((arrival) => !paid.has(nameOf(arrival)));
}

const signedHash = ({ signedAs, txHash }: Observation): string => signedAs ?? txHash;

const possibleHeirs = (payments: readonly NewPayment[], vanished: Observed['vanishedArrivals']): string[] => [
  ...payments.filter(({ isCrumb }) => !isCrumb).map(({ txHash }) => txHash),
  ...vanished.flatMap(({ replacedBy }) => replacedBy ?? []),
];
