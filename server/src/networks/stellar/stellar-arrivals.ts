/**
 * Every way in which money can come into an account, read from Horizon's operations: payments, path payments, the
 * creation of the account, another account merged into it, a claimable balance claimed, a payment by a contract.
 */
import { NetworkError } from '../port/connector.ts';
import { unitsOfAmount } from './stellar-amount.ts';
import { ledgerOfPlace, operationOfPlace, type StellarArrival, type StellarMemo } from './stellar-ledger-api.ts';

/** An operation with its transaction (`join=transactions`), as far as we read it. */
export type HorizonOperation = {
  readonly id: string;
  readonly paging_token: string;
  readonly type: string;
  readonly transaction_successful: boolean;
  readonly transaction_hash: string;
  readonly created_at: string;
  readonly source_account: string;
  readonly transaction?: { readonly memo_type: string; readonly memo?: string; readonly result_xdr: string };
  readonly from?: string;
  readonly to?: string;
  readonly to_muxed_id?: string;
  readonly into?: string;
  readonly into_muxed_id?: string;
  readonly account?: string;
  readonly funder?: string;
  readonly claimant?: string;
  readonly balance_id?: string;
  readonly amount?: string;
  readonly starting_balance?: string;
  readonly asset?: string; // of a claimable balance: native or CODE:ISSUER
  readonly asset_type?: string;
  readonly asset_code?: string;
  readonly asset_issuer?: string;
  readonly asset_balance_changes?: readonly BalanceChange[];
};

type BalanceChange = {
  readonly type: string;
  readonly from?: string;
  readonly to?: string;
  readonly amount: string;
  readonly asset_type: string;
  readonly asset_code?: string;
  readonly asset_issuer?: string;
};

export type BalanceOrigin = (balanceId: string) => Promise<HorizonOperation>;

type Movement = Pick<StellarArrival, 'sender' | 'asset' | 'units'> & {
  muxedId?: string;
  memo?: StellarMemo | null;
  /** The transaction in which the payer paid, if another one moved the money. */
  origin?: Pick<StellarArrival, 'txHash' | 'index'>;
};

export async function stellarArrivals(
  operation: HorizonOperation,
  account: string,
  originOf: BalanceOrigin,
): Promise<StellarArrival[]> {
  if (!operation.transaction_successful) return [];
  const movements = await movementsOf(operation, account, originOf);
  const place = operationOfPlace(operation.paging_token);
  return movements
    .filter(({ sender, units }) => sender !== account && units > 0n) // What we send to ourselves is no income.
    .map(({ muxedId = null, memo = memoOf(operation), origin, ...movement }, at) => ({
      ...movement,
      txHash: operation.transaction_hash,
      index: at === 0 ? String(place) : `${place}.${at}`,
      ...origin,
      kind: operation.type,
      ledger: ledgerOfPlace(operation.paging_token),
      closedAt: new Date(operation.created_at),
      memo,
      muxedId,
    }));
}

async function movementsOf(operation: HorizonOperation, account: string, originOf: BalanceOrigin): Promise<Movement[]> {
  const sender = operation.from ?? operation.source_account;
  switch (operation.type) {
    case 'payment':
    case 'path_payment_strict_send':
    case 'path_payment_strict_receive':
      if (operation.to !== account) return [];
      return [{ sender, asset: assetOf(operation), units: unitsOf(operation.amount), ...muxed(operation.to_muxed_id) }];
    case 'create_account':
      if (operation.account !== account) return [];
      return [{ sender: operation.funder ?? sender, asset: 'native', units: unitsOf(operation.starting_balance) }];
    case 'account_merge': {
      if (operation.into !== account) return [];
      const units = await mergedUnits(operation);
      return [{ sender: operation.account ?? sender, asset: 'native', units, ...muxed(operation.into_muxed_id) }];
    }
    case 'claim_claimable_balance': {
      if (operation.claimant !== account || operation.balance_id === undefined) return [];
      // Only we can claim, so the memo that names the checkout is in the payer's transaction and not in ours. And the
      // payer's transaction is the payment, because our own are not counted as income.
      const made = await originOf(operation.balance_id);
      const origin = { txHash: made.transaction_hash, index: String(operationOfPlace(made.paging_token)) };
      const facts = { sender: made.source_account, asset: made.asset ?? 'native', units: unitsOf(made.amount) };
      return [{ ...facts, memo: memoOf(made), origin }];
    }
    case 'invoke_host_function': // A contract moved a classic asset (CAP-46-6): Horizon lists what changed.
      return (operation.asset_balance_changes ?? [])
        .filter(({ to }) => to === account)
        .map((change) => ({ sender: change.from ?? null, asset: assetOf(change), units: unitsOf(change.amount) }));
    default:
      return [];
  }
}

const muxed = (id: string | undefined): { muxedId?: string } => (id === undefined ? {} : { muxedId: id });

function memoOf({ transaction }: HorizonOperation): StellarMemo | null {
  if (!transaction || transaction.memo_type === 'none') return null;
  return { type: transaction.memo_type, value: transaction.memo ?? '' };
}

function assetOf(fields: { asset_type?: string; asset_code?: string; asset_issuer?: string }): string {
  return fields.asset_type === 'native' ? 'native' : `${fields.asset_code}:${fields.asset_issuer}`;
}

function unitsOf(amount: string | undefined): bigint {
  if (amount === undefined)
    throw new NetworkError('Horizon tells of a payment without an amount.', { isRetryable: false });
  return unitsOfAmount(amount);
}

/** Horizon does not say how much a merged account had: only the result of the transaction does. */
async function mergedUnits(operation: HorizonOperation): Promise<bigint> {
  // The library is large, and nothing else here needs it.
  const { xdr } = await import('@stellar/stellar-sdk');
  const outer = xdr.TransactionResult.fromXdr(operation.transaction?.result_xdr ?? '', 'base64').result;
  const result = 'innerResultPair' in outer ? outer.innerResultPair.result.result : outer; // A fee bump (CAP-15).
  const results = 'results' in result ? result.results : [];
  const own = results[operationOfPlace(operation.paging_token) - 1];
  if (own?.type === 'opInner' && own.tr.type === 'accountMerge') {
    const merge = own.tr.accountMergeResult;
    if (merge.type === 'accountMergeSuccess') return merge.sourceAccountBalance;
  }
  throw new NetworkError(`The result of ${operation.transaction_hash} does not say what was merged.`, {
    isRetryable: false,
  });
}
