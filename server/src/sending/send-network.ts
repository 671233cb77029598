/**
 * Sends on one network: signs what is queued, stores it, broadcasts it, and again until the watcher has seen what
 * became of it. Of all processes one leads per network, so that coins and nonces are chosen by one mind; if two believe
 * that they lead, the claims in the database let only one of two conflicting transactions be stored, and what is not
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
  type OutgoingTransfer,
  type SendContext,
  type Sender,
  SendRefused,
  type SignedTransaction,
} from '../networks/port/sending.ts';
import { createLastingWait } from './lasting-wait.ts';
import { openWallet } from './open-wallet.ts';
import {
  findTransfers,
  holdTransfers,
  queuedTransfers,
  refuseTransfer,
  type StoredTransfer,
} from './outgoing-store.ts';
import {
  claimsOf,
  hasBeenCounted,
  insertTransaction,
  markBroadcast,
  type NewTransaction,
  openTransactions,
  type StoredTransaction,
} from './outgoing-transaction-store.ts';
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
  /** A transfer was refused: its asker has a job to do. */
  readonly onChange: () => void;
};

const lockClass = 7_003; // The first half of the advisory lock: "someone leads the sending on this network".
/** As many of an asset as are looked at for one transaction. */
const batchMax = 100;
/**
 * A node that forgot a transaction, or was away when it was first broadcast, gets it again. At once by whoever begins to
 * send: what ended the process before may have ended the node as well.
 */
const rebroadcastMs = minutes(1);
/** How often a connector is asked whether a transaction is stuck. */
const replaceCheckMs = minutes(5);
/** How long a transfer waits for the network to be as cheap again as when it was quoted. */
const feePatienceMs = hours(24);
/** How long those that must wait let others pass, when there are too many of them to look at all. */
const letPassMs = minutes(5);
/** Claims that ended long ago are visible in the network itself. */
const claimsKeptMs = hours(24);

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

  const toOutgoing = ({ id, address, memo, memoType, ...transfer }: StoredTransfer): OutgoingTransfer => {
    const { assetCode } = assetOf(transfer.asset);
    const { exchange, isIssue = false, heldFeeUnits, wasDone, requestedAt } = transfer;
    const wanted = exchange && assetOf(exchange.asset);
    return {
      ...{ id, assetCode, units: atNetworkScale(assetCode, transfer.units), address, memo, memoType, isIssue },
      // Rounded up: less than the least must not be taken for enough.
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
    claimed: (prefix) => claimsOf(db, network.id, prefix, addMs(clock.now(), -claimsKeptMs)),
    async changeTarget() {
      const index = await deps.nextDepositIndex();
      const id = newId();
      const now = clock.now();
      const target = await connector.createTarget({
        ...{ targetId: id, index, reference: id, requestedAt: now, expiresAt: addMs(now, hours(1)) },
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

  /** All, or none. False: another process was faster, or something else claims the same; nothing was stored. */
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
        log.warn({ tx: hashes }, 'signed transactions dropped, because others claim the same');
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
      // What nobody waits for may wait until nothing can undo it.
      confirmationsRequired: amounts.length === 0 ? network.finalityDepth : Math.max(...amounts),
    };
  }

  /** How deep each of the transfers must be before it counts as done: as deep as the same amount coming in. */
  async function amountsOf({ transferIds }: SignedTransaction): Promise<number[]> {
    const transfers = await findTransfers(db, transferIds);
    return transfers.map(toOutgoing).map(({ assetCode, units }) => confirmationsRequired(network, assetCode, units));
  }

  /** All that are open, which the caller may want to look at too. */
  async function broadcastOpen({ since }: Mandate): Promise<readonly StoredTransaction[]> {
    const open = await openTransactions(db, network.id);
    for (const { id } of open.filter(({ isLatest }) => isLatest)) {
      const versions = open.filter((version) => version.id === id);
      if (!versions.some(({ isIncluded }) => isIncluded)) await broadcastNewest(versions, since);
    }
    return open;
  }

  /** What only the newest version spends may be gone: then the one before it is as good. */
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
      if (await store([{ ...replacement, transferIds: transaction.transferIds }], transaction)) return true;
    }
    return false;
  }

  async function signQueued(): Promise<boolean> {
    const queued = await queuedTransfers(db, network.id, clock.now(), batchMax);
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
      await refuse(new SendRefused(notOurs.id, 'It is in an asset of an anchor, which travels on no network.'));
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
        log.warn({ reason: error.message, queued: queued.length }, 'transfers wait for money');
      return false;
    }
  }

  /**
   * As many as are looked at must wait, so there may be others behind them: these go first for a while. Else a hundred
   * that nobody can pay for now keep everybody waiting. False: nobody is behind them.
   */
  async function letOthersPass(queued: readonly StoredTransfer[]): Promise<boolean> {
    const kindOf = ({ asset, isIssue }: StoredTransfer): string => `${asset} ${isIssue}`;
    const counts = new Map<string, number>();
    for (const each of queued) counts.set(kindOf(each), (counts.get(kindOf(each)) ?? 0) + 1);
    const held = queued.filter((each) => counts.get(kindOf(each)) === batchMax);
    if (held.length === 0) return false;
    const ids = held.map(({ id }) => id);
    await holdTransfers(db, ids, addMs(clock.now(), letPassMs));
    return true;
  }

  /**
   * Whoever asked should have noticed. Here it is certain: what our own transactions bring to our targets is no payment,
   * so it would be booked as gone and credited to nobody.
   */
  async function firstToOurselves(queued: readonly StoredTransfer[]): Promise<StoredTransfer | undefined> {
    const namesOf = ({ address }: StoredTransfer): string[] => [address, address.toLowerCase()];
    const known = await knownTargetKeys(db, network.id, queued.flatMap(namesOf));
    return queued.find((transfer) => namesOf(transfer).some((name) => known.has(name)));
  }

  /** Likewise: the code is all that a connector is told, so it would send our own asset of that code. */
  const isInAssetOfAnchor = ({ asset, exchange }: StoredTransfer): boolean =>
    [asset, ...(exchange ? [exchange.asset] : [])].some((each) => isOfAnchor(assetOf(each)));

  /** Likewise: less would leave than is booked as gone. */
  function isFinerThanCarried({ asset, units }: StoredTransfer): boolean {
    const { assetCode, ledgerScale } = assetOf(asset);
    const { scale } = networkAsset(network, assetCode);
    return rescale(atNetworkScale(assetCode, units), scale, ledgerScale, 'down') !== units;
  }

  async function refuse({ transferId, message }: SendRefused): Promise<void> {
    const refused = await db.begin(async (tx) => {
      const now = clock.now();
      const transfers = await refuseTransfer(tx, transferId, message, now);
      const failed = transfers.filter(({ state }) => state === 'FAILED');
      await enqueue(
        tx,
        failed.map((transfer) => advanceJob(transfer, now)),
      );
      return transfers;
    });
    if (refused.some(({ state }) => state === 'QUEUED'))
      log.error({ transferId, reason: message }, 'transfer refused that was announced as sent; it will be tried again');
    else log.info({ transferId, reason: message }, 'transfer refused');
    deps.onChange();
  }

  async function keepHouse(): Promise<boolean> {
    // Only when the books know what was there before: it could not be told apart afterwards.
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

/** Another process has signed for one of these transfers in the meantime. */
class TakenByOthers extends Error {}
