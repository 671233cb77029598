/** What happened, in the records and the order in which Horizon tells it. */
import type { Transaction } from '@stellar/stellar-sdk';
import { accountOf } from './payment-operations.ts';
import { memoFields, type OuterOutcome, resultCodes, resultXdr } from './transaction-outcome.ts';

export type HorizonRecord = { readonly id: string; readonly paging_token: string; readonly [field: string]: unknown };

export type ClosedLedger = {
  readonly sequence: number;
  readonly hash: string;
  readonly previousHash: string;
  readonly closeTime: bigint;
  readonly transactionCount: number;
  readonly operationCount: number;
};

export type AppliedTransaction = {
  readonly hash: string;
  readonly envelope: string;
  readonly inner: Transaction;
  readonly feeAccount: string;
  readonly maxFee: string;
  readonly feeCharged: bigint;
  readonly outcome: OuterOutcome;
};

export type LedgerHistory = ReturnType<typeof createLedgerHistory>;

/** SEP-35: ledger, place of the transaction in it, place of the operation in that, in one number. */
export const totalOrderId = (ledger: number, transaction: number, operation: number): string =>
  String((BigInt(ledger) << 32n) | (BigInt(transaction) << 12n) | BigInt(operation));

export function createLedgerHistory() {
  const ledgers: ClosedLedger[] = [];
  const transactions: HorizonRecord[] = [];
  const operations: HorizonRecord[] = [];
  const transactionByHash = new Map<string, HorizonRecord>();
  /** Of fee bumps, by the hash of what they carry. */
  const transactionByInnerHash = new Map<string, HorizonRecord>();
  /** Of failed transactions: what a client that waited for one is told. */
  const resultCodesByHash = new Map<string, Record<string, unknown>>();
  const operationsByTransaction = new Map<string, HorizonRecord[]>();
  const operationsByAccount = new Map<string, HorizonRecord[]>();
  const transactionsByAccount = new Map<string, HorizonRecord[]>();
  const operationsByBalance = new Map<string, HorizonRecord[]>();
  const listeners = new Set<() => void>();

  function addTo(lists: Map<string, HorizonRecord[]>, key: string, record: HorizonRecord): void {
    const list = lists.get(key);
    if (list) list.push(record);
    else lists.set(key, [record]);
  }

  function addTransaction(ledger: ClosedLedger, order: number, applied: AppliedTransaction): void {
    const { inner, outcome, hash } = applied;
    const isSuccessful = outcome.code === 'tx_success';
    const id = totalOrderId(ledger.sequence, order, 0);
    const createdAt = horizonTime(ledger.closeTime);
    const source = accountOf(inner.source).account;
    const record: HorizonRecord = {
      id: hash,
      paging_token: id,
      successful: isSuccessful,
      hash,
      ledger: ledger.sequence,
      created_at: createdAt,
      source_account: source,
      source_account_sequence: inner.sequence,
      fee_account: applied.feeAccount,
      fee_charged: String(applied.feeCharged),
      max_fee: applied.maxFee,
      operation_count: inner.operations.length,
      envelope_xdr: applied.envelope,
      result_xdr: resultXdr(outcome, applied.feeCharged),
      ...memoFields(inner),
      signatures: inner.signatures.map(({ signature }) => Buffer.from(signature.value).toString('base64')),
      ...(inner.timeBounds && { valid_after: inner.timeBounds.minTime, valid_before: inner.timeBounds.maxTime }),
      ...(outcome.bumped && {
        fee_bump_transaction: { hash, signatures: [] },
        inner_transaction: {
          hash: Buffer.from(outcome.bumped.innerHash).toString('hex'),
          max_fee: inner.fee,
          signatures: [],
        },
      }),
      _links: linksTo(`/transactions/${hash}`),
    };
    transactions.push(record);
    transactionByHash.set(hash, record);
    if (outcome.bumped) {
      const innerHash = Buffer.from(outcome.bumped.innerHash).toString('hex');
      transactionByInnerHash.set(innerHash, { ...record, id: innerHash, hash: innerHash });
    }
    if (!isSuccessful) resultCodesByHash.set(hash, resultCodes(outcome));
    const everyone = new Set([source, applied.feeAccount]);
    for (const [index, each] of outcome.operations.entries()) {
      if (!isSuccessful || !each.applied) continue;
      const operationId = totalOrderId(ledger.sequence, order, index + 1);
      const operation: HorizonRecord = {
        id: operationId,
        paging_token: operationId,
        transaction_successful: true,
        source_account: each.source,
        created_at: createdAt,
        transaction_hash: hash,
        ...each.applied.record,
        _links: linksTo(`/operations/${operationId}`),
      };
      operations.push(operation);
      addTo(operationsByTransaction, hash, operation);
      const participants = new Set([each.source, ...(each.applied.participants ?? [])]);
      for (const account of participants) {
        addTo(operationsByAccount, account, operation);
        everyone.add(account);
      }
      if (each.applied.claimableBalance !== undefined)
        addTo(operationsByBalance, each.applied.claimableBalance, operation);
    }
    for (const account of everyone) addTo(transactionsByAccount, account, record);
  }

  return {
    ledgers,
    transactions,
    operations,
    transactionByHash,
    transactionByInnerHash,
    resultCodesByHash,
    operationsByTransaction,
    operationsByAccount,
    transactionsByAccount,
    operationsByBalance,
    latest(): ClosedLedger {
      const last = ledgers.at(-1);
      if (!last) throw new Error('no ledger has been closed');
      return last;
    },
    addLedger(ledger: ClosedLedger, applied: readonly AppliedTransaction[]): void {
      ledgers.push(ledger);
      for (const [at, transaction] of applied.entries()) addTransaction(ledger, at + 1, transaction);
      for (const listener of listeners) listener();
    },
    /** Called after every ledger, until the returned function is. */
    onLedger(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Whole seconds, as the network counts. */
export const horizonTime = (seconds: bigint): string =>
  new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z');

const linksTo = (path: string) => ({ self: { href: path } });

/** Where a record is among others of its kind. A claimable balance is known by its ledger and its id. */
export function placeOfToken(token: string): bigint {
  const [ledger = '0', id] = token.split('-');
  return id === undefined ? BigInt(ledger) : (BigInt(ledger) << 288n) | BigInt(`0x${id}`);
}

/** The records after a paging token, in the order asked for. */
export function pageOf(
  records: readonly HorizonRecord[],
  cursor: bigint | null,
  order: 'asc' | 'desc',
  limit: number,
): HorizonRecord[] {
  const after = (token: bigint): number => {
    let [low, high] = [0, records.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (placeOfToken(records[middle]?.paging_token ?? '0') > token) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  if (order === 'asc') {
    const from = cursor === null ? 0 : after(cursor);
    return records.slice(from, from + limit);
  }
  const until = cursor === null ? records.length : after(cursor - 1n);
  return records.slice(Math.max(0, until - limit), until).reverse();
}
