/** What is true of a network, as data and pure functions: nobody is asked for it. */
import type { PayerInstructions, PayerRequest } from './payer-instructions.ts';

/** What is true of a network wherever it is configured, and where it is not: what the catalogue says of it. */
export type NetworkIdentity = {
  readonly id: string; // BITCOIN, LITECOIN, … (spec §2.1)
  readonly name: string;
  readonly type: 'BLOCKCHAIN' | 'BANK';
  /** Where its picture is served; the picture itself lies in `RegisteredNetwork.images`. */
  readonly imageSrc: string;
  readonly bridged: boolean;
  /** The assets that travel on this network. The first is the default of POST /checkout/commit. */
  readonly assets: readonly CarriedAsset[];
  /** A target is an invoice: for one amount, paid once, valid for a while. Left out: an address, good for ever. */
  readonly hasInvoices?: boolean;
  /** Many share an address here, and a memo says whose a payment is. */
  readonly hasMemos?: boolean;
  /**
   * The id of a network by which the same may be paid through the same link: whoever chooses this one gets a target
   * there too, where it is offered, as `PayerRequest.joint`.
   */
  readonly jointWith?: string;
};

export type CarriedAsset = {
  readonly assetCode: string; // our asset: BTC, LTC, USDC
  readonly paymentCode: string; // what the payer's wallet calls it: BTC, SAT (spec §2.5)
  /** Where the payer's wallet counts in a smaller unit than whole coins: its name, and how many places smaller. */
  readonly paymentUnit?: { readonly name: string; readonly places: number };
};

/** What the payer's wallet calls as we do. */
export const namedAlike = (...codes: string[]): CarriedAsset[] =>
  codes.map((code) => ({ assetCode: code, paymentCode: code }));

/** A network as it is configured. */
export type NetworkDefinition = Omit<NetworkIdentity, 'assets'> & {
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
  /**
   * What the hash of a transaction is appended to for a look at it, on the chain that is configured: a page that links
   * to another one shows nothing, or somebody else's. Left out where nobody can look.
   */
  readonly explorer?: string;
  /** Left out: an address and nothing besides. */
  readonly payerInstructions?: (request: PayerRequest) => PayerInstructions;
};

export type NetworkAsset = CarriedAsset & {
  /** Decimal places of the payer's amount on this rail. May be coarser than the ledger scale of the asset. */
  readonly scale: number;
  /** Below this a payment costs more to collect than it is worth (dust, sweep cost), in units of `scale`. */
  readonly minimumUnits: bigint;
  /** In units of this asset, where it differs in worth from the network's default asset. */
  readonly confirmationTiers?: readonly ConfirmationTier[];
};

/** `until`: besides as many confirmations, the network itself must call the block safe, or final. */
export type ConfirmationTier = {
  readonly belowUnits?: bigint;
  readonly confirmations: number;
  readonly until?: 'safe' | 'final';
};

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
