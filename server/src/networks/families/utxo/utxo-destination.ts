/**
 * Reads an address that somebody else gave us, and gives its script. Money sent to a wrong address is lost, so we check
 * everything that can be checked without a node: checksum, coin, chain, length.
 */
import { createHash } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bech32, bech32m, createBase58check, hex } from '@scure/base';
import type { NetworkAddress } from '../../port/sending.ts';
import type { UtxoChain } from './utxo-parameters.ts';

/** The version bytes of addresses older than segwit, and the characters that these bytes make them begin with. */
export type Base58Form = { readonly pubKeyHash: number; readonly scriptHash: number; readonly beginnings: string };

export type AddressForm = {
  readonly coinName: string;
  readonly chain: UtxoChain;
  /** Left out: the coin has no segwit. */
  readonly bech32Prefix?: string | undefined;
  readonly base58: Base58Form;
};

export type ReadAddress = { readonly script: Uint8Array } | { readonly problem: string };

const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());

export function destinationProblem({ address, memo, memoType }: NetworkAddress, form: AddressForm): string | null {
  if (memo !== null || memoType !== null)
    return `A payment in ${form.coinName} carries no memo: leave it out, the address is enough.`;
  const read = readAddress(address, form);
  return 'problem' in read ? read.problem : null;
}

export function readAddress(address: string, form: AddressForm): ReadAddress {
  const { bech32Prefix, base58, coinName, chain } = form;
  const chainName = { main: coinName, test: `the ${coinName} test network`, regtest: `a ${coinName} test chain` }[
    chain
  ];
  const segwit = bech32Prefix === undefined ? '' : `${bech32Prefix}1, `;
  const expected = `An address of ${chainName} begins with ${segwit}${base58.beginnings}.`;
  const foreign = (reason: string): ReadAddress => ({ problem: `${reason} ${expected}` });
  const mistyped: ReadAddress = {
    problem: 'The address is mistyped: its checksum is wrong. Copy it again from the wallet that receives.',
  };

  const isSegwitLike = /^[a-z]{2,10}1[02-9ac-hj-np-z]+$/i.test(address);
  const prefix = address.slice(0, address.lastIndexOf('1')).toLowerCase();
  if (isSegwitLike && prefix === bech32Prefix) return readSegwit(address) ?? mistyped;
  if (isSegwitLike && (bech32.decodeUnsafe(address) ?? bech32m.decodeUnsafe(address))) {
    return foreign(`The address begins with ${prefix}1, which is another network.`);
  }
  if (!/^[1-9A-HJ-NP-Za-km-z]{25,36}$/.test(address)) return foreign('This is no address.');
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(address);
  } catch {
    return mistyped;
  }
  const [version, ...hash] = bytes;
  if (hash.length !== 20) return mistyped;
  if (version === base58.pubKeyHash) return { script: Uint8Array.of(0x76, 0xa9, 20, ...hash, 0x88, 0xac) };
  if (version === base58.scriptHash) return { script: Uint8Array.of(0xa9, 20, ...hash, 0x87) };
  return foreign(`The address begins with ${address[0]}, which is another network.`);
}

/** Version 0 has the checksum of BIP173, later versions that of BIP350. Undefined: the checksum is wrong. */
function readSegwit(address: string): ReadAddress | undefined {
  for (const encoding of [bech32, bech32m]) {
    const decoded = encoding.decodeUnsafe(address);
    const version = decoded?.words[0];
    if (!decoded || version === undefined || (version === 0) !== (encoding === bech32)) continue;
    const program = encoding.fromWordsUnsafe(decoded.words.slice(1));
    if (!program) continue;
    const isLengthRight =
      version === 0 ? program.length === 20 || program.length === 32 : program.length >= 2 && program.length <= 40;
    if (version > 16 || !isLengthRight) return { problem: 'The address has an impossible length or version.' };
    if (version === 1 && program.length === 32 && !isOnCurve(program))
      return { problem: 'The address names a key that cannot exist, so nobody could ever spend what is sent there.' };
    return { script: Uint8Array.of(version === 0 ? 0 : 0x50 + version, program.length, ...program) };
  }
  return undefined;
}

function isOnCurve(x: Uint8Array): boolean {
  try {
    secp256k1.Point.fromHex(`02${hex.encode(x)}`);
    return true;
  } catch {
    return false;
  }
}
