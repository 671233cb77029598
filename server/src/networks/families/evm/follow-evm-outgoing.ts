/** What becomes of our own transactions: we find them in the blocks that we read, and ask the node about the others. */
import { hexToBigInt, hexToNumber, parseTransaction, toHex } from 'viem';
import type { OutgoingTransaction, SentUpdate } from '../../port/sending.ts';
import { headerOf, nonceOf, type RpcBlock, type RpcLog, type RpcTransaction, tokenCandidates } from './evm-block.ts';
import type { EvmCursor } from './evm-cursor.ts';
import { revertReason } from './evm-gas.ts';
import { EvmRefusal, type EvmRpc } from './evm-rpc.ts';
import type { ChargedReceipt, SurchargeRules } from './evm-surcharge.ts';
import { movesOf, readTrace } from './sign-evm-transaction.ts';

type SentReceipt = ChargedReceipt & {
  readonly transactionHash: string;
  readonly status: string;
  readonly blockHash: string;
  readonly blockNumber: `0x${string}`;
  readonly logs: readonly RpcLog[];
};

type Followed = { readonly ether: string; readonly finalHeight: number; readonly surcharge: SurchargeRules };

const receiptOf = (rpc: EvmRpc, txHash: string) => rpc.call<SentReceipt | null>('eth_getTransactionReceipt', txHash);

/** Our transactions in one block. Null when the chain changed while we read. */
export async function sentInBlock(
  rpc: EvmRpc,
  block: RpcBlock,
  outgoing: readonly OutgoingTransaction[],
  followed: Followed,
): Promise<SentUpdate[] | null> {
  const mined = new Set(block.transactions.map(({ hash }) => hash));
  const here = outgoing.filter(({ txHash }) => mined.has(txHash));
  const receipts = await Promise.all(here.map(({ txHash }) => receiptOf(rpc, txHash)));
  if (receipts.some((receipt) => receipt?.blockHash !== block.hash)) return null;
  const { time } = headerOf(block);
  const updates = await Promise.all(
    here.map((transaction, at) => toUpdate(rpc, transaction, receipts[at] as SentReceipt, time, followed)),
  );
  return updates.filter((update) => update !== null);
}

/** Our transactions that are in a block and were not noticed there, or that failed in a block that is final now. */
export async function sentUnnoticed(
  rpc: EvmRpc,
  cursor: EvmCursor,
  outgoing: readonly OutgoingTransaction[],
  followed: Followed,
): Promise<SentUpdate[]> {
  const waiting = outgoing.filter(({ block }) => block === null);
  const receipts = await Promise.all(waiting.map(({ txHash }) => receiptOf(rpc, txHash)));
  const hashAt = new Map(cursor.recent);
  const updates = waiting.map(async (transaction, at) => {
    const receipt = receipts[at];
    if (!receipt) return null;
    const height = hexToNumber(receipt.blockNumber);
    // If we have not read the block, or it is on another branch, we report this when we read it.
    if (height > cursor.height || (hashAt.get(height) ?? receipt.blockHash) !== receipt.blockHash) return null;
    const block = await rpc.call<RpcBlock<string> | null>('eth_getBlockByHash', receipt.blockHash, false);
    return block && toUpdate(rpc, transaction, receipt, headerOf(block).time, followed);
  });
  return (await Promise.all(updates)).filter((update) => update !== null);
}

/**
 * Our transactions that can never happen, because somebody else with the same key has used their number (nonce). We say
 * so only when we have found the other transaction, in a final block, and it is no version of ours: what we call unsent
 * is sent again. `sought`: those for which none was found. We search only once for each.
 */
export async function sentNevermore(
  rpc: EvmRpc,
  cursor: EvmCursor,
  outgoing: readonly OutgoingTransaction[],
  { ether, finalHeight, sought }: Pick<Followed, 'ether' | 'finalHeight'> & { readonly sought: Set<string> },
): Promise<SentUpdate[]> {
  const seatOf = ({ trace }: OutgoingTransaction) => `${readTrace(trace).from}/${readTrace(trace).nonce}`;
  const happened = new Set(outgoing.filter(({ block }) => block !== null).map(seatOf));
  const passed: OutgoingTransaction[] = [];
  for (const each of outgoing) {
    if (each.block !== null || happened.has(seatOf(each)) || sought.has(each.txHash)) continue;
    const { from, nonce } = readTrace(each.trace);
    if ((await countAt(rpc, from, finalHeight)) > nonce) passed.push(each);
  }
  const own = new Set(outgoing.map(({ txHash }) => txHash));
  const updates: SentUpdate[] = [];
  for (const [height, hash] of passed.length === 0 ? [] : cursor.recent) {
    if (height > finalHeight) break;
    const block = await rpc.call<RpcBlock | null>('eth_getBlockByHash', hash, true);
    const bySeat = new Map(block?.transactions.map((other) => [`${other.from}/${nonceOf(other)}`, other]));
    for (const each of passed) {
      const other = bySeat.get(seatOf(each));
      if (!other || own.has(other.hash) || isSameDeed(each, other)) continue;
      updates.push({ txHash: each.txHash, outcome: 'expired', block: null, fee: { assetCode: ether, units: 0n } });
    }
  }
  const found = new Set(updates.map(({ txHash }) => txHash));
  for (const { txHash } of passed) if (!found.has(txHash)) sought.add(txHash);
  return updates;
}

/** Zero when the node no longer has that state: then nobody concludes anything from it. */
async function countAt(rpc: EvmRpc, address: string, height: number): Promise<number> {
  if (height < 0) return 0;
  try {
    return hexToNumber(await rpc.call<`0x${string}`>('eth_getTransactionCount', address, toHex(height)));
  } catch (error) {
    if (error instanceof EvmRefusal) return 0;
    throw error;
  }
}

/** Whether it is a version of ours with another fee. When ether is collected, the amount may differ too. */
function isSameDeed({ raw }: OutgoingTransaction, { to, input }: RpcTransaction): boolean {
  const signed = parseTransaction(raw as `0x02${string}`);
  return signed.to?.toLowerCase() === to?.toLowerCase() && (signed.data ?? '0x') === input;
}

async function toUpdate(
  rpc: EvmRpc,
  transaction: OutgoingTransaction,
  receipt: SentReceipt,
  time: number,
  { ether, finalHeight, surcharge }: Followed,
): Promise<SentUpdate | null> {
  const height = hexToNumber(receipt.blockNumber);
  const hasFailed = receipt.status !== '0x1';
  // After a reorganisation it could still succeed in another block. So a failure counts only when its block is final.
  if (hasFailed && height > finalHeight) return null;
  const gasFee = hexToBigInt(receipt.gasUsed) * hexToBigInt(receipt.effectiveGasPrice);
  const fee = gasFee + surcharge.paid(receipt);
  const kept = hasFailed ? 0n : keptByToken(transaction, receipt, ether);
  const { assetCode } = readTrace(transaction.trace);
  return {
    txHash: transaction.txHash,
    outcome: hasFailed ? 'failed' : 'included',
    block: { hash: receipt.blockHash, height, time: new Date(time * 1000) },
    fee: { assetCode: ether, units: fee },
    moves: movesOf(readTrace(transaction.trace), ether, fee, hasFailed),
    ...(kept > 0n && { kept: { assetCode, units: kept } }),
    ...(hasFailed && { reason: `The network undid it: ${await whyFailed(rpc, transaction.txHash, height)}.` }),
  };
}

/** When a token is collected: the part of it that, by the token's own log, did not arrive at the wallet. */
function keptByToken({ raw, trace }: OutgoingTransaction, { logs }: SentReceipt, ether: string): bigint {
  const { kind, assetCode, to, units } = readTrace(trace);
  if (kind !== 'collect' || assetCode === ether) return 0n;
  const contract = parseTransaction(raw as `0x02${string}`).to?.toLowerCase();
  const arrived = tokenCandidates(logs).filter((transfer) => transfer.to === to && transfer.contract === contract);
  return BigInt(units) - arrived.reduce((sum, transfer) => sum + transfer.units, 0n);
}

/** Nodes do not store the reason. To try the call again on the state before its block mostly gives the same reason. */
async function whyFailed(rpc: EvmRpc, txHash: string, height: number): Promise<string> {
  const unknown = 'it does not say why';
  try {
    const sent = await rpc.call<RpcTransaction | null>('eth_getTransactionByHash', txHash);
    if (!sent) return unknown;
    const { from, to, value, input, gas } = sent;
    // With the gas that it had. With more, a call that used up all of it could keep the node busy for long, or succeed.
    await rpc.call('eth_call', { from, to, value, data: input, gas }, toHex(height - 1));
    return unknown;
  } catch (error) {
    return revertReason(error) ?? unknown;
  }
}
