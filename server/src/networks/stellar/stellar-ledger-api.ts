/**
 * What we ask of whoever tells us about the Stellar ledger. Today that is Horizon; Stellar's RPC will follow it, and
 * then a second implementation of this is all there is to write.
 */
export type LedgerTip = {
  readonly passphrase: string;
  /** The newest ledger that can be asked about, and the newest that the network has closed. */
  readonly sequence: number;
  readonly networkSequence: number;
  readonly closedAt: Date;
};

export type StellarMemo = { readonly type: string; readonly value: string };

/** One movement into the account, in a closed ledger. */
export type IncomingTransfer = {
  readonly txHash: string;
  /** Of the operation in its transaction, and of the movement in the operation where there can be several. */
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
  readonly transfers: readonly IncomingTransfer[];
  /** The place after this page, and the ledger it lies in. */
  readonly next: string;
  readonly lastLedger: number | null; // null: there was nothing
  readonly isLast: boolean;
};

export type StellarLedgerApi = {
  tip(): Promise<LedgerTip>;
  /** The assets that the account can receive, or null if there is no such account. */
  assetsOf(account: string): Promise<ReadonlySet<string> | null>;
  /** What came into the account after this place in the history, in the order of the ledger. */
  incoming(account: string, after: string, untilLedger: number): Promise<IncomingPage>;
};

/** SEP-35: places in the history are ordered by ledger, transaction, operation, in one number. */
export const endOfLedger = (sequence: number): string => String((BigInt(sequence + 1) << 32n) - 1n);
export const ledgerOfPlace = (place: string): number => Number(BigInt(place) >> 32n);
export const operationOfPlace = (place: string): number => Number(BigInt(place) & 0xfffn);
