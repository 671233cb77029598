/**
 * What a payment network must do for us. Every network, from Bitcoin to a bank rail, implements exactly this;
 * one that cannot send leaves `send` out.
 *
 * A connector owns no table and remembers nothing that matters: what must survive a restart is in the cursor, which
 * the watcher stores in the same transaction as the observations, or in the payments that `ObserveContext` reads back.
 */
import type { Amount } from '../money/amount.ts';

export type NetworkDefinition = {
  readonly id: string; // BITCOIN, LITECOIN, … (spec §2.1)
  readonly name: string;
  readonly type: 'BLOCKCHAIN' | 'BANK';
  readonly imageSrc: string;
  readonly bridged: boolean;
  /** The assets that travel on this network. The first is the default of POST /checkout/commit. */
  readonly assets: readonly NetworkAsset[];
  /**
   * Ascending by `belowUnits`; the last tier has none. Deeper for larger amounts: a reorganisation must not pay. In
   * units of the default asset; an asset of other worth has tiers of its own.
   */
  readonly confirmationTiers: readonly ConfirmationTier[];
  /** A block this deep is final: observe never has to walk back further. */
  readonly finalityDepth: number;
  readonly averageBlockSeconds: number;
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
export type Sep7 = { readonly issuer: string | null; readonly passphrase: string | null };

export type ConfirmationTier = { readonly belowUnits?: bigint; readonly confirmations: number };

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
  /** False when there is more to read at once: a watcher that fell behind asks again without waiting. */
  readonly isCaughtUp: boolean;
  /** Blocks between the cursor and the tip of the node, for the operator's lag metric. */
  readonly blocksBehind: number;
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
  /** Targets given out in the last days, in the order of their keys: for money that arrives without a transfer to read. */
  recentTargets(request: RecentTargetsRequest): Promise<readonly RecentTarget[]>;
};

export type RecentTargetsRequest = {
  readonly assetCode: string;
  readonly afterKey: string;
  readonly limit: number;
};

/** `receivedUnits`: what is stored as having arrived there in a block, in units of the network asset's scale. */
export type RecentTarget = { readonly key: string; readonly receivedUnits: bigint };

export type SendRequest = {
  readonly address: string;
  readonly memo: string | null;
  readonly amount: Amount;
  readonly assetCode: string;
  readonly idempotencyKey: string;
};

export type Connector = {
  readonly network: NetworkDefinition;
  createTarget(request: TargetRequest): Promise<DepositTarget>;
  /** Everything since `cursor` (null: from now on). Asking twice with the same cursor is harmless. */
  observe(cursor: Cursor | null, context: ObserveContext): Promise<Observed>;
  send?(request: SendRequest): Promise<{ readonly txHash: string }>;
};

/** A network that does not answer or answers nonsense. `isRetryable` false: an operator must act. */
export class NetworkError extends Error {
  readonly isRetryable: boolean;

  constructor(message: string, options: { isRetryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'NetworkError';
    this.isRetryable = options.isRetryable;
  }
}

/** How deep a payment of this size must be before it touches the ledger. */
export function confirmationsRequired(network: NetworkDefinition, assetCode: string, units: bigint): number {
  const tiers = networkAsset(network, assetCode).confirmationTiers ?? network.confirmationTiers;
  const tier = tiers.find(({ belowUnits }) => belowUnits === undefined || units < belowUnits);
  if (!tier) throw new Error(`${network.id} has no open-ended confirmation tier`);
  return tier.confirmations;
}

export function networkAsset(network: NetworkDefinition, assetCode: string): NetworkAsset {
  const asset = network.assets.find((candidate) => candidate.assetCode === assetCode);
  if (!asset) throw new Error(`${assetCode} does not travel on ${network.id}`);
  return asset;
}
