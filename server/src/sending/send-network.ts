/**
 * Sends on one network: signs what is queued, stores it, and broadcasts it again and again until the watcher has seen
 * what became of it. Of all processes one leads per network, so that only one chooses coins and nonces. If two believe
 * that they lead, the uses in the database let only one of two conflicting transactions be stored; and what is not
 * stored is never broadcast.
 */
import { type AssetCatalog, type CatalogAsset, findAsset, isOfAnchor } from '../catalog/asset-catalog.ts';
import { type Db, isDatabaseAway, isUniqueViolation } from '../db/database.ts';
import { createLeadership } from '../db/leadership.ts';
import type { NextDepositIndex } from '../deposits/deposit-index.ts';
import { insertDepositTargets, knownTargetKeys, operatorId } from '../deposits/deposit-target-store.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { present } from '../lib/assert.ts';
import { addMs, type Clock, hours, minutes } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { keepTicking } from '../lib/keep-ticking.ts';
import type { Log } from '../lib/log.ts';
import { rescale } from '../money/amount.ts';
import { AllMustWait } from '../networks/held-fee.ts';
import { type Connector, NetworkError } from '../networks/port/connector.ts';
import { confirmationsRequired, networkAsset } from '../networks/port/definition.ts';
import {
  NotEnoughFunds,
  type Payout,
  type SendContext,
  type Sender,
  SendRefused,
  type SignedTransaction,
} from '../networks/port/sending.ts';
import { createLastingWait } from './lasting-wait.ts';
import { openWallet } from './open-wallet.ts';
import {
  hasBeenCounted,
  insertTransaction,
  markBroadcast,
  type NewTransaction,
  openTransactions,
  type StoredTransaction,
  usesOf,
} from './outgoing-transaction-store.ts';
import { delayPayouts, findPayouts, queuedPayouts, refusePayout, type StoredPayout } from './payout-store.ts';
import { advanceJob } from './record-sent.ts';

export type SendResult = 'follower' | 'idle' | 'progress' | 'failed';

export type NetworkSender = {
  /** One round. `progress`: something was signed or refused, go on at once. */
  tick(): Promise<SendResult>;
  start(): void;
  stop(): Promise<void>;
};

export type SendDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly assets: AssetCatalog;
  readonly nextDepositIndex: NextDepositIndex;
  readonly pollMs: number;
  /** A payout was refused: there is a job for whoever asked for it. */
  readonly onChange: () => void;
};

const lockClass = 7_003; // The first half of the advisory lock: "someone leads the sending on this network".
/** How many payouts of an asset are looked at for one transaction. */
const batchMax = 100;
/**
 * How long after a broadcast it is repeated, for a node that forgot the transaction or was away. A process that begins
 * to send repeats it at once: what ended the process before may have ended the node as well.
 */
const rebroadcastMs = minutes(1);
/** How often a connector is asked whether a transaction is stuck. */
const replaceCheckMs = minutes(5);
/** How long a payout waits for the network's fee to be as low again as when it was quoted. */
const feePatienceMs = hours(24);
/** How long payouts that must wait are passed over, when there are too many of them to look at all. */
const letPassMs = minutes(5);
/** What was used up longer ago can be seen on the network itself. */
const usesKeptMs = hours(24);

export function createNetworkSender(deps: SendDeps, connector: Connector, sender: Sender): NetworkSender {
  const { db, clock, assets } = deps;
  const { network } = connector;
  const log = deps.log.child({ network: network.id });
  const leadership = createLeadership(db, { lockClass, key: network.id, onGain: async () => ({ since: clock.now() }) });
  const lookedAtFee = new Map<string, number>();
  let isBookOpen = false;
  let isFailing = false;
  const wait = createLastingWait();

  const assetOf = (assetCode: string) => present(findAsset(assets, assetCode), `asset ${assetCode}`);
  const atNetworkScale = (assetCode: string, units: bigint): bigint =>
    rescale(units, assetOf(assetCode).ledgerScale, networkAsset(network, assetCode).scale, 'down');

  const toOutgoing = ({ id, address, memo, memoType, ...payout }: StoredPayout): Payout => {
    const { assetCode } = assetOf(payout.asset);
    const { exchange, isIssue = false, heldFeeUnits, wasDone, requestedAt } = payout;
    const wanted = exchange && assetOf(exchange.asset);
    return {
      id,
      assetCode,
      units: atNetworkScale(assetCode, payout.units),
      address,
      memo,
      memoType,
      isIssue,
      // Rounded up: less than the least would not be enough.
      ...(wanted && { exchange: { assetCode: wanted.assetCode, leastUnits: leastOf(exchange, wanted) } }),
      ...(heldFeeUnits !== null &&
        !wasDone && { heldFee: { units: inFeeUnits(heldFeeUnits), until: addMs(requestedAt, feePatienceMs) } }),
    };
  };
  const inFeeUnits = (units: bigint): bigint => atNetworkScale(sender.feeAssetCode, units);
  const leastOf = ({ leastUnits }: { leastUnits: bigint }, { assetCode, ledgerScale }: CatalogAsset): bigint =>
    rescale(leastUnits, ledgerScale, networkAsset(network, assetCode).scale, 'up');

  const context = (): SendContext => ({
    now: clock.now(),
    ...openWallet(deps, connector),
    used: (prefix) => usesOf(db, network.id, prefix, addMs(clock.now(), -usesKeptMs)),
    async changeTarget() {
      const index = await deps.nextDepositIndex();
      const id = newId();
      const now = clock.now();
      const target = await connector.createTarget({
        targetId: id,
        index,
        reference: id,
        requestedAt: now,
        expiresAt: addMs(now, hours(1)),
        assetCode: present(network.assets[0], 'default asset').assetCode,
        amount: { asset: '', units: 0n },
      });
      await db.begin((tx) =>
        insertDepositTargets(
          tx,
          [{ ...target, id, index, network: network.id, purpose: 'change', merchantId: operatorId, ownerId: id }],
          now,
        ),
      );
      return { ...target, index };
    },
  });

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
    const amounts = await amountsOf(signed);
    const feeAsset = assetOf(signed.fee.assetCode);
    const feeScale = networkAsset(network, signed.fee.assetCode).scale;
    return {
      ...signed,
      id: replaced?.id ?? newId(),
      network: network.id,
      feeAsset: feeAsset.id,
      feeUnits: rescale(signed.fee.units, feeScale, feeAsset.ledgerScale, 'up'),
      // Nobody waits for housekeeping, so it may take until nothing can undo it.
      confirmationsRequired: amounts.length === 0 ? network.finalityDepth : Math.max(...amounts),
    };
  }

  /** How deep each of the payouts must be before it is done: as deep as the same amount coming in must be. */
  async function amountsOf({ payoutIds }: SignedTransaction): Promise<number[]> {
    const payouts = await findPayouts(db, payoutIds);
    return payouts.map(toOutgoing).map(({ assetCode, units }) => confirmationsRequired(network, assetCode, units));
  }

  /** Returns all that are open, for the caller to look at. */
  async function broadcastOpen({ since }: Mandate): Promise<readonly StoredTransaction[]> {
    const open = await openTransactions(db, network.id);
    for (const { id } of open.filter(({ isLatest }) => isLatest)) {
      const versions = open.filter((version) => version.id === id);
      if (!versions.some(({ isIncluded }) => isIncluded)) await broadcastNewest(versions, since);
    }
    return open;
  }

  /**
   * If the newest version cannot be broadcast, because a coin that only it spends is gone, the version before it will
   * do.
   */
  async function broadcastNewest(versions: readonly StoredTransaction[], since: Date): Promise<void> {
    const before = addMs(clock.now(), -rebroadcastMs);
    for (const version of versions.toReversed()) {
      const { broadcastAt } = version;
      const isOutThere = broadcastAt && broadcastAt > before && broadcastAt >= since;
      if (isOutThere || (await broadcast(version))) return;
    }
  }

  /** Whatever goes wrong here leaves the outcome open: the transaction is stored and will be broadcast again. */
  async function broadcast(transaction: StoredTransaction): Promise<boolean> {
    try {
      await sender.broadcast(transaction);
      await markBroadcast(db, transaction, clock.now());
      return true;
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      log.warn({ err: error, tx: transaction.txHash }, 'broadcast is uncertain and will be repeated');
      return false;
    }
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
        { ...transaction, ...(heldFee !== null && { heldFeeUnits: inFeeUnits(heldFee) }) },
        context(),
      );
      if (!replacement) continue;
      log.info({ tx: transaction.txHash, by: replacement.txHash }, 'stuck transaction replaced');
      if (await store([{ ...replacement, payoutIds: transaction.payoutIds }], transaction)) return true;
    }
    return false;
  }

  async function signQueued(): Promise<boolean> {
    const queued = await queuedPayouts(db, network.id, clock.now(), batchMax);
    if (queued.length === 0) {
      wait.end();
      return false;
    }
    const ours = await firstToOurselves(queued);
    if (ours) {
      await refuse(new SendRefused(ours.id, 'The address is one of our own: what is sent there pays nobody.'));
      return true;
    }
    const notOurs = queued.find(isInAssetOfAnchor);
    if (notOurs) {
      await refuse(new SendRefused(notOurs.id, 'It is in an asset of an anchor, which is on no network.'));
      return true;
    }
    const tooFine = queued.find(isFinerThanCarried);
    if (tooFine) {
      const { assetCode } = assetOf(tooFine.asset);
      const { scale } = networkAsset(network, assetCode);
      await refuse(
        new SendRefused(tooFine.id, `${network.name} carries ${assetCode} with ${scale} decimals, not more.`),
      );
      return true;
    }
    try {
      const signed = await sender.prepare(queued.map(toOutgoing), context());
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

  /**
   * Whoever asked should have noticed, but here it must be certain: what our own transactions bring to our targets
   * counts as no payment, so this money would be booked as gone and credited to nobody.
   */
  async function firstToOurselves(queued: readonly StoredPayout[]): Promise<StoredPayout | undefined> {
    const namesOf = ({ address }: StoredPayout): string[] => [address, address.toLowerCase()];
    const known = await knownTargetKeys(db, network.id, queued.flatMap(namesOf));
    return queued.find((payout) => namesOf(payout).some((name) => known.has(name)));
  }

  /** Likewise: a connector is told only the code of the asset, so it would send our own asset with that code. */
  const isInAssetOfAnchor = ({ asset, exchange }: StoredPayout): boolean =>
    [asset, ...(exchange ? [exchange.asset] : [])].some((each) => isOfAnchor(assetOf(each)));

  /** Likewise: less would leave than is booked as gone. */
  function isFinerThanCarried({ asset, units }: StoredPayout): boolean {
    const { assetCode, ledgerScale } = assetOf(asset);
    const { scale } = networkAsset(network, assetCode);
    return rescale(atNetworkScale(assetCode, units), scale, ledgerScale, 'down') !== units;
  }

  async function refuse({ payoutId, message }: SendRefused): Promise<void> {
    const refused = await db.begin(async (tx) => {
      const now = clock.now();
      const payouts = await refusePayout(tx, payoutId, message, now);
      const failed = payouts.filter(({ state }) => state === 'FAILED');
      await enqueue(
        tx,
        failed.map((payout) => advanceJob(payout, now)),
      );
      return payouts;
    });
    if (refused.some(({ state }) => state === 'QUEUED'))
      log.error({ payoutId, reason: message }, 'payout refused that was announced as sent; it will be tried again');
    else log.info({ payoutId, reason: message }, 'payout refused');
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
      const open = await broadcastOpen(mandate);
      const hasSigned = (await replaceStuck(open)) || (await signQueued()) || (await keepHouse());
      if (hasSigned) await broadcastOpen(mandate);
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

/** Since when this process sends on the network. */
type Mandate = { readonly since: Date };

/** Another process has signed for one of these payouts in the meantime. */
class TakenByOthers extends Error {}
