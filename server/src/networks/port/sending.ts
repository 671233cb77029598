/** Money on its way out, as a network is told of it. */

import type { HeldFee } from '../held-fee.ts';
import type { BlockRef, DepositTarget } from './receiving.ts';

export type Destination = {
  readonly address: string; // or an invoice, where the network has those
  readonly memo: string | null;
  readonly memoType: string | null; // text, id, hash, return; null without a memo
};

export type OutgoingTransfer = Destination & {
  readonly id: string; // ours; a network that knows idempotency keys uses it as one
  readonly assetCode: string;
  readonly units: bigint; // in units of the network asset's scale
  /** Exchanged with ourselves on the network's market, for at least so much of another asset; else it is refused. */
  readonly exchange?: { readonly assetCode: string; readonly leastUnits: bigint };
  /** Brought into being by its issuer, which is us, instead of being spent. */
  readonly isIssue?: boolean;
  /** Left out: nobody pays for it but the operator, whose own limits are all that bounds it. */
  readonly heldFee?: HeldFee;
};

/**
 * Sending, one step at a time, because what is signed must be stored before it may leave, and what may have left must
 * never be signed a second time. The caller stores what `prepare` gives, then broadcasts it, again and again until
 * `observe` says what became of it. One caller at a time prepares for a network.
 */
export type Sender = {
  /** The asset in which the network takes its fees. */
  readonly feeAssetCode: string;
  /**
   * What is set aside for sending this now, in the asset in which the network takes its fees: what it would cost, and so
   * much more that it can still be sent when the network asks for a little more.
   */
  estimateFee(transfer: OutgoingTransfer, wallet: Pick<SendContext, 'unspent'>): Promise<NetworkFee>;
  /**
   * Signs one transaction for the first transfer and as many of the others as fit. Throws `SendRefused` for a transfer
   * that can never be sent, `NotEnoughFunds` for one that must wait for money and keeps the others waiting too,
   * `AllMustWait` when none of them can be sent now.
   */
  prepare(transfers: readonly OutgoingTransfer[], context: SendContext): Promise<SignedTransaction>;
  /**
   * The next things that must be done to be able to send: collect, top up, open a trustline. None: all is well. They are
   * stored together, or none of them, and then broadcast together, in this order.
   */
  housekeeping?(context: SendContext): Promise<readonly SignedTransaction[]>;
  /** Harmless to repeat, and already there is success. Any error leaves the outcome unknown. */
  broadcast(transaction: OutgoingTransaction): Promise<void>;
  /**
   * The same payments with a higher fee, using up at least one claim in common, so that only one of the two can ever
   * happen. Null: it is not stuck, or cannot be helped, or not with what is set aside for it. Only where others wait
   * behind it may it cost more than that.
   */
  replace?(transaction: OutgoingTransaction, context: SendContext): Promise<SignedTransaction | null>;
};

export type NetworkFee = { readonly assetCode: string; readonly units: bigint }; // in units of that asset's scale

export type SignedTransaction = {
  readonly txHash: string;
  readonly raw: string; // what is broadcast, as the connector wants it back
  /** What it uses up and no other transaction may use too: a coin, a nonce, a sequence number. */
  readonly claims: readonly string[];
  /** Which of the transfers it carries; none for housekeeping. */
  readonly transferIds: readonly string[];
  /** What it will cost at most. */
  readonly fee: NetworkFee;
  /** JSON, for the connector itself: whatever it needs to follow or replace the transaction. */
  readonly trace: { readonly [key: string]: unknown };
  /** Why housekeeping wants it, for the operator: "collect", "top up", "open a trustline". */
  readonly note?: string;
};

export type OutgoingTransaction = Pick<SignedTransaction, 'txHash' | 'raw' | 'claims' | 'trace'> & {
  readonly signedAt: Date;
  /** The block it was last seen in. */
  readonly block: { readonly hash: string; readonly height: number } | null;
  /** What is set aside for all that it carries. Left out: nothing bounds it but the operator's own limits. */
  readonly heldFeeUnits?: bigint;
};

/**
 * included: it happened, in this block (a network without blocks makes one up, final at once). failed: it can no longer
 * happen or happened without effect; its claims stay used. expired: it can no longer happen, and what it claimed is free.
 */
export type SentUpdate = {
  readonly txHash: string;
  readonly outcome: 'included' | 'failed' | 'expired';
  readonly block: BlockRef | null;
  readonly fee: NetworkFee; // what it did cost
  readonly reason?: string; // of a failure, for people
  /** What it changed at targets of ours, where that matters to balances: by key, in units of the asset's scale. */
  readonly moves?: readonly { readonly targetKey: string; readonly assetCode: string; readonly units: bigint }[];
  /** What a token kept for itself while it went from one address of ours to another. */
  readonly kept?: { readonly assetCode: string; readonly units: bigint };
  /** Of one that expired: the transfers that were to blame. They have failed, and only the others may be sent again. */
  readonly toBlame?: readonly { readonly transferId: string; readonly reason: string }[];
  /** What exchanges gave. */
  readonly exchanged?: readonly { readonly transferId: string; readonly assetCode: string; readonly units: bigint }[];
};

export type SendContext = {
  /** Confirmed money at targets of ours that no transaction of our own claims (`txHash:index`). */
  unspent(request: UnspentRequest): Promise<readonly Coin[]>;
  /** Claims of this prefix that are used, in any order, by transactions that are not final or ended less than a day ago. */
  claimed(prefix: string): Promise<readonly string[]>;
  /** A new target of our own, for change. */
  changeTarget(): Promise<DepositTarget & { readonly index: number }>;
  readonly now: Date;
};

export type UnspentRequest = {
  readonly assetCode: string;
  readonly limit: number;
  /**
   * Left out: the oldest first. Anybody can send us any number of crumbs: whoever looks for money by its age must get
   * past them by itself.
   */
  readonly order?: 'largest' | 'smallest';
  readonly leastUnits?: bigint; // smaller coins are left out
};

export type Coin = {
  readonly txHash: string;
  readonly index: string;
  readonly units: bigint;
  readonly targetKey: string;
  readonly targetIndex: number; // the derivation index of the target
  readonly trace?: { readonly [key: string]: unknown }; // of the payment that brought it, as it was observed
};

/** This transfer can never be sent as it is; the message says why, to whoever asked for it. */
export class SendRefused extends Error {
  readonly transferId: string;

  constructor(transferId: string, message: string) {
    super(message);
    this.name = 'SendRefused';
    this.transferId = transferId;
  }
}

/** The wallet cannot pay this now. Later it may. */
export class NotEnoughFunds extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotEnoughFunds';
  }
}
