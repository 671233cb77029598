/** What has become of the transactions that we signed: asked by the hash that all fee bumps of one have in common. */
import type { BlockRef, OutgoingTransaction, SentUpdate } from '../port.ts';
import type { StellarTrace } from './stellar-envelope.ts';
import type { LedgerTip, LedgerTransaction, StellarLedgerApi } from './stellar-ledger-api.ts';
import { feeAsset, loadSdk } from './stellar-wallet.ts';

export async function stellarFates(
  api: StellarLedgerApi,
  outgoing: readonly OutgoingTransaction[],
  tip: LedgerTip,
  blockRef: (ledger: number, closedAt: Date) => BlockRef,
): Promise<SentUpdate[]> {
  const updates: SentUpdate[] = [];
  const asked = new Map<string, LedgerTransaction | null>();
  for (const { txHash, block, trace } of outgoing) {
    if (block) continue; // A ledger is never given up.
    const ours = trace as StellarTrace;
    const found = asked.get(ours.innerHash) ?? (await api.transaction(ours.innerHash));
    asked.set(ours.innerHash, found);
    if (found) {
      // What is newer than what we have read is told the next time.
      if (found.ledger <= tip.sequence)
        updates.push(await fateOf(txHash, ours, found, blockRef(found.ledger, found.closedAt)));
    } else if (await isOver(api, ours, tip)) {
      updates.push({ txHash, outcome: 'expired', block: null, fee: { assetCode: feeAsset, units: 0n } });
    }
  }
  return updates;
}

async function fateOf(
  txHash: string,
  trace: StellarTrace,
  found: LedgerTransaction,
  block: BlockRef,
): Promise<SentUpdate> {
  const isOtherVersion = found.outerHash !== txHash;
  const fee = { assetCode: feeAsset, units: isOtherVersion ? 0n : found.feeCharged };
  const verdict = found.isSuccessful ? null : await verdictIn(found.resultXdr);
  if (verdict && canBeSentAgain(trace, verdict)) {
    const reason = refusal(found, namesIn(verdict));
    return { txHash, outcome: 'expired', block: null, fee, reason, toBlame: toBlame(trace, found, verdict) };
  }
  if (isOtherVersion) {
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
 * clock, and its sequence number unused in a state no older than that; or another transaction took the number. A used
 * number alone proves nothing: it may be this transaction that used it, and the node lags behind or has forgotten it.
 */
async function isOver(api: StellarLedgerApi, trace: StellarTrace, tip: LedgerTip): Promise<boolean> {
  const source = await api.account(trace.source);
  if (!source) return false;
  const sequence = BigInt(trace.sequence);
  if (source.sequence >= sequence) {
    const holder = await api.holderOf(trace.source, sequence);
    return holder !== null && holder !== trace.innerHash;
  }
  const isTimeUp = tip.closedAt.getTime() / 1000 > trace.validUntil;
  return isTimeUp && source.asOfLedger !== null && source.asOfLedger >= tip.sequence;
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
