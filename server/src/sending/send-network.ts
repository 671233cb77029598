/**
 * Sends on one network: signs what is queued, stores it, and broadcasts it again and again until the watcher has seen
 * what became of it. Of all processes one leads per network, so that only one chooses coins and nonces. If two believe
 * that they lead, the uses in the database let only one of two conflicting transactions be stored; and what is not
 * stored is never broadcast.
 */
import { isDatabaseAway, isUniqueViolation } from '../db/database.ts';
import { createLeadership } from '../db/leadership.ts';
import { addMs, minutes } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { keepTicking } from '../lib/keep-ticking.ts';
import type { Log } from '../lib/log.ts';
import { AllMustWait } from '../networks/held-fee.ts';
import { type Connector, NetworkError } from '../networks/port/connector.ts';
import {
  NotEnoughFunds,
  type Payout,
  type SendContext,
  type Sender,
  SendRefused,
  type SignedTransaction,
} from '../networks/port/sending.ts';
import { broadcastOpen } from './broadcast-open.ts';
import { createLastingWait } from './lasting-wait.ts';
import {
  hasBeenCounted,
  insertTransaction,
  type NewTransaction,
  type StoredTransaction,
} from './outgoing-transaction-store.ts';
import { payoutsOn } from './payout-on-network.ts';
import { delayPayouts, findPayouts, queuedPayouts, type StoredPayout } from './payout-store.ts';
import { findNeverSent, refusePayouts } from './refuse-payouts.ts';
import { createSendContext, type SendContextDeps } from './send-context.ts';
import { slotShare, slotWaitOf } from './slot-share.ts';
import { noteSlotWaits, queuedInTurns, slotsTaken } from './slot-store.ts';
import { transactionToStore } from './transaction-to-store.ts';

export type SendResult = 'follower' | 'idle' | 'progress' | 'failed';

export type NetworkSender = {
  /** One round. `progress`: something was signed or refused, go on at once. */
  tick(): Promise<SendResult>;
  start(): void;
  stop(): Promise<void>;
};

export type SendDeps = SendContextDeps & {
  readonly log: Log;
  readonly pollMs: number;
  /** A payout was refused: there is a job for whoever asked for it. */
  readonly onChange: () => void;
};

const lockClass = 7_003; // The first half of the advisory lock: "someone leads the sending on this network".
/** How many payouts of an asset are looked at for one transaction. */
const batchMax = 100;
/** How often a connector is asked whether a transaction is stuck. */
const replaceCheckMs = minutes(5);
/** How long payouts that must wait are passed over, when there are too many of them to look at all. */
const letPassMs = minutes(5);

export function createNetworkSender(deps: SendDeps, connector: Connector, sender: Sender): NetworkSender {
  const { db, clock, assets } = deps;
  const { network } = connector;
  const log = deps.log.child({ network: network.id });
  const leadership = createLeadership(db, { lockClass, key: network.id, onGain: async () => ({ since: clock.now() }) });
  const lookedAtFee = new Map<string, number>();
  let isBookOpen = false;
  let isFailing = false;
  const wait = createLastingWait();

  const sending = { db, clock, log, sender };
  const payouts = payoutsOn(assets, connector, sender);
  const context = (): SendContext => createSendContext(deps, connector);

  /**
   * Stores all of them or none. False: nothing was stored, because another process was faster or another transaction
   * uses the same.
   */
  async function store(batch: readonly SignedTransaction[], replaced?: StoredTransaction): Promise<boolean> {
    const transactions = await Promise.all(batch.map((signed) => toStored(signed, replaced)));
    try {
      return await db.begin(async (tx) => {
        for (const transaction of transactions) {
          const isStored = await insertTransaction(tx, transaction, clock.now());
          if (!isStored) throw new TakenByOthers();
        }
        return true;
      });
    } catch (error) {
      if (error instanceof TakenByOthers || isUniqueViolation(error)) {
        const hashes = batch.map(({ txHash }) => txHash);
        log.warn({ tx: hashes }, 'signed transactions dropped, because others use the same');
        return false;
      }
      throw error;
    }
  }

  async function toStored(signed: SignedTransaction, replaced?: StoredTransaction): Promise<NewTransaction> {
    const carried = await findPayouts(db, signed.payoutIds);
    return transactionToStore(network, payouts, signed, { id: replaced?.id ?? newId(), carried });
  }

  async function replaceStuck(open: readonly StoredTransaction[]): Promise<boolean> {
    if (!sender.replace) return false;
    const now = clock.now().getTime();
    for (const { id } of open) if (!lookedAtFee.has(id)) lookedAtFee.set(id, now);
    for (const known of lookedAtFee.keys()) if (!open.some(({ id }) => id === known)) lookedAtFee.delete(known);

    for (const transaction of open) {
      const isInBlock = open.some(({ id, isIncluded }) => id === transaction.id && isIncluded);
      if (isInBlock || !transaction.isLatest) continue;
      if (now - (lookedAtFee.get(transaction.id) ?? now) < replaceCheckMs) continue;
      lookedAtFee.set(transaction.id, now);
      const { heldFee } = transaction;
      const replacement = await sender.replace(
        { ...transaction, ...(heldFee !== null && { heldFeeUnits: payouts.inFeeUnits(heldFee) }) },
        context(),
      );
      if (!replacement) continue;
      log.info({ tx: transaction.txHash, by: replacement.txHash }, 'stuck transaction replaced');
      if (await store([{ ...replacement, payoutIds: transaction.payoutIds }], transaction)) return true;
    }
    return false;
  }

  async function signQueued(): Promise<boolean> {
    const queued = sender.slots
      ? await queuedForSlots(sender.slots)
      : await queuedPayouts(db, network.id, clock.now(), batchMax);
    if (queued.length === 0) {
      wait.end();
      return false;
    }
    const neverSent = await findNeverSent(db, network, payouts, queued);
    if (neverSent) {
      await refuse(neverSent);
      return true;
    }
    try {
      const signed = await sender.prepare(queued.map(outgoingOf), context());
      wait.end();
      return await store([signed]);
    } catch (error) {
      if (error instanceof SendRefused) {
        await refuse(error);
        return true;
      }
      if (!(error instanceof NotEnoughFunds)) throw error;
      if (error instanceof AllMustWait && (await letOthersPass(queued))) return true;
      if (wait.isNews(clock.now()))
        log.warn({ reason: error.message, queued: queued.length }, 'payouts wait for money');
      return false;
    }
  }

  type Queued = StoredPayout & { readonly slotsMax?: number };

  const outgoingOf = ({ slotsMax, ...payout }: Queued): Payout => ({
    ...payouts.toOutgoing(payout),
    ...(slotsMax !== undefined && { slotsMax }),
  });

  /**
   * Those that may leave now, first of whoever has least under way; the others are told what they wait for. Nobody else
   * signs meanwhile: if two believe that they lead, a merchant gets as many too many as both sign at once, and none twice.
   */
  async function queuedForSlots(slotsOf: NonNullable<Sender['slots']>): Promise<readonly Queued[]> {
    const ids = await queuedInTurns(db, network.id, clock.now(), batchMax);
    if (ids.length === 0) return [];
    const [slots, all, found] = await Promise.all([slotsOf(), slotsTaken(db, network.id), findPayouts(db, ids)]);
    const house = { held: all.map(({ signed }) => signed), unsent: all.reduce((sum, { unsent }) => sum + unsent, 0) };
    const own = new Map(all.map(({ merchantId, signed }) => [merchantId, signed]));
    const inTurn = ids
      .flatMap((id) => found.find((payout) => payout.id === id) ?? [])
      .map((payout) => {
        const use = { ...house, own: own.get(payout.merchantId) ?? 0 };
        return { payout, use, slotsMax: slotShare(slots, use) };
      })
      .sort((a, b) => a.use.own - b.use.own);
    await noteSlotWaits(
      db,
      inTurn.map(({ payout, use, slotsMax }) => ({ id: payout.id, waitsFor: slotsMax > 0 ? null : slotWaitOf(use) })),
    );
    return inTurn.flatMap(({ payout, slotsMax }) => (slotsMax > 0 ? [{ ...payout, slotsMax }] : []));
  }

  /**
   * All payouts that we looked at must wait, so there may be others behind them: those go first for a while. Otherwise
   * a hundred payouts that cannot be paid now would stop all others. False: there are no others.
   */
  async function letOthersPass(queued: readonly StoredPayout[]): Promise<boolean> {
    const kindOf = ({ asset, isIssue }: StoredPayout): string => `${asset} ${isIssue}`;
    const counts = new Map<string, number>();
    for (const each of queued) counts.set(kindOf(each), (counts.get(kindOf(each)) ?? 0) + 1);
    const held = queued.filter((each) => counts.get(kindOf(each)) === batchMax);
    if (held.length === 0) return false;
    const ids = held.map(({ id }) => id);
    await delayPayouts(db, ids, addMs(clock.now(), letPassMs));
    return true;
  }

  async function refuse(refused: SendRefused): Promise<void> {
    await refusePayouts({ db, clock, log }, refused);
    deps.onChange();
  }

  async function keepHouse(): Promise<boolean> {
    // Only once the books know what was there before: afterwards nobody could tell it from what housekeeping changed.
    isBookOpen ||= await hasBeenCounted(db, network.id);
    if (!isBookOpen) return false;
    const signed = (await sender.housekeeping?.(context())) ?? [];
    if (signed.length === 0) return false;
    for (const { txHash, note } of signed) log.info({ tx: txHash, why: note }, 'housekeeping');
    return store(signed);
  }

  async function tick(): Promise<SendResult> {
    const mandate = await leadership.lead();
    if (!mandate) return 'follower';
    try {
      const open = await broadcastOpen(sending, network.id, mandate.since);
      const hasSigned = (await replaceStuck(open)) || (await signQueued()) || (await keepHouse());
      if (hasSigned) await broadcastOpen(sending, network.id, mandate.since);
      if (isFailing) log.info({}, 'sending works again');
      isFailing = false;
      return hasSigned ? 'progress' : 'idle';
    } catch (error) {
      if (!(error instanceof NetworkError) && isDatabaseAway(error)) throw error;
      if (!isFailing) log.warn({ err: error }, 'cannot send');
      isFailing = true;
      return 'failed';
    }
  }

  return keepTicking({
    pauseMs: deps.pollMs,
    leadership,
    tick,
    onError: (error) => log.error({ err: error }, 'sender cannot reach the database'),
  });
}

/** Another process has signed for one of these payouts in the meantime. */
class TakenByOthers extends Error {}
