/**
 * What happens on the sandbox's Ethereum, as events that can be repeated: a node that gets the same events makes the
 * same blocks, with the same hashes. So the chain survives its process.
 */
import { type Hex, keccak256, toHex } from 'viem';
import type { EvmNode } from './evm-node.ts';

export type NewBlock = { readonly time: number; readonly randao: Hex };

export type EvmChainEvent =
  | { readonly transaction: Hex }
  | { readonly block: NewBlock }
  | { readonly drop: Hex }
  | {
      readonly reorganise: {
        readonly depth: number;
        readonly keepTransactions: boolean;
        readonly blocks: readonly NewBlock[];
      };
    };

type MinedBlock = { readonly snapshot: Hex; readonly hash: Hex; readonly time: number; readonly raws: readonly Hex[] };

export type EvmChainState = ReturnType<typeof createEvmChainState>;

export function createEvmChainState(node: EvmNode) {
  const mined: MinedBlock[] = []; // without the first block, which cannot be given up
  const waiting = new Map<Hex, Hex>(); // raw transactions by hash

  async function submit(raw: Hex): Promise<void> {
    await node.call('eth_sendRawTransaction', raw);
    waiting.set(keccak256(raw), raw);
  }

  async function waitingInNode(): Promise<ReadonlySet<Hex>> {
    const transactions = await node.call<{ hash: Hex }[]>('eth_pendingTransactions');
    return new Set(transactions.map(({ hash }) => hash));
  }

  /** A replacement removes the replaced transaction from the node. */
  async function forgetReplaced(): Promise<void> {
    const alive = await waitingInNode();
    for (const hash of waiting.keys()) if (!alive.has(hash)) waiting.delete(hash);
  }

  async function drop(hash: Hex): Promise<void> {
    await node.call('hardhat_dropTransaction', hash);
    waiting.delete(hash);
  }

  async function mine({ time, randao }: NewBlock): Promise<void> {
    await forgetReplaced();
    const snapshot = await node.call<Hex>('evm_snapshot');
    // Two blocks with the same content and parent would otherwise be the same block.
    await node.call('hardhat_setPrevRandao', randao);
    await node.call('evm_mine', toHex(time));
    const block = await node.call<{ hash: Hex; transactions: Hex[] }>('eth_getBlockByNumber', 'latest', false);
    const raws = block.transactions.flatMap((hash) => waiting.get(hash) ?? []);
    for (const hash of block.transactions) waiting.delete(hash);
    mined.push({ snapshot, hash: block.hash, time, raws });
  }

  async function reorganise(depth: number, keepTransactions: boolean, blocks: readonly NewBlock[]): Promise<void> {
    await forgetReplaced();
    const given = mined.splice(-depth);
    const kept = [...given.flatMap(({ raws }) => raws), ...waiting.values()];
    await node.call('evm_revert', given[0]?.snapshot);
    for (const hash of await waitingInNode()) await drop(hash);
    waiting.clear();
    for (const block of blocks) await mine(block);
    if (keepTransactions) for (const raw of kept) await submit(raw);
  }

  return {
    mined,
    waiting,
    async apply(event: EvmChainEvent): Promise<void> {
      if ('transaction' in event) await submit(event.transaction);
      else if ('block' in event) await mine(event.block);
      else if ('drop' in event) await drop(event.drop);
      else await reorganise(event.reorganise.depth, event.reorganise.keepTransactions, event.reorganise.blocks);
    },
  };
}
