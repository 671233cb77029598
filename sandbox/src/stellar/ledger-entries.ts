/**
 * What the local Stellar ledger holds: accounts, trustlines, offers and claimable balances. Rows are never changed in
 * place, only replaced, and every replacement is noted, so that a failed transaction can be undone to the last unit.
 */
import { decimal, formatFixed, fromUnits, toUnits } from '@quittance/server/money/decimal';
import { Asset, type Claimant } from '@stellar/stellar-sdk';

export type AccountEntry = {
  readonly id: string;
  readonly balance: bigint; // in stroops, 7 decimal places
  readonly sequence: bigint;
  readonly flags: number;
  readonly homeDomain: string;
  readonly thresholds: {
    readonly master: number;
    readonly low: number;
    readonly medium: number;
    readonly high: number;
  };
  readonly signers: ReadonlyMap<string, number>; // further ed25519 keys and their weight
  readonly data: ReadonlyMap<string, Uint8Array>;
  /** Entries whose reserve this account pays though they are not its own: claimable balances, one per claimant. */
  readonly sponsoring: number;
};

export type TrustlineEntry = {
  readonly account: string;
  readonly asset: string;
  readonly balance: bigint;
  readonly limit: bigint;
  readonly isAuthorized: boolean;
};

export type OfferEntry = {
  readonly id: bigint;
  readonly seller: string;
  readonly selling: string;
  readonly buying: string;
  readonly amount: bigint;
  /** Units of `buying` for one of `selling`, as a fraction: 32 bits each. */
  readonly price: Price;
};
export type Price = { readonly n: bigint; readonly d: bigint };

export type ClaimableBalanceEntry = {
  readonly id: string;
  readonly asset: string;
  readonly amount: bigint;
  readonly claimants: readonly Claimant[];
  readonly sponsor: string;
  readonly ledger: number; // that changed it last
};

export type Table<Row> = {
  get(key: string): Row | undefined;
  set(key: string, row: Row): void;
  delete(key: string): void;
  values(): Iterable<Row>;
};

export type LedgerEntries = {
  readonly accounts: Table<AccountEntry>;
  readonly trustlines: Table<TrustlineEntry>;
  readonly offers: Table<OfferEntry>;
  readonly claimableBalances: Table<ClaimableBalanceEntry>;
  /** Runs the work; when it throws, nothing of it has happened. */
  attempt<T>(work: () => T): T;
};

export function createLedgerEntries(): LedgerEntries {
  const undo: (() => void)[] = [];

  function table<Row>(): Table<Row> {
    const rows = new Map<string, Row>();
    function remember(key: string): void {
      const before = rows.get(key);
      undo.push(() => void (before === undefined ? rows.delete(key) : rows.set(key, before)));
    }
    return {
      get: (key) => rows.get(key),
      set(key, row) {
        remember(key);
        rows.set(key, row);
      },
      delete(key) {
        remember(key);
        rows.delete(key);
      },
      values: () => rows.values(),
    };
  }

  let depth = 0;
  return {
    accounts: table(),
    trustlines: table(),
    offers: table(),
    claimableBalances: table(),
    attempt(work) {
      const mark = undo.length;
      depth += 1;
      try {
        return work();
      } catch (error) {
        while (undo.length > mark) undo.pop()?.();
        throw error;
      } finally {
        depth -= 1;
        if (depth === 0) undo.length = 0;
      }
    },
  };
}

export const nativeAsset = 'native';
export const int64Max = 2n ** 63n - 1n;
export const stroopsPerLumen = 10_000_000n;

export const toStroops = (amount: string): bigint => toUnits(decimal(amount), 7, 'down');
export const formatStroops = (units: bigint): string => formatFixed(fromUnits(units, 7), 7);

/** `native` or `CODE:ISSUER`, as Horizon writes it in paths and claimable balances. */
export const assetKey = (asset: Asset): string =>
  asset.isNative() ? nativeAsset : `${asset.getCode()}:${asset.getIssuer()}`;

export function assetOf(key: string): Asset {
  const [code = '', issuer] = key.split(':');
  return key === nativeAsset ? Asset.native() : new Asset(code, issuer);
}

export const issuerOf = (asset: string): string | undefined => asset.split(':')[1];
export const trustlineKey = (account: string, asset: string): string => `${account}/${asset}`;
