/** What is always true of a network, as data and pure functions that ask nobody. */
import type { KnownAs } from './known-as.ts';
import type { InWords, OfferedAs, PayerInstructions, PayerRequest } from './payer-instructions.ts';
import type { Holder, NetworkFee } from './sending.ts';

/** What is true of a network whether it is configured or not: the catalogue shows it. */
export type NetworkIdentity = {
  readonly id: string; // BITCOIN, LITECOIN, … (spec §2.1)
  readonly name: string;
  readonly type: 'BLOCKCHAIN' | 'BANK';
  /** The address of its picture; the picture itself is in `RegisteredNetwork.images`. */
  readonly imageSrc: string;
  readonly bridged: boolean;
  /** The assets that travel on this network. The first is the default of POST /checkout/commit. */
  readonly assets: readonly CarriedAsset[];
  /**
   * A target is an invoice: for one amount, paid once, valid for a while. Left out: it is an address, valid for ever.
   */
  readonly hasInvoices?: boolean;
  /** Many customers share an address here, and a memo says to whom a payment belongs. */
  readonly hasMemos?: boolean;
  /**
   * The id of another network on which the same coin can be paid. Whoever chooses this network gets a target there too,
   * if it is offered: the page shows both, and a link can name both (`PayerRequest.joint`).
   */
  readonly jointWith?: string;
  /** What it is called beside other ways of paying the same coin. Left out: its name. */
  readonly wayName?: InWords;
  /** Left out: by the name of the coin, and how long it takes follows from its blocks. */
  readonly offeredAs?: OfferedAs;
  /** What we call a payment is a mark of our own: by what people know it. Left out: by its transaction. */
  readonly knownAs?: KnownAs;
  /** How long what goes back to a payer is under way, where that is days: in a sentence. */
  readonly returnTakes?: InWords;
  /** How long a payer has after choosing it, at the price that was quoted. Left out: 60 minutes (spec §8). */
  readonly paymentWindowMs?: number;
  /**
   * It takes only charges in the currency that travels on it, and is credited as it is paid. A must where the window is
   * long: a price in another currency would be a bet on the rate that the payer can leave (docs/decisions/0088).
   */
  readonly takesOwnCurrencyOnly?: boolean;
  /** It does not say what it holds for us, so its books are compared with nothing (`Connector.holdings` is left out). */
  readonly hidesHoldings?: boolean;
  /** What must be known of whoever holds the account that money is sent to. Left out: nothing, an address says it all. */
  readonly holderNeeds?: readonly (keyof Holder)[];
  /** How the accounts at a bank are written. Left out: an address is stored and shown as it was given. */
  readonly accountNumbers?: AccountNumbers;
  /**
   * Its sender, if it has one, carries only what goes back to the payer of a payment (`Connector.payerOf`), of each payment
   * by itself and at most what it brought: a destination that anybody chooses is refused.
   */
  readonly givesBackOnly?: boolean;
  /**
   * Only where payments leave in files that a person hands over (`FilingSender`): when so many banking days after a moment are
   * over. By that it is known what waits for too long.
   */
  readonly endOfBankingDays?: (moment: Date, count: number) => Date;
};

export type AccountNumbers = {
  /** As it is stored, copied and sent. */
  plain(given: string): string;
  /** As people read it, where no page groups it. */
  printed(given: string): string;
  /** Whether it is an IBAN, and no number of a country without them. */
  isIban(given: string): boolean;
};

/** Whether refunds go to the account that was paid from, so that nobody is asked for an address. */
export const goesBackToPayer = (network: Pick<NetworkIdentity, 'holderNeeds' | 'givesBackOnly'> | undefined): boolean =>
  network?.holderNeeds !== undefined || network?.givesBackOnly === true;

/** What is not known of a holder, and must be. */
export const missingOfHolder = (
  { holderNeeds = [] }: Pick<NetworkIdentity, 'holderNeeds'>,
  holder: Holder | null,
): readonly (keyof Holder)[] => holderNeeds.filter((part) => !holder?.[part]);

/** From the choice of this network on: what is seen within it is on time. */
export const paymentWindowMs = (network: Pick<NetworkIdentity, 'paymentWindowMs'> | undefined): number =>
  network?.paymentWindowMs ?? 3_600_000;

export type CarriedAsset = {
  readonly assetCode: string; // our asset: BTC, LTC, USDC
  readonly paymentCode: string; // what the payer's wallet calls it: BTC, SAT (spec §2.5)
  /** If the payer's wallet counts in a smaller unit than whole coins. */
  readonly paymentUnit?: PaymentUnit;
};

export type PaymentUnit = {
  readonly name: string;
  /** How many decimals smaller it is. */
  readonly places: number;
  /** For a payer who has never heard of it: a sentence. */
  readonly meaning: InWords;
};

/** Assets that the payer's wallet calls by our codes. */
export const namedAlike = (...codes: string[]): CarriedAsset[] =>
  codes.map((code) => ({ assetCode: code, paymentCode: code }));

/** A network as it is configured. */
export type NetworkDefinition = Omit<NetworkIdentity, 'assets'> & {
  readonly assets: readonly NetworkAsset[];
  /** What else we hold there, for conversions: nobody is asked to pay with it. */
  readonly tokens?: readonly NetworkAsset[];
  /**
   * In ascending order of `belowUnits`; the last tier has none. Larger amounts need more confirmations, so that a
   * reorganisation costs more than it brings. In units of the default asset; an asset of another worth has its own
   * tiers.
   */
  readonly confirmationTiers: readonly ConfirmationTier[];
  /** A block this deep is final: observe never has to go back further. */
  readonly finalityDepth: number;
  readonly averageBlockSeconds: number;
  /**
   * Followed by the hash of a transaction, the address of a page that shows it, on the configured chain: on another
   * chain the page would show nothing, or somebody else's transaction. Left out where there is no such page.
   */
  readonly explorer?: string;
  /** What a payer gives the network, where that is always about the same; else it is in `NetworkFacts`. */
  readonly payerCost?: NetworkFee;
  /** Left out: an address and nothing besides. */
  readonly payerInstructions?: (request: PayerRequest) => PayerInstructions;
  /** What a bank asks for besides the number of an account. Left out: an address is all that there is to know. */
  readonly accountOf?: (address: string) => PaidAccount;
};

export type PaidAccount = { readonly holder: string; readonly bic: string | null };

export type NetworkAsset = CarriedAsset & {
  /** How many decimals the payer's amount has on this network. May be fewer than the asset's ledger scale. */
  readonly scale: number;
  /** A smaller payment costs more to collect than it is worth (dust, sweep cost). In units of `scale`. */
  readonly minimumUnits: bigint;
  /**
   * What names nobody and is less is not read by a person one by one, because anybody can send any number of them for next to
   * nothing (docs/decisions/0118). In units of `scale`; left out: `minimumUnits`.
   */
  readonly unmatchedMinimumUnits?: bigint;
  /** More is not sent in one piece. In units of `scale`; left out: there is no such limit. */
  readonly mostSentUnits?: bigint;
  /** In units of this asset, if it is worth something else than the network's default asset. */
  readonly confirmationTiers?: readonly ConfirmationTier[];
};

/** `until`: in addition to the confirmations, the network itself must call the block safe, or final. */
export type ConfirmationTier = {
  readonly belowUnits?: bigint;
  readonly confirmations: number;
  readonly until?: 'safe' | 'final';
};

/** What a payment of this size must wait for before it is booked. */
export function confirmationTier(network: NetworkDefinition, assetCode: string, units: bigint): ConfirmationTier {
  const tiers = networkAsset(network, assetCode).confirmationTiers ?? network.confirmationTiers;
  const tier = tiers.find(({ belowUnits }) => belowUnits === undefined || units < belowUnits);
  if (!tier) throw new Error(`${network.id} has no open-ended confirmation tier`);
  return tier;
}

/** The confirmations of that tier. */
export const confirmationsRequired = (network: NetworkDefinition, assetCode: string, units: bigint): number =>
  confirmationTier(network, assetCode, units).confirmations;

/** What the network says about this asset, whether it can be paid with or is only held. */
export const carriedAsset = (network: NetworkDefinition, assetCode: string): NetworkAsset | undefined =>
  [...network.assets, ...(network.tokens ?? [])].find((candidate) => candidate.assetCode === assetCode);

export function networkAsset(network: NetworkDefinition, assetCode: string): NetworkAsset {
  const asset = carriedAsset(network, assetCode);
  if (!asset) throw new Error(`${assetCode} does not travel on ${network.id}`);
  return asset;
}
