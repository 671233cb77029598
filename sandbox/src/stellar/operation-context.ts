/** What an operation is given and what it leaves behind, apart from the changed entries. */
import type { xdr } from '@stellar/stellar-sdk';
import { minimumBalance, subentriesMax, subentryCount } from './holdings.ts';
import { type AccountEntry, assetOf, type LedgerEntries, nativeAsset } from './ledger-entries.ts';
import { OperationFailure } from './operation-outcome.ts';

export type OperationContext = {
  readonly entries: LedgerEntries;
  readonly source: string; // the account itself, also when the operation names a muxed one
  readonly ledger: number;
  readonly closeTime: bigint; // in seconds
  /** As it came: the library's decoded form has prices rounded to seven decimals. */
  readonly raw: xdr.Operation;
  readonly claimableBalanceId: string;
  nextOfferId(): bigint;
};

export type Applied = {
  /** What the operation's result says beyond success. */
  readonly detail?: unknown;
  /** Horizon's fields of this kind of operation. */
  readonly record: Readonly<Record<string, unknown>>;
  /** Accounts in whose history the operation appears beside its source. */
  readonly participants?: readonly string[];
  readonly claimableBalance?: string;
};

export function sourceAccount({ entries, source }: OperationContext): AccountEntry {
  const account = entries.accounts.get(source);
  if (!account) throw new OperationFailure('NoSourceAccount');
  return account;
}

/** After an entry was added: the account must have its reserve, besides what its offers have promised (CAP-3). */
export function assertReserve({ entries, source }: OperationContext, sellingLiabilities: bigint): void {
  const account = entries.accounts.get(source);
  if (!account) return;
  if (subentryCount(entries, account) > subentriesMax) throw new OperationFailure('TooManySubentries');
  if (account.balance - sellingLiabilities < minimumBalance(entries, account)) throw new OperationFailure('LowReserve');
}

/** Horizon's three fields of an asset. */
export function assetFields(key: string, prefix = ''): Record<string, string> {
  if (key === nativeAsset) return { [`${prefix}asset_type`]: nativeAsset };
  const asset = assetOf(key);
  return {
    [`${prefix}asset_type`]: asset.getAssetType(),
    [`${prefix}asset_code`]: asset.getCode(),
    [`${prefix}asset_issuer`]: asset.getIssuer() ?? '',
  };
}
