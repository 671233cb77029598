/** How large a transaction that spends our own outputs will be, its fee, and which outputs are too small for nodes. */
import type { AddressKind } from './utxo-parameters.ts';

/** Units per 1,000 vbytes, as nodes give them. */
export type FeeRate = bigint;

/** What unlocks one of our outputs: a signature of at most 72 bytes and a key of 33, each with its length. */
const unlockingBytes = 1 + 72 + 1 + 33;
/** The hash and the index of the output that is spent, the length of the unlocking script, and the sequence. */
const bareInputBytes = 32 + 4 + 1 + 4;

/**
 * In segwit what unlocks is in the witness, with a count before it, and a byte there counts a quarter (BIP141). Without
 * segwit it is in the input.
 */
const sizes = {
  p2wpkh: { inputBytes: bareInputBytes, witnessBytes: 1 + unlockingBytes, flagBytes: 2, scriptBytes: 22 },
  p2pkh: { inputBytes: bareInputBytes + unlockingBytes, witnessBytes: 0, flagBytes: 0, scriptBytes: 25 },
};

/**
 * In native segwit, enough for two hundred coins or four hundred payouts. A node takes up to 100,000 vbytes, but the
 * time for signing grows with the square of the number of coins, and a large transaction is expensive to replace.
 */
export const vsizeMax = 14_000;

/** How much one more input adds to the size. */
export const inputVsize = (kind: AddressKind): number =>
  Math.ceil(sizes[kind].inputBytes + sizes[kind].witnessBytes / 4);

/** How long the script of our own outputs is. */
export const ownScriptLength = (kind: AddressKind): number => sizes[kind].scriptBytes;

/** At least the real size, and perhaps a little more: a signature can be a byte shorter than assumed. */
export function vsizeOf(kind: AddressKind, inputCount: number, scriptLengths: readonly number[]): number {
  const { inputBytes, witnessBytes, flagBytes } = sizes[kind];
  const outputs = scriptLengths.reduce((sum, length) => sum + outputBytes(length), 0);
  const plain = 4 + countBytes(inputCount) + inputCount * inputBytes + countBytes(scriptLengths.length) + outputs + 4;
  return Math.ceil((plain * 4 + flagBytes + inputCount * witnessBytes) / 4);
}

export const feeFor = (vsize: number, rate: FeeRate): bigint => (BigInt(vsize) * rate + 999n) / 1_000n;

/** When nodes call an output too small: by what it costs to spend at `dustRate`, and perhaps by a fixed minimum. */
export type DustRules = { readonly dustRate: FeeRate; readonly outputMin?: bigint };

/** A transaction with an output below this is not relayed by nodes. */
export function leastOutput(script: Uint8Array, { dustRate, outputMin = 0n }: DustRules): bigint {
  const byRate = dustLimit(script, dustRate);
  return byRate > outputMin ? byRate : outputMin;
}

export const leastOwnOutput = (kind: AddressKind, rules: DustRules): bigint =>
  leastOutput(kind === 'p2wpkh' ? Uint8Array.of(0, 20, ...new Uint8Array(20)) : new Uint8Array(25), rules);

/** Below this, nodes think that an output costs too much to spend for what it is worth. */
export function dustLimit(script: Uint8Array, dustRate: FeeRate): bigint {
  const [version = 0, push] = script;
  const isWitness = (version === 0 || (version > 0x50 && version <= 0x60)) && push === script.length - 2;
  return (BigInt(outputBytes(script.length) + (isWitness ? 67 : 148)) * dustRate) / 1_000n;
}

const outputBytes = (scriptLength: number): number => 8 + 1 + scriptLength;
const countBytes = (count: number): number => (count < 253 ? 1 : 3);
