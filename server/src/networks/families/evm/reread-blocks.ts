/**
 * Blocks that an operator wants read once more, some per round. Tokens are reported as they are found, because a known
 * arrival is not counted twice. With ether this is not enough: if we overlooked a payment, the balance may have shown
 * it since, and it is stored under another name. So ether is reported only if the address has more than is stored.
 */
import { hexToBigInt, hexToNumber, toHex } from 'viem';
import type { Observation, ObserveContext, Stray } from '../../port/receiving.ts';
import type { OutgoingTransaction, SentUpdate } from '../../port/sending.ts';
import type { EvmCursor } from './evm-cursor.ts';
import type { EvmRpc } from './evm-rpc.ts';
import type { SurchargeRules } from './evm-surcharge.ts';
import { earlierEvmBlocks } from './follow-evm-chain.ts';
import { sentInBlock } from './follow-evm-outgoing.ts';
import { readEvmBlock, transferLogs } from './read-evm-block.ts';

export type Reread = {
  readonly cursor: EvmCursor;
  readonly observations: readonly Observation[];
  readonly strays: readonly Stray[];
  readonly sent: readonly SentUpdate[];
};

type Known = {
  readonly ether: string;
  readonly finalHeight: number;
  readonly surcharge: SurchargeRules;
  readonly outgoing: readonly OutgoingTransaction[];
  /** Null: there is no wallet, because this installation only receives. */
  readonly walletKey: string | null;
  assetOf(contract: string | null): string | undefined;
};

/** Must be called when everything up to the cursor's block is stored. */
export async function rereadBlocks(
  rpc: EvmRpc,
  context: ObserveContext,
  before: EvmCursor,
  blocksMax: number,
  known: Known,
): Promise<Reread> {
  const observations: Observation[] = [];
  const strays: Stray[] = [];
  const sent: SentUpdate[] = [];
  let cursor = before;
  const blocks = await earlierEvmBlocks(rpc, before, blocksMax);
  const logs = await transferLogs(rpc, blocks);
  for (const [at, block] of blocks.entries()) {
    const found = await readEvmBlock(rpc, block, logs[at] ?? [], context, known.assetOf);
    const ownSent = await sentInBlock(rpc, block, known.outgoing, known);
    if (!found || !ownSent) break;
    observations.push(...found.observations);
    strays.push(...found.strays);
    sent.push(...ownSent);
    cursor = { ...cursor, rereadAbove: hexToNumber(block.number) };
  }
  const foreign = observations.filter(({ trace }) => trace['from'] !== known.walletKey);
  const kept = await withoutToldEther(rpc, context, before.hash, known.ether, foreign);
  if (cursor.rereadAbove !== cursor.height) return { cursor, observations: kept, strays, sent };
  const { rereadAbove: _, ...done } = cursor;
  return { cursor: done, observations: kept, strays, sent };
}

async function withoutToldEther(
  rpc: EvmRpc,
  context: ObserveContext,
  blockHash: string,
  ether: string,
  observations: readonly Observation[],
): Promise<Observation[]> {
  const nameOf = ({ txHash, index }: Observation) => `${txHash}:${index}`;
  const stored = await context.knownArrivals(observations.map(nameOf));
  const isDoubtful = (observation: Observation) => observation.assetCode === ether && !stored.has(nameOf(observation));
  const untold = new Map<string, bigint>();
  for (const key of new Set(observations.filter(isDoubtful).map(({ targetKey }) => targetKey))) {
    const [target] = await context.recentTargets({ assetCode: ether, afterKey: keyBefore(key), limit: 1 });
    if (target?.key !== key) continue;
    const balance = hexToBigInt(await rpc.call<`0x${string}`>('eth_getBalance', key, { blockHash }));
    untold.set(key, balance - target.receivedUnits);
  }
  return observations.filter((observation) => {
    if (!isDoubtful(observation)) return true;
    const left = (untold.get(observation.targetKey) ?? 0n) - observation.units;
    if (left >= 0n) untold.set(observation.targetKey, left);
    return left >= 0n;
  });
}

/** `recentTargets` gives the keys after a key: so to get one key, we ask with the key before it. */
const keyBefore = (key: string): string => toHex(hexToBigInt(key as `0x${string}`) - 1n, { size: 20 });
