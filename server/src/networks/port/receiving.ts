/** What a network is asked about money that comes in, and what it answers. */

import type { Amount } from '../../money/amount.ts';
import type { RecentTarget, RecentTargetsRequest, UrgentTargetsRequest } from '../recent-target.ts';
import type { DocumentPiece, DocumentPlace } from './documents.ts';
import type { DeclaredVoid, KnownOrder, OrdersAsked } from './orders.ts';
import type { NetworkSlots, OutgoingTransaction, SentUpdate } from './sending.ts';

/** Only the connector that made it understands it. JSON, because it is stored. */
export type Cursor = { readonly [key: string]: unknown };

export type TargetRequest = {
  readonly targetId: string; // our own id: a network that remembers targets uses it as the idempotency key
  readonly index: number; // unique per network and never reused: the HD derivation index
  readonly reference: string; // the checkout's (or deposit's) id, for networks with memos
  readonly amount: Amount; // in units of the network asset's scale
  readonly assetCode: string;
  readonly requestedAt: Date; // by the service's clock, like `expiresAt`: an invoice is told how long it is valid
  readonly expiresAt: Date;
};

export type DepositTarget = {
  /**
   * By this key observations find their target; unique on the network. An address, or address and memo, or a payment
   * hash.
   */
  readonly key: string;
  readonly address: string;
  readonly memo: string | null;
  readonly memoType: string | null;
};

/**
 * What confirms a payment. On a network without a chain, e.g. at a bank, it is a document that was accepted: `height` is
 * its position, 1, 2, 3 …, `hash` names it, and `time` is when it was booked. Documents are accepted for good, so no
 * position ever vanishes; a position that is not followed by another for weeks is a quiet network, not a silent one.
 */
export type BlockRef = { readonly hash: string; readonly height: number; readonly time: Date };

/** Something that arrived at one of our targets: an output, a log, an operation. */
export type Observation = {
  readonly targetKey: string;
  readonly txHash: string;
  readonly index: string; // output, log or operation index within the transaction
  readonly assetCode: string;
  readonly units: bigint; // in units of the network asset's scale
  readonly block: BlockRef | null; // null: seen, but in no block yet
  /** Where the network tells no hour: when the day began on which it came. The payer may have paid as early as that. */
  readonly dayBegan?: Date;
  /** The hash with which we signed it, if a transaction of our own brings it and has another name by now. */
  readonly signedAs?: string;
  /** What the payer ordered, in words (`100.00 USD`), where that is not what arrived: banks on the way took their part. */
  readonly instructed?: string;
  /** What the connector needs later to tell what became of an unconfirmed arrival, e.g. the inputs it spends. */
  readonly trace: { readonly [key: string]: unknown };
};

/**
 * Something that arrived at a target of ours in a block and is none of the network's assets: we cannot count it, but it
 * is somebody's money. `what` is the network's name for it, e.g. a token's contract; `units` are its own.
 */
export type Stray = {
  readonly targetKey: string;
  readonly txHash: string;
  readonly index: string;
  readonly what: string;
  readonly units: bigint;
  readonly block: BlockRef;
};

/**
 * Money that reached an account which many targets share, and that names none of them: the memo was forgotten or is
 * wrong. Reported only when it is final, because nobody looks at it again afterwards.
 */
export type UnmatchedArrival = Omit<Observation, 'targetKey' | 'block'> & {
  readonly block: BlockRef;
  /** With this the operator can find the payer. */
  readonly sender: string | null;
  readonly memo: string | null;
};

/** An unconfirmed arrival that will not confirm as it is. If it is observed again after all, it is there again. */
export type VanishedArrival = { readonly txHash: string; readonly replacedBy: string | null };

/**
 * The network takes a payment back that it had confirmed, whole or in part: a bank corrects a booking, a payer contests
 * one. It may do so several times, and after it called the payment final. Reported in any order and as often as you
 * like: one that comes before its payment waits for it. More than the payment brought is not taken from it, but is money
 * that left, and a person has to say why. A reversal is never itself undone: what comes back is another arrival.
 */
export type Reversal = {
  readonly reversalId: string; // unique on the network, among reversals
  /** Of the payment, as it was observed. */
  readonly txHash: string;
  readonly index: string;
  readonly assetCode: string;
  readonly units: bigint; // more than none, in units of the network asset's scale
  readonly block: BlockRef; // the one that took it back
  /** The hash with which we signed it, if it may be a return of our own: then nobody took anything back. */
  readonly signedAs?: string;
  readonly reason: string | null; // for people, as the network says it
};

/**
 * Money of ours that was sent, was done, and came back, whole or in part: the account was closed, the name was wrong. It
 * may come in several parts, and weeks after the network called it done. Reported in any order and as often as you like:
 * one that comes before its payout is done waits for it. More than was sent is not given back to whoever asked, but is
 * money that came, for a person. What came back is never itself undone: a network that tells of it gives no block up.
 */
export type Comeback = {
  readonly comebackId: string; // unique on the network, among these
  readonly txHash: string; // of our transaction, as it was signed
  readonly payoutId: string;
  readonly assetCode: string;
  readonly units: bigint; // more than none, in units of the network asset's scale
  readonly block: BlockRef; // the one that brought it back
  readonly reason: string | null; // for people, as the network says it
};

/**
 * What changed the holdings and is no payment: without it the books would never agree with the network. FEE: what the
 * network takes for itself. INTEREST: what it gives, or takes, for what lies there. OWN_MONEY: the operator brought
 * money in or took it out. UNKNOWN: it left, and nobody can tell why; a person says what it was.
 */
export type OtherMovement = {
  readonly key: string; // unique on the network, among these
  readonly kind: MovementKind;
  readonly assetCode: string;
  readonly units: bigint; // positive: it came; negative: it left; in units of the network asset's scale
  readonly block: BlockRef;
  readonly note: string | null; // for people: what the network wrote with it
  /** Payouts of ours that it names, though it is not clear that it is them. Until a person has said so none of them is sent again. */
  readonly about?: readonly string[];
};

export type MovementKind = 'FEE' | 'INTEREST' | 'OWN_MONEY' | 'UNKNOWN';

export type Observed = {
  readonly observations: readonly Observation[];
  readonly unmatched?: readonly UnmatchedArrival[];
  /** Blocks reported earlier that are no longer part of the chain: what they confirmed is unconfirmed again. */
  readonly vanishedBlocks: readonly string[];
  readonly vanishedArrivals: readonly VanishedArrival[];
  readonly strays?: readonly Stray[];
  readonly reversals?: readonly Reversal[];
  readonly comebacks?: readonly Comeback[];
  readonly otherMovements?: readonly OtherMovement[];
  /**
   * The newest block that was read, from which confirmations are counted; older than the node's newest while we catch
   * up.
   */
  readonly tip: BlockRef;
  readonly cursor: Cursor;
  /** The newest block that the network itself calls final, if it does. Left out: `finalityDepth` decides. */
  readonly finalHeight?: number;
  /**
   * The newest block that the network calls safe: only an attack could undo it. Left out: nothing is safe before it is
   * final.
   */
  readonly safeHeight?: number;
  /** False when there is more to read: a watcher that is behind asks again without waiting. */
  readonly isCaughtUp: boolean;
  /** Blocks between the cursor and the node's newest, for the operator's metric. */
  readonly blocksBehind: number;
  /** What has become of our own transactions. Repeated until the caller has stored it, and harmless to repeat. */
  readonly sent?: readonly SentUpdate[];
  /** Stored with the cursor, for processes that do not ask the node themselves. */
  readonly facts?: NetworkFacts;
};

/** What a node says about itself. JSON, because it is stored: amounts are texts, in units of the asset's scale. */
export type NetworkFacts = {
  readonly nodeId?: string; // what others know the node by
  readonly nodeName?: string;
  /**
   * The most that can come in now, by asset code, where the network has such a limit: methods that need more are not
   * offered.
   */
  readonly receivable?: { readonly [assetCode: string]: string };
  /** Likewise, the most that can go out. */
  readonly sendable?: { readonly [assetCode: string]: string };
  /** Where payments take slots (`Sender.slots`). */
  readonly slots?: NetworkSlots;
  /** What a payer gives the network for an ordinary payment now, by the asset that is paid with. */
  readonly payerCost?: { readonly [assetCode: string]: { readonly assetCode: string; readonly units: string } };
};

/** `units`: what was not taken back of it, in units of the network asset's scale. None: all of it was. */
export type StandingArrival = Pick<Observation, 'targetKey' | 'txHash' | 'index' | 'assetCode' | 'units' | 'trace'>;

/** What named no target and was not assigned to one, sent back or taken back. */
export type WaitingUnmatched = Omit<StandingArrival, 'targetKey'> &
  Pick<UnmatchedArrival, 'memo'> & {
    /** The payout that is to send it back, if there is one. */
    readonly returnId?: string | null;
  };

/** In units of the network asset's scale. */
export type UnmatchedAmount = Pick<WaitingUnmatched, 'assetCode' | 'units'> & {
  /** Whose arrival is looked for, if that is told: many strangers may have sent the same amount. */
  readonly sender: string | null;
};

/**
 * How something was understood when it was first told: as money that named nobody, as what moved besides, as what was sent and
 * came back. Read again, when more is known, it would be understood otherwise, and be booked a second time.
 */
export type ToldBefore = 'unmatched' | 'movement' | 'comeback';

export type ObserveContext = {
  /**
   * Which of these keys are targets of ours. One question for a whole block, so its cost does not grow with the number
   * of targets.
   */
  knownTargets(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Arrivals that we have reported and that are in no block now, with the trace that we gave them. */
  unconfirmed(): Promise<readonly { readonly txHash: string; readonly trace: { readonly [key: string]: unknown } }[]>;
  /** Which of these arrivals (`txHash:index`) are stored, whatever has become of them. */
  knownArrivals(arrivals: readonly string[]): Promise<ReadonlySet<string>>;
  /** What arrived at these targets in blocks, with what is left of it: to tell which payment the network takes back. */
  arrivalsAt(keys: readonly string[]): Promise<readonly StandingArrival[]>;
  /**
   * What named no target, came with one of these amounts, and still waits, oldest first; then what of it is the operator's own: a
   * network may take that back too. What is on its way back comes last. What is the sender's is told before all that is not.
   */
  waitingUnmatched(amounts: readonly UnmatchedAmount[]): Promise<readonly WaitingUnmatched[]>;
  /**
   * Targets given out in the last days, in the order of their keys: for money that arrives where no transaction or log
   * names the target.
   */
  recentTargets(request: RecentTargetsRequest): Promise<readonly RecentTarget[]>;
  /**
   * At most so many targets at which money is expected now: those of open checkouts first, then deposits, with a fair
   * share for every merchant. `round` counts the calls: what must wait in one comes in the next.
   */
  urgentTargets(request: UrgentTargetsRequest): Promise<readonly RecentTarget[]>;
  /** Our own transactions that were signed and are not final yet: the connector tells what becomes of them. */
  outgoing(): Promise<readonly OutgoingTransaction[]>;
  /** Orders of ours with these hashes, and all that are in these files, whatever has become of them (`FilingSender`). */
  orders(asked: OrdersAsked): Promise<readonly KnownOrder[]>;
  /** What was made of all that the network told before under these names. */
  toldBefore(names: readonly string[]): Promise<ReadonlyMap<string, ToldBefore>>;
  /** Orders that may still happen, although the operator has declared that their file was not handed over. */
  declaredVoid(): Promise<readonly DeclaredVoid[]>;
  /** What was accepted after this place, on networks that are told in documents (`Connector.documents`). */
  documents(request: { readonly after: DocumentPlace; readonly recordsMost: number }): Promise<DocumentPiece>;
};
