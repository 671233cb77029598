/** Takes transactions: each is refused at once or waits for the next ledger (/transactions and /transactions_async). */
import { setTimeout as sleep } from 'node:timers/promises';
import { FeeBumpTransaction } from '@stellar/stellar-sdk';
import {
  HorizonProblem,
  submissionTimeout,
  transactionFailed,
  transactionMalformed,
  tryAgainLater,
} from './horizon-problem.ts';
import type { HorizonRecord } from './ledger-history.ts';
import { accountOf } from './payment-operations.ts';
import { innerOf, operationsPaid, type StellarLedger } from './stellar-ledger.ts';
import { resultCodes, resultXdr, SubmissionRefused } from './transaction-outcome.ts';

/** As long as Horizon waits for a transaction. */
const patienceMs = 30_000;

const bumpFactor = 10n;

type Parsed = ReturnType<StellarLedger['parse']>;

const hashOf = (tx: Parsed): string => Buffer.from(tx.hash()).toString('hex');
const refused = (code: 'tx_bad_seq' | 'tx_insufficient_fee') =>
  new SubmissionRefused({ code, operations: [], bumped: null });

export function createSubmission(ledger: StellarLedger) {
  const { history } = ledger;

  function submit(envelope: string): string {
    const tx = parsed(envelope);
    const hash = hashOf(tx);
    if (ledger.isBanned(hash)) throw tryAgainLater(hash);
    const waiting = ledger.waitingOf(accountOf(innerOf(tx).source).account);
    if (!waiting || ledger.isWaiting(hash) || history.transactionByHash.has(hash)) ledger.submit(envelope);
    else replace(waiting, tx, envelope);
    return hash;
  }

  function parsed(envelope: string) {
    try {
      return ledger.parse(envelope);
    } catch {
      throw transactionMalformed(envelope);
    }
  }

  /** stellar-core's queue has one transaction per account; a fee bump with ten times the fee may replace it. */
  function replace(waiting: Parsed, tx: Parsed, envelope: string): void {
    if (BigInt(innerOf(tx).sequence) < BigInt(innerOf(waiting).sequence)) throw refused('tx_bad_seq');
    const isSuccessor = tx instanceof FeeBumpTransaction && innerOf(tx).sequence === innerOf(waiting).sequence;
    if (!isSuccessor) throw tryAgainLater(hashOf(tx));
    if (BigInt(tx.fee) * operationsPaid(waiting) < bumpFactor * BigInt(waiting.fee) * operationsPaid(tx))
      throw refused('tx_insufficient_fee');
    ledger.withdraw(hashOf(waiting));
    try {
      ledger.submit(envelope);
    } catch (error) {
      ledger.submit(waiting.toXdr());
      throw error;
    }
  }

  async function recordOf(hash: string): Promise<HorizonRecord> {
    for (;;) {
      const record = history.transactionByHash.get(hash);
      if (record) return record;
      const isTimeUp = await new Promise<boolean>((resolve) => {
        const giveUp = new AbortController();
        const forget = history.onLedger(() => {
          forget();
          giveUp.abort();
          resolve(false);
        });
        sleep(patienceMs, undefined, { signal: giveUp.signal, ref: false }).then(
          () => {
            forget();
            resolve(true);
          },
          () => undefined,
        );
      });
      if (isTimeUp) throw submissionTimeout();
    }
  }

  const refusalExtras = (envelope: string, { outcome }: SubmissionRefused) => ({
    envelope_xdr: envelope,
    result_codes: resultCodes(outcome),
    result_xdr: resultXdr(outcome, 0n),
  });

  return {
    /** The record of a transaction that waits, once its ledger has closed. */
    recordOf,

    async submitAndWait(envelope: string): Promise<HorizonRecord> {
      let hash: string;
      try {
        hash = submit(envelope);
      } catch (error) {
        if (error instanceof SubmissionRefused) throw transactionFailed(refusalExtras(envelope, error));
        throw error;
      }
      const record = await recordOf(hash);
      if (record['successful'] === true) return record;
      throw transactionFailed({
        envelope_xdr: envelope,
        result_codes: history.resultCodesByHash.get(hash),
        result_xdr: record['result_xdr'],
      });
    },

    /** Answers before the ledger closes, with the state of the transaction in stellar-core's queue. */
    submitAsync(envelope: string): { status: number; body: Record<string, unknown> } {
      const tx = parsed(envelope);
      const hash = hashOf(tx);
      // stellar-core knows duplicates in its queue only. What is in a ledger has used up its number.
      if (history.transactionByHash.has(hash)) {
        const bumped = tx instanceof FeeBumpTransaction ? { innerHash: tx.innerTransaction.hash() } : null;
        const error_result_xdr = resultXdr({ code: 'tx_bad_seq', operations: [], bumped }, 0n);
        return { status: 400, body: { tx_status: 'ERROR', hash, error_result_xdr } };
      }
      const isKnown = ledger.isWaiting(hash);
      try {
        submit(envelope);
        return isKnown
          ? { status: 409, body: { tx_status: 'DUPLICATE', hash } }
          : { status: 201, body: { tx_status: 'PENDING', hash } };
      } catch (error) {
        if (error instanceof HorizonProblem && error.status === 503)
          return { status: 503, body: { tx_status: 'TRY_AGAIN_LATER', hash } };
        if (!(error instanceof SubmissionRefused)) throw error;
        return { status: 400, body: { tx_status: 'ERROR', hash, error_result_xdr: resultXdr(error.outcome, 0n) } };
      }
    },
  };
}
