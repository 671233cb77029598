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
  const fee = { assetCode: feeAsset, units: found.feeCharged };
  if (found.outerHash !== txHash) {
    const reason = `The same transaction happened as ${found.outerHash}, at another fee.`;
    return { txHash, outcome: 'failed', block: null, fee: { ...fee, units: 0n }, reason };
  }
  if (found.isSuccessful) {
    const cost = { ...fee, units: fee.units + BigInt(trace.reserves) };
    const exchanged = await exchangedIn(trace, found.resultXdr);
    return { txHash, outcome: 'included', block, fee: cost, ...(exchanged && { exchanged }) };
  }
  const reason = `Stellar refused it in ledger ${found.ledger}: ${await resultNames(found.resultXdr)}.`;
  // All operations fail with one. So that nobody suffers for another, those of a crowd are free to be sent again: the
  // one that was to blame is then refused by itself, when it is asked about once more. Likewise where the fault is ours.
  // An exchange is not: it was good for one moment of the market.
  const canBeSentAgain =
    trace.exchangedFor === undefined && (trace.operations > 1 || passingFaults.some((name) => reason.includes(name)));
  return { txHash, outcome: canBeSentAgain ? 'expired' : 'failed', block: canBeSentAgain ? null : block, fee, reason };
}

/** We had too little by then, or the account to be opened was opened by somebody else. */
const passingFaults = ['Underfunded', 'createAccountAlreadyExist'];

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

/** The names that the protocol gives to what went wrong, of the transaction and of its operations. */
export async function resultNames(resultXdr: string): Promise<string> {
  const result = await innerResult(resultXdr);
  const names = [result.type];
  for (const { type, tr } of result.results ?? []) {
    const own = tr ? (tr[`${tr.type}Result`] as { type: string }).type : type;
    if (!own.endsWith('Success')) names.push(own);
  }
  return names.join(', ');
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
