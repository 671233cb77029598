/** What has become of the transactions that we signed: asked by the hash that all fee bumps of one have in common. */
import type { BlockRef } from '../port/receiving.ts';
import type { OutgoingTransaction, SentUpdate } from '../port/sending.ts';
import type { StellarTrace } from './stellar-envelope.ts';
import type { LedgerTip, LedgerTransaction, SequenceHolder, StellarLedgerApi } from './stellar-ledger-api.ts';
import { feeAsset, loadSdk } from './stellar-wallet.ts';

export async function stellarFates(
  api: StellarLedgerApi,
  outgoing: readonly OutgoingTransaction[],
  tip: LedgerTip,
  blockRef: (ledger: number, closedAt: Date) => BlockRef,
): Promise<SentUpdate[]> {
  const updates: SentUpdate[] = [];
  const asked = new Map<string, LedgerTransaction | null>();
  const known = new Set(outgoing.map(({ txHash }) => txHash));
  const newest = new Map(outgoing.map(({ txHash, trace }) => [(trace as StellarTrace).innerHash, txHash]));
  for (const transaction of outgoing) {
    const { txHash, block, trace } = transaction;
    if (block) continue; // A ledger is never given up.
    const ours = trace as StellarTrace;
    const found = asked.get(ours.innerHash) ?? (await api.transaction(ours.innerHash));
    asked.set(ours.innerHash, found);
    if (found) {
      // What is newer than what we have read is told the next time.
      if (found.ledger > tip.sequence) continue;
      // At a fee that we have forgotten, because the database was restored, it happened as the newest that we know.
      const isThis = txHash === (known.has(found.outerHash) ? found.outerHash : newest.get(ours.innerHash));
      updates.push(await fateOf(txHash, isThis, ours, found, blockRef(found.ledger, found.closedAt)));
    } else if (await isOver(api, transaction, tip)) {
      updates.push({ txHash, outcome: 'expired', block: null, fee: { assetCode: feeAsset, units: 0n } });
    }
  }
  return updates;
}

async function fateOf(
  txHash: string,
  isThis: boolean,
  trace: StellarTrace,
  found: LedgerTransaction,
  block: BlockRef,
): Promise<SentUpdate> {
  const fee = { assetCode: feeAsset, units: isThis ? found.feeCharged : 0n };
  const verdict = found.isSuccessful ? null : await verdictIn(found.resultXdr);
  if (verdict && canBeSentAgain(trace, verdict)) {
    const reason = refusal(found, namesIn(verdict));
    return { txHash, outcome: 'expired', block: null, fee, reason, toBlame: toBlame(trace, found, verdict) };
  }
  if (!isThis) {
    const reason = `The same transaction happened as ${found.outerHash}, at another fee.`;
    return { txHash, outcome: 'failed', block: null, fee, reason };
  }
  if (!verdict) {
    const cost = { ...fee, units: fee.units + BigInt(trace.reserves) };
    const exchanged = await exchangedIn(trace, found.resultXdr);
    return { txHash, outcome: 'included', block, fee: cost, ...(exchanged && { exchanged }) };
  }
  return { txHash, outcome: 'failed', block, fee, reason: refusal(found, namesIn(verdict)) };
}

/**
 * All operations fail with one. So that nobody suffers for another, those of a crowd are free to be sent again, without
 * the ones that were to blame. Likewise where the fault is ours. An exchange is not: it was good for one moment of the
 * market.
 */
const canBeSentAgain = ({ exchangedFor, operations }: StellarTrace, { faults }: Verdict): boolean =>
  exchangedFor === undefined && (operations > 1 || faults.some(isPassing));

/**
 * The protocol tries every operation and answers for each. Whatever the cause, one that failed is not tried again:
 * together with others it would fail again, and take the fee of all of them in every ledger.
 */
const toBlame = ({ transferIds }: StellarTrace, found: LedgerTransaction, { faults }: Verdict) =>
  faults.flatMap((fault) => {
    const transferId = transferIds[fault.at]; // Operations are in the order of the transfers.
    return transferId === undefined || isPassing(fault) ? [] : [{ transferId, reason: refusal(found, fault.name) }];
  });

const refusal = ({ ledger }: LedgerTransaction, names: string): string =>
  `Stellar refused it in ledger ${ledger}: ${names}.`;

/** We had too little by then, or the account to be opened was opened by somebody else. */
const isPassing = ({ name }: Fault): boolean => /Underfunded$|^createAccountAlreadyExist$/.test(name);

/**
 * Whether a transaction that is in no ledger can no longer get into one. Either its time is over by the network's
 * clock, and its sequence number unused in a state no older than that; or another transaction took the number, and did
 * something else with it. A used number alone proves nothing: it may be this transaction that used it, and the node lags
 * behind or has forgotten it.
 */
async function isOver(api: StellarLedgerApi, transaction: OutgoingTransaction, tip: LedgerTip): Promise<boolean> {
  const trace = transaction.trace as StellarTrace;
  const source = await api.account(trace.source);
  if (!source) return false;
  const sequence = BigInt(trace.sequence);
  if (source.sequence >= sequence) {
    const holder = await api.holderOf(trace.source, sequence);
    if (holder === null || holder.hash === trace.innerHash) return false;
    return trace.transferIds.length === 0 || !(await paysTheSame(transaction.raw, holder, tip.passphrase));
  }
  const isTimeUp = tip.closedAt.getTime() / 1000 > trace.validUntil;
  return isTimeUp && source.asOfLedger !== null && source.asOfLedger >= tip.sequence;
}

/**
 * It pays somebody whom this transaction pays, with the same memo: the payment was signed once more after its time was
 * over, and we have forgotten that because the database was restored from a backup.
 */
async function paysTheSame(raw: string, { envelope, isSuccessful }: SequenceHolder, passphrase: string) {
  if (!isSuccessful) return false;
  const [ours, theirs] = [await paymentsIn(raw, passphrase), new Set(await paymentsIn(envelope, passphrase))];
  return ours.some((payment) => theirs.has(payment));
}

async function paymentsIn(envelope: string, passphrase: string): Promise<string[]> {
  const { FeeBumpTransaction, TransactionBuilder } = await loadSdk();
  const outer = TransactionBuilder.fromXDR(envelope, passphrase);
  const { operations, memo } = outer instanceof FeeBumpTransaction ? outer.innerTransaction : outer;
  return operations
    .flatMap((operation) => {
      if (operation.type === 'createAccount') return [[operation.destination, operation.startingBalance, 'native']];
      if (operation.type === 'payment') return [[operation.destination, operation.amount, operation.asset.toString()]];
      if (operation.type === 'pathPaymentStrictSend')
        return [[operation.destination, operation.sendAmount, operation.sendAsset.toString(), 'exchanged']];
      return [];
    })
    .map((payment) => [...payment, memo.type, String(memo.value)].join(' '));
}

/** What a path payment gave is in its result. It is alone in its transaction. */
async function exchangedIn(
  { exchangedFor, transferIds }: StellarTrace,
  resultXdr: string,
): Promise<SentUpdate['exchanged']> {
  const [transferId] = transferIds;
  if (exchangedFor === undefined || transferId === undefined) return undefined;
  const [first] = (await innerResult(resultXdr)).results ?? [];
  const { success } = (first?.tr?.['pathPaymentStrictSendResult'] ?? {}) as PathPaymentResult;
  if (!success) throw new Error(`the exchange ${transferId} has no result`);
  return [{ transferId, assetCode: exchangedFor, units: success.last.amount }];
}

type PathPaymentResult = { readonly success?: { readonly last: { readonly amount: bigint } } };

/** What went wrong, in the names of the protocol: of the transaction, and of those operations that failed. */
type Verdict = { readonly type: string; readonly faults: readonly Fault[] };
type Fault = { readonly at: number; readonly name: string };

async function verdictIn(resultXdr: string): Promise<Verdict> {
  const { type, results = [] } = await innerResult(resultXdr);
  const outcomes = results.map(({ type: outer, tr }, at) => ({
    at,
    name: tr ? (tr[`${tr.type}Result`] as { type: string }).type : outer,
  }));
  return { type, faults: outcomes.filter(({ name }) => !name.endsWith('Success')) };
}

const namesIn = ({ type, faults }: Verdict): string => [type, ...faults.map(({ name }) => name)].join(', ');

export async function resultNames(resultXdr: string): Promise<string> {
  return namesIn(await verdictIn(resultXdr));
}

/** Of the transaction itself, also where a fee bump is around it. */
async function innerResult(
  resultXdr: string,
): Promise<{ readonly type: string; readonly results?: readonly OperationResult[] }> {
  const { xdr } = await loadSdk();
  const result: { readonly type: string } = xdr.TransactionResult.fromXdr(resultXdr, 'base64').result;
  if (!('innerResultPair' in result)) return result;
  return (result as { innerResultPair: { result: { result: { type: string } } } }).innerResultPair.result.result;
}

type OperationResult = {
  readonly type: string;
  readonly tr?: { readonly type: string; readonly [name: string]: unknown };
};
