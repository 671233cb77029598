/** Money that leaves, as a network is told of it. */

import type { HeldFee } from '../held-fee.ts';
import type { BlockRef, DepositTarget } from './receiving.ts';

export type NetworkAddress = {
  readonly address: string; // or an invoice, where the network has those
  readonly memo: string | null;
  readonly memoType: string | null; // text, id, hash, return; null without a memo
};

export type Destination = NetworkAddress & {
  /** Whose account it is. Null where the network asks for nobody's name (`NetworkIdentity.holderNeeds`). */
  readonly holder: Holder | null;
};

/** Who holds an account at a bank, as it was when the money was asked to leave. JSON, because it is stored. */
export type Holder = {
  readonly name: string;
  readonly street: string | null;
  readonly postCode: string | null;
  readonly town: string | null;
  readonly country: string | null; // two letters of ISO 3166-1
  readonly bic: string | null; // of the bank, where the account's number does not name it
};

export type Payout = Destination & {
  readonly id: string; // ours; a network that knows idempotency keys uses it as one
  readonly assetCode: string;
  readonly units: bigint; // in units of the network asset's scale
  /**
   * Exchanged with ourselves on the network's market, for at least so much of another asset; otherwise it is refused.
   */
  readonly exchange?: { readonly assetCode: string; readonly leastUnits: bigint };
  /** The asset's issuer, which is us, makes these units instead of spending some. */
  readonly isIssue?: boolean;
  /** Left out: only the operator pays for it, and only the operator's own limits bound it. */
  readonly heldFee?: HeldFee;
  /** How many slots it may take, at least one. Left out: the network has no slots, or as many as it likes. */
  readonly slotsMax?: number;
};

/** What every way of sending has in common: what it costs. */
export type Pricing = {
  /** The asset in which the network takes its fees. */
  readonly feeAssetCode: string;
  /**
   * What must be set aside to send this now, in the asset in which the network takes its fees: what it would cost, and
   * a little more, so that it can still be sent when the fee rises a little.
   */
  estimateFee(payout: Payout, wallet: Pick<SendContext, 'unspent'>): Promise<NetworkFee>;
};

/**
 * Sending goes step by step, because what is signed must be stored before it may leave, and what may have left must
 * never be signed a second time. The caller stores what `prepare` gives, then broadcasts it again and again until
 * `observe` says what became of it. One caller at a time prepares for a network.
 */
export type Sender = Pricing & {
  /**
   * Signs one transaction for the first payout and as many of the others as fit. Throws `SendRefused` for a payout
   * that can never be sent, `NotEnoughFunds` for one that must wait for money and keeps the others waiting too,
   * `AllMustWait` when none of them can be sent now.
   */
  prepare(payouts: readonly Payout[], context: SendContext): Promise<SignedTransaction>;
  /**
   * The next things that must be done before we can send: collect, top up, open a trustline. Empty: there is nothing to
   * do. All of them are stored together, or none, and then broadcast together, in this order.
   */
  housekeeping?(context: SendContext): Promise<readonly SignedTransaction[]>;
  /**
   * Only where every payment that is under way takes slots, and there are only so many. Whoever is paid decides for how long,
   * so no merchant gets all of them (`sending/slot-share.ts`).
   */
  slots?(): Promise<NetworkSlots>;
  /** Harmless to repeat: if the network has it already, that is a success. After any error the outcome is unknown. */
  broadcast(transaction: OutgoingTransaction): Promise<void>;
  /**
   * The same payments with a higher fee, and with at least one use in common, so that only one of the two can ever
   * happen. Null: it is not stuck, or cannot be replaced, or not for what is set aside. It may cost more than that only
   * when others wait behind it.
   */
  replace?(transaction: OutgoingTransaction, context: SendContext): Promise<SignedTransaction | null>;
};

/** What is free is not taken by anybody, whether through us or not. */
export type NetworkSlots = { readonly total: number; readonly free: number };

export type NetworkFee = { readonly assetCode: string; readonly units: bigint }; // in units of that asset's scale

export type SignedTransaction = {
  readonly txHash: string;
  readonly raw: string; // what is broadcast, as the connector wants it back
  /** What it uses up and no other transaction may use too: a coin, a nonce, a sequence number. */
  readonly uses: readonly string[];
  /** Which of the payouts it carries; none for housekeeping. */
  readonly payoutIds: readonly string[];
  /** What it will cost at most. */
  readonly fee: NetworkFee;
  /** JSON, for the connector itself: whatever it needs to follow or replace the transaction. */
  readonly trace: { readonly [key: string]: unknown };
  /** In addition to the confirmations, the network must call its block safe before it is done. */
  readonly until?: 'safe';
  /** How many slots it may take while it is open, where the network has them (`Sender.slots`). */
  readonly slots?: number;
  /** What it is for, for the operator, if it is housekeeping: "collect", "top up", "open a trustline". */
  readonly note?: string;
};

export type OutgoingTransaction = Pick<SignedTransaction, 'txHash' | 'raw' | 'uses' | 'trace'> & {
  readonly signedAt: Date;
  /** The block it was last seen in. */
  readonly block: { readonly hash: string; readonly height: number } | null;
  /** What is set aside for all that it carries. Left out: only the operator's own limits bound it. */
  readonly heldFeeUnits?: bigint;
};

/**
 * included: it happened, in this block (a network without blocks makes one up, final at once). failed: it can no longer
 * happen or happened without effect; what it uses stays used up. expired: it can no longer happen, and what it used is
 * free.
 */
export type SentUpdate = {
  readonly txHash: string;
  readonly outcome: 'included' | 'failed' | 'expired';
  readonly block: BlockRef | null;
  readonly fee: NetworkFee; // what it did cost
  /** The hash under which it is in the block, where that is not the one we signed it with: others could change it. */
  readonly happenedAs?: string;
  readonly reason?: string; // of a failure, for people
  /** What the connector wants to find in its trace from now on; only with a block. */
  readonly traced?: { readonly [key: string]: unknown };
  /** What it changed at our targets, where balances depend on that: by key, in units of the asset's scale. */
  readonly moves?: readonly { readonly targetKey: string; readonly assetCode: string; readonly units: bigint }[];
  /** The fee that a token kept for itself on the way from one address of ours to another. */
  readonly kept?: { readonly assetCode: string; readonly units: bigint };
  /** If it expired: the payouts that were to blame. Those have failed, and only the others may be sent again. */
  readonly toBlame?: readonly { readonly payoutId: string; readonly reason: string }[];
  /** What exchanges gave. */
  readonly exchanged?: readonly { readonly payoutId: string; readonly assetCode: string; readonly units: bigint }[];
};

export type SendContext = {
  /** Confirmed money at targets of ours that no transaction of our own uses (`txHash:index`). */
  unspent(request: UnspentRequest): Promise<readonly Coin[]>;
  /** Uses of this prefix, in any order, by transactions that are not final or ended less than a day ago. */
  used(prefix: string): Promise<readonly string[]>;
  /** A new target of our own, for change. */
  changeTarget(): Promise<DepositTarget & { readonly index: number }>;
  readonly now: Date;
};

export type UnspentRequest = {
  readonly assetCode: string;
  readonly limit: number;
  /**
   * Left out: the oldest first. Anybody can send us any number of crumbs: a caller that goes by age must skip them
   * itself.
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

/** This payout can never be sent as it is; the message says why, to whoever asked for it. */
export class SendRefused extends Error {
  readonly payoutId: string;

  constructor(payoutId: string, message: string) {
    super(message);
    this.name = 'SendRefused';
    this.payoutId = payoutId;
  }
}

/** The wallet cannot pay this now. Later it may. */
export class NotEnoughFunds extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotEnoughFunds';
  }
}
