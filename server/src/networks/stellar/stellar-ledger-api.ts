/**
 * What we ask about the Stellar ledger, whoever answers. Today that is Horizon; when Stellar's RPC replaces it, only
 * this must be implemented a second time.
 */
export type LedgerTip = {
  readonly passphrase: string;
  /** The newest ledger that we can ask about, and the newest that the network has closed. */
  readonly sequence: number;
  readonly networkSequence: number;
  readonly closedAt: Date;
};

export type StellarMemo = { readonly type: string; readonly value: string };

/** Money that came into the account, in a closed ledger. */
export type StellarArrival = {
  readonly txHash: string;
  /** The index of the operation in its transaction, and of the movement in the operation, if there can be several. */
  readonly index: string;
  readonly kind: string;
  readonly ledger: number;
  readonly closedAt: Date;
  readonly sender: string | null;
  readonly memo: StellarMemo | null;
  /** The number in an M… address (SEP-23), if the payer used one. */
  readonly muxedId: string | null;
  readonly asset: string; // native, or CODE:ISSUER
  readonly units: bigint; // seven decimal places, whatever the asset
};

export type IncomingPage = {
  readonly arrivals: readonly StellarArrival[];
  /** The place after this page, and the ledger in which it is. */
  readonly next: string;
  readonly lastLedger: number | null; // null: there was nothing
  readonly isLast: boolean;
};

export type StellarAccount = {
  readonly sequence: bigint;
  /** The newest ledger that this answer knew, if it says so: by this we notice a replica that is behind. */
  readonly asOfLedger: number | null;
  readonly lumens: bigint;
  readonly lumensPromised: bigint; // to offers
  readonly lumensRoom: bigint; // what more it can take, also from offers (CAP-3)
  /** How many base reserves it must keep (CAP-33): two, and one for each entry that it pays for. */
  readonly reserveCount: number;
  readonly lines: ReadonlyMap<string, Trustline>; // by CODE:ISSUER
  readonly requiresMemo: boolean; // SEP-29
};

export type Trustline = {
  readonly spendable: bigint;
  readonly room: bigint;
  readonly isAuthorized: boolean;
};

/** A transaction in a closed ledger. */
export type LedgerTransaction = {
  /** The hash of the envelope that was included: of the fee bump, if there was one. */
  readonly outerHash: string;
  readonly ledger: number;
  readonly closedAt: Date;
  readonly isSuccessful: boolean;
  readonly feeCharged: bigint;
  readonly resultXdr: string;
};

export type SequenceHolder = { readonly hash: string; readonly envelope: string; readonly isSuccessful: boolean };

export type WaitingBalance = {
  readonly id: string;
  readonly asset: string;
  readonly units: bigint;
  readonly claimants: readonly { readonly destination: string; readonly predicate: unknown }[];
};

/** What the network asks for now: of every account, and for every operation, in stroops. */
export type LedgerTerms = { readonly baseReserve: bigint; readonly feeRate: bigint };

/** A way over the ledger's offers, and what arrives at its end. */
export type ExchangePath = { readonly through: readonly string[]; readonly units: bigint };

export type StellarLedgerApi = {
  tip(): Promise<LedgerTip>;
  terms(): Promise<LedgerTerms>;
  /** Null: there is no such account. */
  account(id: string): Promise<StellarAccount | null>;
  /** How many units of an asset (CODE:ISSUER) there are, whoever holds them, and as of which ledger. */
  supply(asset: string): Promise<{ readonly units: bigint; readonly asOfLedger: number | null }>;
  /** What came into the account after this place in the history, in the order of the ledger. */
  incoming(account: string, after: string, untilLedger: number): Promise<IncomingPage>;
  /** By the hash of the transaction or of its fee bump. Null: it is in no ledger that we can ask about. */
  transaction(hash: string): Promise<LedgerTransaction | null>;
  /** The transaction that took this sequence number of the account. Null: not found. */
  holderOf(account: string, sequence: bigint): Promise<SequenceHolder | null>;
  /** Null: the network has it. Otherwise the result with which it was refused; everything else is a NetworkError. */
  submit(envelope: string): Promise<{ readonly resultXdr: string } | null>;
  /** The best way to exchange exactly so much of one asset for another. Null: there is none. */
  bestPath(from: string, units: bigint, to: string): Promise<ExchangePath | null>;
  /**
   * Claimable balances (CAP-23) of this asset that the account may claim, now or later: one page, after a place ('' is
   * the beginning). `next` null: that was the last page.
   */
  waitingFor(
    account: string,
    asset: string,
    after: string,
  ): Promise<{ readonly balances: readonly WaitingBalance[]; readonly next: string | null }>;
};

/** SEP-35: a place in the history is one number, in the order of ledger, transaction, operation. */
export const endOfLedger = (sequence: number): string => String((BigInt(sequence + 1) << 32n) - 1n);
export const ledgerOfPlace = (place: string): number => Number(BigInt(place) >> 32n);
export const operationOfPlace = (place: string): number => Number(BigInt(place) & 0xfffn);
