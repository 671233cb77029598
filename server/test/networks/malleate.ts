/**
 * Renames a transaction of coins without segwit, as anybody on its way could: of the two signatures that each one stands
 * for, (r, s) and (r, −s), it takes the other. Nobody else's key is needed, and every rule of the chain is kept.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hex } from '@scure/base';
import { RawOldTx, Script } from '@scure/btc-signer/script.js';

const { Fn } = secp256k1.Point;

export function malleate(rawHex: string): string {
  const { inputs, ...rest } = RawOldTx.decode(hex.decode(rawHex));
  const renamed = inputs.map((input) => {
    const [signature, publicKey] = Script.decode(input.finalScriptSig);
    if (!(signature instanceof Uint8Array) || !(publicKey instanceof Uint8Array))
      throw new Error('this input is not unlocked by a signature and a key');
    const { r, s } = secp256k1.Signature.fromBytes(signature.subarray(0, -1), 'der');
    const twin = new secp256k1.Signature(r, Fn.neg(s)).toBytes('der');
    const hashType = signature.at(-1) ?? 0;
    return { ...input, finalScriptSig: Script.encode([Uint8Array.of(...twin, hashType), publicKey]) };
  });
  return hex.encode(RawOldTx.encode({ ...rest, inputs: renamed }));
}
