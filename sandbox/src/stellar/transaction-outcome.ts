/** How a transaction ends, in the XDR of the protocol and in Horizon's words. */
import { type OperationRecord, type Transaction, xdr } from '@stellar/stellar-sdk';
import type { Applied } from './operation-context.ts';

export type TransactionCode =
  | 'tx_success'
  | 'tx_failed'
  | 'tx_too_early'
  | 'tx_too_late'
  | 'tx_missing_operation'
  | 'tx_bad_seq'
  | 'tx_bad_auth'
  | 'tx_insufficient_balance'
  | 'tx_no_source_account'
  | 'tx_insufficient_fee'
  | 'tx_bad_auth_extra'
  | 'tx_not_supported'
  | 'tx_malformed';

export type OperationOutcome = {
  readonly operation: OperationRecord;
  readonly source: string;
  readonly horizonCode: string;
  readonly result: xdr.OperationResult;
  readonly applied: Applied | null; // null: failed
};

export type Outcome = { readonly code: TransactionCode; readonly operations: readonly OperationOutcome[] };

export type OuterOutcome = Outcome & {
  /** Of a fee bump: how the transaction inside it ended (CAP-15). The code and operations are those of the inner one. */
  readonly bumped: { readonly innerHash: Uint8Array } | null;
};

const xdrCases: Readonly<Record<Exclude<TransactionCode, 'tx_success' | 'tx_failed'>, PlainCase>> = {
  tx_too_early: 'txTooEarly',
  tx_too_late: 'txTooLate',
  tx_missing_operation: 'txMissingOperation',
  tx_bad_seq: 'txBadSeq',
  tx_bad_auth: 'txBadAuth',
  tx_insufficient_balance: 'txInsufficientBalance',
  tx_no_source_account: 'txNoAccount',
  tx_insufficient_fee: 'txInsufficientFee',
  tx_bad_auth_extra: 'txBadAuthExtra',
  tx_not_supported: 'txNotSupported',
  tx_malformed: 'txMalformed',
};
type PlainCase =
  | 'txTooEarly'
  | 'txTooLate'
  | 'txMissingOperation'
  | 'txBadSeq'
  | 'txBadAuth'
  | 'txInsufficientBalance'
  | 'txNoAccount'
  | 'txInsufficientFee'
  | 'txBadAuthExtra'
  | 'txNotSupported'
  | 'txMalformed';

export function resultXdr(outcome: OuterOutcome, feeCharged: bigint): string {
  const ext = xdr.TransactionResultExt.v0();
  return new xdr.TransactionResult({ feeCharged, result: resultOf(outcome), ext }).toXdr('base64');
}

function resultOf({ code, operations, bumped }: OuterOutcome): xdr.TransactionResultResult {
  const results = operations.map(({ result }) => result);
  if (bumped) {
    const ext = xdr.InnerTransactionResultExt.v0();
    const result = innerResultOf(code, results);
    const pair = new xdr.InnerTransactionResultPair({
      transactionHash: new xdr.Hash(bumped.innerHash),
      result: new xdr.InnerTransactionResult({ feeCharged: 0n, result, ext }),
    });
    return code === 'tx_success'
      ? xdr.TransactionResultResult.txFeeBumpInnerSuccess(pair)
      : xdr.TransactionResultResult.txFeeBumpInnerFailed(pair);
  }
  if (code === 'tx_success') return xdr.TransactionResultResult.txSuccess(results);
  if (code === 'tx_failed') return xdr.TransactionResultResult.txFailed(results);
  return xdr.TransactionResultResult[xdrCases[code]]();
}

function innerResultOf(code: TransactionCode, results: xdr.OperationResult[]): xdr.InnerTransactionResultResult {
  if (code === 'tx_success') return xdr.InnerTransactionResultResult.txSuccess(results);
  if (code === 'tx_failed') return xdr.InnerTransactionResultResult.txFailed(results);
  return xdr.InnerTransactionResultResult[xdrCases[code]]();
}

/** `extras.result_codes` of Horizon's transaction_failed. */
export function resultCodes({ code, operations, bumped }: OuterOutcome): Record<string, unknown> {
  const codes = operations.map(({ horizonCode }) => horizonCode);
  return {
    ...(bumped
      ? {
          transaction: code === 'tx_success' ? 'tx_fee_bump_inner_success' : 'tx_fee_bump_inner_failed',
          inner_transaction: code,
        }
      : { transaction: code }),
    ...(codes.length > 0 && { operations: codes }),
  };
}

/** Refused at once: it pays no fee and is in no ledger. */
export class SubmissionRefused extends Error {
  readonly outcome: OuterOutcome;
  constructor(outcome: OuterOutcome) {
    super(JSON.stringify(resultCodes(outcome)));
    this.outcome = outcome;
  }
}

export const memoFields = ({ memo }: Transaction): Record<string, string> => {
  if (memo.type === 'none' || memo.value === null || memo.value === undefined) return { memo_type: 'none' };
  if (typeof memo.value === 'string') return { memo_type: memo.type, memo: memo.value };
  const bytes = Buffer.from(memo.value);
  return memo.type === 'text'
    ? { memo_type: 'text', memo: bytes.toString('utf8'), memo_bytes: bytes.toString('base64') }
    : { memo_type: memo.type, memo: bytes.toString('base64') };
};
