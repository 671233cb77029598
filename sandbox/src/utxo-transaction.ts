/** Real transactions: how they are read, made, checked and hashed. */
import { createHash } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hex } from '@scure/base';
import { Address, OutScript, p2pkh, p2wpkh, Transaction } from '@scure/btc-signer';
import { RawOldTx, Script } from '@scure/btc-signer/script.js';
import type { UtxoCoin } from './utxo-coin.ts';

export type ChainOutput = { readonly units: bigint; readonly script: string };

export type ChainInput = { readonly outpoint: string; readonly sequence: number };

export type ChainTransaction = {
  readonly txid: string;
  readonly hex: string;
  readonly isCoinbase: boolean;
  readonly vsize: number;
  readonly inputs: readonly ChainInput[];
  readonly outputs: readonly ChainOutput[];
};

/** A transaction that the chain refuses; the messages are Core's where it has any. */
export class InvalidTransaction extends Error {}

export const doubleSha256 = (bytes: Uint8Array): Buffer =>
  createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();

/** Hashes are shown with their bytes in reverse order. */
export const displayHash = (hash: Uint8Array): string => Buffer.from(hash).reverse().toString('hex');

const parseOptions = { allowUnknownOutputs: true, allowUnknownInputs: true, disableScriptCheck: true };

export function readTransaction(rawHex: string): ChainTransaction {
  let tx: Transaction;
  try {
    tx = Transaction.fromRaw(hex.decode(rawHex), parseOptions);
  } catch (cause) {
    throw new InvalidTransaction('TX decode failed', { cause });
  }
  const inputs = Array.from({ length: tx.inputsLength }, (_, at) => {
    const { txid, index, sequence } = tx.getInput(at);
    return { outpoint: `${hex.encode(txid as Uint8Array)}:${index}`, sequence: sequence ?? 0xffffffff };
  });
  const outputs = Array.from({ length: tx.outputsLength }, (_, at) => {
    const { amount, script } = tx.getOutput(at);
    return { units: amount as bigint, script: hex.encode(script as Uint8Array) };
  });
  // BIP141: bytes outside the witness count four times.
  const vsize = Math.ceil((tx.toBytes(true, false).length * 3 + rawHex.length / 2) / 4);
  return { txid: tx.id, hex: rawHex, isCoinbase: false, vsize, inputs, outputs };
}

/** A block's first transaction, which makes new coins. `extraNonce` keeps its id unique on every branch. */
export function createCoinbase(height: number, extraNonce: Uint8Array, output: ChainOutput): string {
  const heightPush = Uint8Array.of(4, height & 255, (height >> 8) & 255, (height >> 16) & 255, 0);
  const raw = RawOldTx.encode({
    version: 2,
    inputs: [
      {
        txid: new Uint8Array(32),
        index: 0xffffffff,
        finalScriptSig: Uint8Array.of(...heightPush, extraNonce.length, ...extraNonce),
        sequence: 0xffffffff,
      },
    ],
    outputs: [{ amount: output.units, script: hex.decode(output.script) }],
    lockTime: 0,
  });
  return hex.encode(raw);
}

export function readCoinbase(rawHex: string): ChainTransaction {
  const bytes = hex.decode(rawHex);
  const { outputs } = RawOldTx.decode(bytes);
  return {
    txid: displayHash(doubleSha256(bytes)),
    hex: rawHex,
    isCoinbase: true,
    vsize: bytes.length,
    inputs: [],
    outputs: outputs.map(({ amount, script }) => ({ units: amount, script: hex.encode(script) })),
  };
}

/** Checks every input's signature. The sandbox knows two kinds of spending: native segwit (BIP143), and p2pkh before it. */
export function verifySignatures(tx: ChainTransaction, spent: readonly ChainOutput[]): void {
  const parsed = Transaction.fromRaw(hex.decode(tx.hex), parseOptions);
  spent.forEach(({ script, units }, at) => {
    const { finalScriptWitness = [], finalScriptSig = new Uint8Array() } = parsed.getInput(at);
    const isSegwit = finalScriptWitness.length > 0 && finalScriptSig.length === 0;
    const [signature, publicKey, ...more] = isSegwit ? finalScriptWitness : pushesOf(finalScriptSig);
    const payTo = isSegwit ? p2wpkh : p2pkh;
    if (!signature || !publicKey || more.length > 0 || hex.encode(payTo(publicKey).script) !== script) {
      throw new InvalidTransaction('mandatory-script-verify-flag-failed (the sandbox spends p2wpkh and p2pkh only)');
    }
    const hashType = signature.at(-1) ?? 0;
    const keyScript = p2pkh(publicKey).script;
    const digest = isSegwit
      ? parsed.preimageWitnessV0(at, keyScript, hashType, units)
      : legacyDigest(tx.hex, at, keyScript, hashType);
    // Every signature has a second form (high S). Nodes do not relay it, but blocks may contain it.
    const rules = { prehash: false, format: 'der', lowS: isSegwit } as const;
    if (!secp256k1.verify(signature.subarray(0, -1), digest, publicKey, rules))
      throw new InvalidTransaction('mandatory-script-verify-flag-failed (Signature check failed)');
  });
}

function pushesOf(script: Uint8Array): Uint8Array[] {
  const pushes = Script.decode(script);
  return pushes.filter((push): push is Uint8Array => push instanceof Uint8Array);
}

/** What was signed before segwit: the transaction with the spent script in the place of what unlocks it. */
function legacyDigest(rawHex: string, at: number, script: Uint8Array, hashType: number): Uint8Array {
  if (hashType !== 1) throw new InvalidTransaction('non-mandatory-script-verify-flag (the sandbox signs all of it)');
  const { inputs, ...rest } = RawOldTx.decode(hex.decode(rawHex));
  const signed = RawOldTx.encode({
    ...rest,
    inputs: inputs.map((input, index) => ({ ...input, finalScriptSig: index === at ? script : new Uint8Array() })),
  });
  return doubleSha256(Buffer.concat([signed, Buffer.from([hashType, 0, 0, 0])]));
}

/** The script an address stands for, as hex; refuses an address of another chain. */
export const scriptOf = (address: string, coin: UtxoCoin): string =>
  hex.encode(OutScript.encode(Address(coin.network).decode(address)));

/** Core's name for a kind of script, and its address if it has one. */
export function describeScript(script: string, coin: UtxoCoin): { type: string; address?: string } {
  try {
    const decoded = OutScript.decode(hex.decode(script));
    const type = scriptTypes[decoded.type];
    return type ? { type, address: Address(coin.network).encode(decoded) } : { type: 'nonstandard' };
  } catch {
    return { type: script.startsWith('6a') ? 'nulldata' : 'nonstandard' };
  }
}

const scriptTypes: Record<string, string> = {
  wpkh: 'witness_v0_keyhash',
  wsh: 'witness_v0_scripthash',
  tr: 'witness_v1_taproot',
  pkh: 'pubkeyhash',
  sh: 'scripthash',
};
