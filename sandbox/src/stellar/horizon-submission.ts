/** Transactions come in: refused at once, or part of the next ledger (POST /transactions and /transactions_async). */
import { setTimeout as sleep } from 'node:timers/promises';
import { submissionTimeout, transactionFailed, transactionMalformed, tryAgainLater } from './horizon-problem.ts';
import type { HorizonRecord } from './ledger-history.ts';
import { accountOf } from './payment-operations.ts';
import type { StellarLedger } from './stellar-ledger.ts';
import { resultCodes, resultXdr, SubmissionRefused } from './transaction-outcome.ts';

/** Horizon's own patience. */
const patienceMs = 30_000;

export function createSubmission(ledger: StellarLedger) {
  const { history } = ledger;

  function submit(envelope: string): string {
    let hash: string;
    let source: string;
    try {
      const tx = ledger.parse(envelope);
      hash = Buffer.from(tx.hash()).toString('hex');
      source = accountOf('innerTransaction' in tx ? tx.innerTransaction.source : tx.source).account;
    } catch {
      throw transactionMalformed(envelope);
    }
    if (!ledger.isWaiting(hash) && !history.transactionByHash.has(hash) && ledger.hasWaiting(source))
      throw tryAgainLater(hash);
    ledger.submit(envelope);
    return hash;
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
      const tx = ledger.parse(envelope);
      const hash = Buffer.from(tx.hash()).toString('hex');
      const isKnown = ledger.isWaiting(hash);
      try {
        submit(envelope);
        return isKnown
          ? { status: 409, body: { tx_status: 'DUPLICATE', hash } }
          : { status: 201, body: { tx_status: 'PENDING', hash } };
      } catch (error) {
        if (!(error instanceof SubmissionRefused)) throw error;
        return { status: 400, body: { tx_status: 'ERROR', hash, error_result_xdr: resultXdr(error.outcome, 0n) } };
      }
    },
  };
}
