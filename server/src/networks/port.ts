/**
 * What a payment network must do for us. Every network, from Bitcoin to a bank rail, implements exactly this;
 * one that cannot send leaves `send` out.
 *
 * A connector owns no table and remembers nothing that matters: what must survive a restart is in the cursor, which
 * the watcher stores in the same transaction as the observations, or in the payments that `ObserveContext` reads back.
 */

import type { Amount } from '../money/amount.ts';
import type { HeldFee } from './held-fee.ts';
import type { Holding, HoldingsContext, SupplyContext } from './holdings.ts';
import type { RecentTarget, RecentTargetsRequest, UrgentTargetsRequest } from './recent-target.ts';

export type NetworkDefinition = {
  readonly id: string; // BITCOIN, LITECOIN, … (spec §2.1)
  readonly name: string;
  readonly type: 'BLOCKCHAIN' | 'BANK';
  readonly imageSrc: string;
  readonly bridged: boolean;
  /** The assets that travel on this network. The first is the default of POST /checkout/commit. */
  readonly assets: readonly NetworkAsset[];
  /** What we hold there besides, for conversions: nobody is asked to pay with it. */
  readonly tokens?: readonly NetworkAsset[];
  /**
   * Ascending by `belowUnits`; the last tier has none. Deeper for larger amounts: a reorganisation must not pay. In
   * units of the default asset; an asset of other worth has tiers of its own.
   */
  readonly confirmationTiers: readonly ConfirmationTier[];
  /** A block this deep is final: observe never has to walk back further. */
  readonly finalityDepth: number;
  readonly averageBlockSeconds: number;
  /** A target is an invoice: for one amount, paid once, valid for a while. Left out: an address, good for ever. */
  readonly hasInvoices?: boolean;
  /**
   * What the hash of a transaction is appended to for a look at it, on the chain that is configured: a page that links
   * to another one shows nothing, or somebody else's. Left out where nobody can look.
   */
  readonly explorer?: string;
};

export type NetworkAsset = {
  readonly assetCode: string; // our asset: BTC, LTC, USDC
  readonly paymentCode: string; // what the payer's wallet calls it: BTC, SAT (spec §2.5)
  /** Decimal places of the payer's amount on this rail. May be coarser than the ledger scale of the asset. */
  readonly scale: number;
  /** Below this a payment costs more to collect than it is worth (dust, sweep cost), in units of `scale`. */
  readonly minimumUnits: bigint;
  /** In units of this asset, where it differs in worth from the network's default asset. */
  readonly confirmationTiers?: readonly ConfirmationTier[];
  /** What a link of EIP-681 must say to be paid in this asset, where wallets know such links. */
  readonly eip681?: { readonly chainId: number; readonly contract: string | null };
  /** What a link of SEP-7 must say to be paid in this asset, where wallets know such links. */
  readonly sep7?: Sep7;
};

/** `issuer` null: the network's own coin. `passphrase` null: the public network, which goes without saying. */
export type Sep7 = {
  readonly issuer: string | null;
  readonly passphrase: string | null;
  /** Appends who we are and a signature that wallets can check. Left out: the operator has no key for it. */
  readonly sign?: (link: string) => string;
};

/** `until`: besides as many confirmations, the network itself must call the block safe, or final. */
export type ConfirmationTier = {
  readonly belowUnits?: bigint;
  readonly confirmations: number;
  readonly until?: 'safe' | 'final';
};

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

export type Connector = {
  readonly network: NetworkDefinition;
  createTarget(request: TargetRequest): Promise<DepositTarget>;
  /** What a target asks for, where it says so itself: an invoice, of ours or not. In units of the asset's scale. Asks nobody. */
  targetUnits?(target: Pick<DepositTarget, 'address'>): bigint | null;
  /** Everything since `cursor` (null: from now on). Asking twice with the same cursor is harmless. */
  observe(cursor: Cursor | null, context: ObserveContext): Promise<Observed>;
  /** What is wrong with an address (and its memo), in one sentence; null: money can be sent there. Asks nobody. */
  addressProblem?(destination: Destination): string | null;
  /** Where the operator brings money in, on networks that send from one address. */
  readonly wallet?: DepositTarget;
  /** The account of ours between whose assets exchanges are made, on networks with a market. */
  readonly exchangeAccount?: string;
  /** What the network itself says that we hold: the other side of the books. */
  holdings?(context: HoldingsContext): Promise<readonly Holding[]>;
  /** Of tokens that we bring into being there: how many there are in the world, as the network itself says. */
  supply?(context: SupplyContext): Promise<readonly Holding[]>;
  /** Left out where the connector holds no key: then it only receives. */
  readonly sender?: Sender;
};

/** What is needed to know of a network without asking it anything. */
export type KnownNetwork = Pick<Connector, 'network' | 'targetUnits'>;

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

/** A network that does not answer or answers nonsense. `isRetryable` false: an operator must act. */
export class NetworkError extends Error {
  readonly isRetryable: boolean;

  constructor(message: string, options: { isRetryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'NetworkError';
    this.isRetryable = options.isRetryable;
  }
}

/** What a payment of this size must wait for before it touches the ledger. */
export function confirmationTier(network: NetworkDefinition, assetCode: string, units: bigint): ConfirmationTier {
  const tiers = networkAsset(network, assetCode).confirmationTiers ?? network.confirmationTiers;
  const tier = tiers.find(({ belowUnits }) => belowUnits === undefined || units < belowUnits);
  if (!tier) throw new Error(`${network.id} has no open-ended confirmation tier`);
  return tier;
}

/** As deep as that, at least. */
export const confirmationsRequired = (network: NetworkDefinition, assetCode: string, units: bigint): number =>
  confirmationTier(network, assetCode, units).confirmations;

/** What the network knows about this asset, paid with or only held. */
export const carriedAsset = (network: NetworkDefinition, assetCode: string): NetworkAsset | undefined =>
  [...network.assets, ...(network.tokens ?? [])].find((candidate) => candidate.assetCode === assetCode);

export function networkAsset(network: NetworkDefinition, assetCode: string): NetworkAsset {
  const asset = carriedAsset(network, assetCode);
  if (!asset) throw new Error(`${assetCode} does not travel on ${network.id}`);
  return asset;
}
