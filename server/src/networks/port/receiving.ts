/** What a network is asked about money that comes in, and what it answers. */

import type { Amount } from '../../money/amount.ts';
import type { RecentTarget, RecentTargetsRequest, UrgentTargetsRequest } from '../recent-target.ts';
import type { OutgoingTransaction, SentUpdate } from './sending.ts';

/** Opaque to everyone but the connector that made it. JSON, because it is stored. */
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
  /** What an observation is matched by; unique on the network. An address, or address and memo, or a payment hash. */
  readonly key: string;
  readonly address: string;
  readonly memo: string | null;
  readonly memoType: string | null;
};

export type BlockRef = { readonly hash: string; readonly height: number; readonly time: Date };

/** One inbound transfer to one of our targets: an output, a log, an operation. */
export type Observation = {
  readonly targetKey: string;
  readonly txHash: string;
  readonly index: string; // output, log or operation index within the transaction
  readonly assetCode: string;
  readonly units: bigint; // in units of the network asset's scale
  readonly block: BlockRef | null; // null: seen, but in no block yet
  /** Whatever the connector needs later to tell the fate of an unconfirmed transfer, e.g. the inputs it spends. */
  readonly trace: { readonly [key: string]: unknown };
};

/**
 * Something that is none of the network's assets and arrived at a target of ours in a block: nothing we can count, but
 * somebody's money. `what` names it as the network does, e.g. a token by its contract; `units` are its own.
 */
export type StrayTransfer = {
  readonly targetKey: string;
  readonly txHash: string;
  readonly index: string;
  readonly what: string;
  readonly units: bigint;
  readonly block: BlockRef;
};

/**
 * Money that reached an account which many targets share, and that names none of them: the memo was forgotten or is
 * wrong. Reported only once it is final, because nobody follows its fate afterwards.
 */
export type UnmatchedTransfer = Omit<Observation, 'targetKey' | 'block'> & {
  readonly block: BlockRef;
  /** What an operator can find the payer by. */
  readonly sender: string | null;
  readonly memo: string | null;
};

/** An unconfirmed transfer that will not confirm as it is. Observed again all the same, it is alive again. */
export type VanishedTransfer = { readonly txHash: string; readonly replacedBy: string | null };

export type Observed = {
  readonly observations: readonly Observation[];
  readonly unmatched?: readonly UnmatchedTransfer[];
  /** Blocks reported earlier that are no longer part of the chain: what they confirmed is unconfirmed again. */
  readonly vanishedBlocks: readonly string[];
  readonly vanishedTransfers: readonly VanishedTransfer[];
  readonly strays?: readonly StrayTransfer[];
  /** The newest block this has read, from which confirmations are counted; behind the node's tip while catching up. */
  readonly tip: BlockRef;
  readonly cursor: Cursor;
  /** The newest block that the network itself calls final, where it does so. Left out, `finalityDepth` decides. */
  readonly finalHeight?: number;
  /** Likewise safe: it would take an attack to undo it. Left out, nothing is safe before it is final. */
  readonly safeHeight?: number;
  /** False when there is more to read at once: a watcher that fell behind asks again without waiting. */
  readonly isCaughtUp: boolean;
  /** Blocks between the cursor and the tip of the node, for the operator's lag metric. */
  readonly blocksBehind: number;
  /** What has become of transactions of our own. Repeated until the caller has stored it, and harmless to repeat. */
  readonly sent?: readonly SentUpdate[];
  /** Stored with the cursor, for processes that do not ask the node themselves. */
  readonly facts?: NetworkFacts;
};

/** What a node says about itself. JSON, because it is stored: amounts are texts, in units of the asset's scale. */
export type NetworkFacts = {
  readonly nodeId?: string; // what others know the node by
  readonly nodeName?: string;
  /** The most that can come in now, by asset code, where the network has such a limit: larger methods are left out. */
  readonly receivable?: { readonly [assetCode: string]: string };
  /** Likewise, the most that can go out. */
  readonly sendable?: { readonly [assetCode: string]: string };
};

export type ObserveContext = {
  /** Which of these keys are targets of ours. One look-up for a whole block, so its cost does not grow with targets. */
  knownTargets(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Transfers we have reported and that are in no block now, with the trace we gave them. */
  unconfirmed(): Promise<readonly { readonly txHash: string; readonly trace: { readonly [key: string]: unknown } }[]>;
  /** Which of these transfers (`txHash:index`) are stored, whatever has become of them. */
  knownTransfers(transfers: readonly string[]): Promise<ReadonlySet<string>>;
  /** Targets given out in the last days, in the order of their keys: for money that arrives without a transfer to read. */
  recentTargets(request: RecentTargetsRequest): Promise<readonly RecentTarget[]>;
  /**
   * At most so many of them that money is expected at now: of open checkouts first, then deposits, with a fair share for
   * every merchant. `round` counts the calls: what has to wait in one is in the next.
   */
  urgentTargets(request: UrgentTargetsRequest): Promise<readonly RecentTarget[]>;
  /** Transactions of our own that were signed and whose fate is not final: the connector says what becomes of them. */
  outgoing(): Promise<readonly OutgoingTransaction[]>;
};
