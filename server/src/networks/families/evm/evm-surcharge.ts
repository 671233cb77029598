/**
 * What a transaction costs besides its gas. On a chain that is no rollup this is nothing. A rollup also charges for
 * writing the transaction to the chain below, and a transaction cannot set a limit for that. So we set aside more than
 * it costs now, and read from the receipt what it did cost.
 */
import type { EvmRpc } from './evm-rpc.ts';

/** In wei. Each is rather too much than too little. */
export type Surcharge = {
  /** In the next block. */
  readonly expected: bigint;
  /** Less than this may not be enough even for the next block. */
  readonly least: bigint;
  /** What is set aside when a fee is quoted. */
  readonly quoted: bigint;
  /** What the sender must have left for it, because the transaction may have to wait. */
  readonly max: bigint;
};

/** We send only two kinds: the chain's own coin without data, or a token's `transfer`, with two words of data. */
export type SentKind = 'coin' | 'token';

export type SurchargeOf = (kind: SentKind, gas: bigint) => Surcharge;

export type ChargedReceipt = {
  readonly gasUsed: `0x${string}`;
  readonly effectiveGasPrice: `0x${string}`;
  readonly [more: string]: unknown;
};

export type SurchargeRules = {
  now(rpc: EvmRpc): Promise<SurchargeOf>;
  /** What a transaction in a block did cost, also if it failed there. */
  paid(receipt: ChargedReceipt): bigint;
};

const nothing: Surcharge = { expected: 0n, least: 0n, quoted: 0n, max: 0n };

export const noSurcharge: SurchargeRules = { now: async () => () => nothing, paid: () => 0n };
