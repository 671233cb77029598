/** Whether a transaction is valid, what it costs, and what it does: all of its operations, or none. */
import type { FeeBumpTransaction, OperationRecord, Transaction } from '@stellar/stellar-sdk';
import { bumpSequence, changeTrust, manageData, setOptions } from './account-operations.ts';
import { sendable } from './holdings.ts';
import { type AccountEntry, type LedgerEntries, nativeAsset } from './ledger-entries.ts';
import { manageBuyOffer, manageSellOffer } from './offer-operations.ts';
import type { Applied, OperationContext } from './operation-context.ts';
import {
  failedResult,
  isPlayed,
  OperationFailure,
  type PlayedOperation,
  successResult,
  untriedResult,
} from './operation-outcome.ts';
import { pathPaymentStrictReceive, pathPaymentStrictSend } from './path-payment-operations.ts';
import {
  accountMerge,
  accountOf,
  claimClaimableBalance,
  createAccount,
  createClaimableBalance,
  payment,
} from './payment-operations.ts';
import { createSignatureCheck, type SignatureCheck, thresholdOf } from './signature-check.ts';
import type { OperationOutcome, Outcome, TransactionCode } from './transaction-outcome.ts';

/** The network's minimum per operation, another setting on which its validators vote. */
export const baseFee = 100n;
const operationsMax = 100;

type Apply = (context: OperationContext, operation: never) => Applied;
const appliers: Readonly<Record<PlayedOperation, Apply>> = {
  createAccount,
  payment,
  pathPaymentStrictReceive,
  pathPaymentStrictSend,
  manageSellOffer,
  manageBuyOffer,
  setOptions,
  changeTrust,
  accountMerge,
  manageData,
  bumpSequence,
  createClaimableBalance,
  claimClaimableBalance,
};

export type LedgerMoment = { readonly sequence: number; readonly closeTime: bigint; nextOfferId(): bigint };

export type Checked = {
  readonly sequenceBefore?: bigint;
  readonly isFeePaidByOther?: boolean;
  /** Fees that other waiting transactions of the payer may take. */
  readonly feesPromised?: bigint;
};

const outcome = (code: TransactionCode): Outcome => ({ code, operations: [] });

/** What makes a transaction invalid whatever it does, in the order in which stellar-core checks. Null: nothing does. */
export function invalidity(
  entries: LedgerEntries,
  tx: Transaction,
  at: LedgerMoment,
  checked: Checked,
): Outcome | null {
  const { operations, timeBounds, ledgerBounds } = tx;
  if (operations.length === 0) return outcome('tx_missing_operation');
  if (operations.length > operationsMax) return outcome('tx_malformed');
  if (timeBounds) {
    if (at.closeTime < BigInt(timeBounds.minTime)) return outcome('tx_too_early');
    if (timeBounds.maxTime !== '0' && at.closeTime > BigInt(timeBounds.maxTime)) return outcome('tx_too_late');
  }
  if (ledgerBounds) {
    // CAP-21
    if (at.sequence < ledgerBounds.minLedger) return outcome('tx_too_early');
    if (ledgerBounds.maxLedger !== 0 && at.sequence >= ledgerBounds.maxLedger) return outcome('tx_too_late');
  }
  // The sandbox does not know minimum age, minimum gap and extra signers (CAP-21).
  if (tx.minAccountSequenceAge || tx.minAccountSequenceLedgerGap || tx.extraSigners?.length)
    return outcome('tx_not_supported');
  if (!checked.isFeePaidByOther && BigInt(tx.fee) < baseFee * BigInt(operations.length))
    return outcome('tx_insufficient_fee');
  const source = entries.accounts.get(accountOf(tx.source).account);
  if (!source) return outcome('tx_no_source_account');
  if (!isRightSequence(tx, checked.sequenceBefore ?? source.sequence, at.sequence)) return outcome('tx_bad_seq');

  const signatures = createSignatureCheck(tx.hash(), tx.signatures);
  if (!signatures.isSignedBy(source, 'low')) return outcome('tx_bad_auth');
  if (!checked.isFeePaidByOther && !canPay(entries, source, BigInt(tx.fee) + (checked.feesPromised ?? 0n)))
    return outcome('tx_insufficient_balance');
  const unsigned = operations.map((operation) => signatureProblem(entries, signatures, tx, operation));
  if (unsigned.some((problem) => problem !== null)) {
    const failed = operations.map((operation, at): OperationOutcome => {
      const problem = unsigned[at];
      return problem ? failure(tx, operation, problem) : untried(tx, operation);
    });
    return { code: 'tx_failed', operations: failed };
  }
  return signatures.areAllUsed() ? null : outcome('tx_bad_auth_extra');
}

/** CAP-21: the next number, or any higher one when the transaction says from which it may jump. */
function isRightSequence(tx: Transaction, before: bigint, ledger: number): boolean {
  const own = BigInt(tx.sequence);
  // CAP-1: no transaction may have the number with which accounts made in this ledger begin.
  if (own === BigInt(ledger) << 32n) return false;
  if (tx.minAccountSequence === undefined) return own === before + 1n;
  return before >= BigInt(tx.minAccountSequence) && before < own;
}

/** CAP-3: what is promised to offers cannot pay a fee. */
const canPay = (entries: LedgerEntries, account: AccountEntry, fee: bigint): boolean =>
  sendable(entries, account.id, nativeAsset) >= fee;

const sourceOf = (tx: Transaction, operation: OperationRecord): string =>
  accountOf(operation.source ?? tx.source).account;

function signatureProblem(
  entries: LedgerEntries,
  signatures: SignatureCheck,
  tx: Transaction,
  operation: OperationRecord,
) {
  const source = sourceOf(tx, operation);
  const account = entries.accounts.get(source);
  const isSigned = account ? signatures.isSignedBy(account, thresholdOf(operation)) : signatures.isSignedByKey(source);
  return isSigned ? null : new OperationFailure('BadAuth');
}

/** CAP-15: checks only the outer envelope, which must offer at least the fee rate of the transaction inside it. */
export function feeBumpInvalidity(
  entries: LedgerEntries,
  bump: FeeBumpTransaction,
  feesPromised: bigint,
): Outcome | null {
  const inner = bump.innerTransaction;
  const count = BigInt(inner.operations.length);
  const fee = BigInt(bump.fee);
  if (fee < baseFee * (count + 1n) || fee * count < BigInt(inner.fee) * (count + 1n))
    return outcome('tx_insufficient_fee');
  const payer = entries.accounts.get(accountOf(bump.feeSource).account);
  if (!payer) return outcome('tx_no_source_account');
  const signatures = createSignatureCheck(bump.hash(), bump.signatures);
  if (!signatures.isSignedBy(payer, 'low')) return outcome('tx_bad_auth');
  if (!canPay(entries, payer, fee + feesPromised)) return outcome('tx_insufficient_balance');
  return signatures.areAllUsed() ? null : outcome('tx_bad_auth_extra');
}

/** Uses up the sequence number, whatever happens, and carries out the operations. */
export function applyTransaction(entries: LedgerEntries, tx: Transaction, at: LedgerMoment): Outcome {
  const id = accountOf(tx.source).account;
  const source = entries.accounts.get(id);
  if (source) entries.accounts.set(id, { ...source, sequence: BigInt(tx.sequence) });
  const outcomes: OperationOutcome[] = [];
  try {
    entries.attempt(() => {
      for (const [index, operation] of tx.operations.entries())
        outcomes.push(applyOperation(entries, tx, index, operation, at));
      if (outcomes.some(({ applied }) => applied === null)) throw new AllOrNothing();
    });
    return { code: 'tx_success', operations: outcomes };
  } catch (error) {
    if (!(error instanceof AllOrNothing)) throw error;
    return { code: 'tx_failed', operations: outcomes };
  }
}

class AllOrNothing extends Error {}

/** As on the network, operations after a failed one are tried too: their codes are part of the answer. */
function applyOperation(
  entries: LedgerEntries,
  tx: Transaction,
  index: number,
  operation: OperationRecord,
  at: LedgerMoment,
): OperationOutcome {
  const source = sourceOf(tx, operation);
  try {
    if (!isPlayed(operation.type)) throw new OperationFailure('NotSupported');
    if (!entries.accounts.get(source)) throw new OperationFailure('NoSourceAccount');
    const raw = tx.tx.operations[index];
    if (!raw) throw new Error(`no operation ${index}`);
    const isBalance = operation.type === 'createClaimableBalance';
    const context: OperationContext = {
      entries,
      source,
      raw,
      ledger: at.sequence,
      closeTime: at.closeTime,
      nextOfferId: () => at.nextOfferId(),
      claimableBalanceId: isBalance ? tx.getClaimableBalanceId(index) : '',
    };
    const apply = appliers[operation.type];
    const applied = entries.attempt(() => apply(context, operation as never));
    return {
      operation,
      source,
      horizonCode: 'op_success',
      result: successResult(operation.type, applied.detail),
      applied,
    };
  } catch (error) {
    if (!(error instanceof OperationFailure)) throw error;
    return failure(tx, operation, error);
  }
}

const failure = (tx: Transaction, operation: OperationRecord, error: OperationFailure): OperationOutcome => ({
  operation,
  source: sourceOf(tx, operation),
  horizonCode: error.horizonCode,
  applied: null,
  result: failedResult(operation.type, error),
});

const untried = (tx: Transaction, operation: OperationRecord): OperationOutcome => ({
  operation,
  source: sourceOf(tx, operation),
  horizonCode: 'op_success',
  applied: null,
  result: untriedResult(operation.type),
});
