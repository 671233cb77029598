/** Which blocks the chain itself calls safe and final, asked for once per block. */
import type { EvmHeader } from './evm-block.ts';
import { EvmRefusal, type EvmRpc } from './evm-rpc.ts';
import { headerAt } from './follow-evm-chain.ts';

export type EvmFinality = { readonly safeHeight?: number; readonly finalHeight?: number };

/**
 * Validators vote per epoch of 32 blocks: after one epoch a block is safe, after two it is final. A development node
 * says so of much younger blocks; we never call a block younger than this safe or final.
 */
const youngest = { safe: 16, finalized: 32 };

export function createFinalityReader(rpc: EvmRpc): (tip: EvmHeader) => Promise<EvmFinality> {
  let last: { readonly tip: string; readonly finality: EvmFinality } | undefined;

  /** Undefined: the node does not know the tag. */
  async function heightOf(tag: 'safe' | 'finalized', tip: EvmHeader): Promise<number | undefined> {
    const header = await headerAt(rpc, tag).catch((error: unknown) => {
      if (error instanceof EvmRefusal) return null;
      throw error;
    });
    return header ? Math.min(header.height, tip.height - youngest[tag]) : undefined;
  }

  return async (tip) => {
    if (last?.tip === tip.hash) return last.finality;
    const [safe, final] = await Promise.all([heightOf('safe', tip), heightOf('finalized', tip)]);
    const finality = {
      ...(safe !== undefined && { safeHeight: safe }),
      ...(final !== undefined && { finalHeight: final }),
    };
    last = { tip: tip.hash, finality };
    return finality;
  };
}
