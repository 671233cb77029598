/**
 * What has become of the transactions that we signed. We ask by the inner hash, which all fee bumps of a transaction
 * share.
 */
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
    if (block) continue; // A ledger never vanishes.
    const ours = trace as StellarTrace;
    const found = asked.get(ours.innerHash) ?? (await api.transaction(ours.innerHash));
    asked.set(ours.innerHash, found);
    if (found) {
      // What is newer than what we have read is told next time.
      if (found.ledger > tip.sequence) continue;
      // If it happened with a fee that we have forgotten, because the database was restored, we count it as the newest
      // version that we know.
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
 * If one operation fails, all fail. So that nobody suffers for another, a transaction with several operations may be
 * sent again without those to blame. Likewise when the fault is ours. An exchange may not: it was meant for one moment
 * of the market.
 */
const canBeSentAgain = ({ exchangedFor, operations }: StellarTrace, { faults }: Verdict): boolean =>
  exchangedFor === undefined && (operations > 1 || faults.some(isPassing));

/**
 * The protocol tries every operation and gives a result for each. Whatever the cause, one that failed is not tried
 * again: together with others it would fail again, and cost the fee of all of them in every ledger.
 */
const toBlame = ({ transferIds: payoutIds }: StellarTrace, found: LedgerTransaction, { faults }: Verdict) =>
  faults.flatMap((fault) => {
    const payoutId = payoutIds[fault.at]; // Operations are in the order of the payouts.
    return payoutId === undefined || isPassing(fault) ? [] : [{ payoutId, reason: refusal(found, fault.name) }];
  });

const refusal = ({ ledger }: LedgerTransaction, names: string): string =>
  `Stellar refused it in ledger ${ledger}: ${names}.`;

/** By then we had too little, or somebody else had opened the account that was to be opened. */
const isPassing = ({ name }: Fault): boolean => /Underfunded$|^createAccountAlreadyExist$/.test(name);

/**
 * Whether a transaction that is in no ledger can no longer get into one. Either its time is over by the network's
 * clock, and its sequence number is unused in a state no older than that; or another transaction took the number and
 * did something else. A used number alone proves nothing: this very transaction may have used it, and the node may be
 * behind or have forgotten it.
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
 * Whether it pays somebody whom this transaction pays, with the same memo: then the payment was signed once more after
 * its time was over, and we have forgotten that because the database was restored from a backup.
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

/** What a path payment gave is in its result. It has a transaction for itself. */
async function exchangedIn(
  { exchangedFor, transferIds: payoutIds }: StellarTrace,
  resultXdr: string,
): Promise<SentUpdate['exchanged']> {
  const [payoutId] = payoutIds;
  if (exchangedFor === undefined || payoutId === undefined) return undefined;
  const [first] = (await innerResult(resultXdr)).results ?? [];
  const { success } = (first?.tr?.['pathPaymentStrictSendResult'] ?? {}) as PathPaymentResult;
  if (!success) throw new Error(`the exchange ${payoutId} has no result`);
  return [{ payoutId, assetCode: exchangedFor, units: success.last.amount }];
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

/** The result of the transaction itself, also if a fee bump is around it. */
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
