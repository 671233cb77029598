/** How large a transaction of native segwit inputs will be, what it must pay, and which outputs nobody relays. */

/** Units per 1,000 vbytes, as nodes give them. */
export type FeeRate = bigint;

/** Witness of one input (BIP141): count, a signature of at most 72 bytes and a key of 33, each with its length. */
const witnessBytes = 1 + 1 + 72 + 1 + 33;
const inputBytes = 32 + 4 + 1 + 4;
/**
 * Two hundred coins or four hundred transfers. A node takes up to 100,000 vbytes, but signing takes time that grows with
 * the square of the coins, and one large transaction is expensive to replace.
 */
export const vsizeMax = 14_000;
/** What one more input adds. */
export const inputVsize = Math.ceil(inputBytes + witnessBytes / 4);
/** A script that pays to the hash of a key in native segwit: what all our own outputs have. */
export const ownScriptLength = 22;

/** Never less than the real size: a signature can be a byte shorter than assumed. */
export function vsizeOf(inputCount: number, scriptLengths: readonly number[]): number {
  const outputs = scriptLengths.reduce((sum, length) => sum + outputBytes(length), 0);
  const plain = 4 + countBytes(inputCount) + inputCount * inputBytes + countBytes(scriptLengths.length) + outputs + 4;
  return Math.ceil((plain * 4 + 2 + inputCount * witnessBytes) / 4);
}

export const feeFor = (vsize: number, rate: FeeRate): bigint => (BigInt(vsize) * rate + 999n) / 1_000n;

/** Below this an output would cost more than it is worth in the node's eyes, and the transaction is not relayed. */
export function dustLimit(script: Uint8Array, dustRate: FeeRate): bigint {
  const [version = 0, push] = script;
  const isWitness = (version === 0 || (version > 0x50 && version <= 0x60)) && push === script.length - 2;
  return (BigInt(outputBytes(script.length) + (isWitness ? 67 : 148)) * dustRate) / 1_000n;
}

const outputBytes = (scriptLength: number): number => 8 + 1 + scriptLength;
const countBytes = (count: number): number => (count < 253 ? 1 : 3);
