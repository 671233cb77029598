/**
 * What a Lightning invoice says (BOLT 11), and whether its payee has signed it. Only what a payer must know is read:
 * the node itself finds the way.
 */
import { createHash } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bech32 } from '@scure/base';

export type Bolt11Chain = 'main' | 'test' | 'regtest';

export type Bolt11Invoice = {
  readonly chain: Bolt11Chain;
  /** Null: whoever pays decides. */
  readonly msat: bigint | null;
  readonly paymentHash: string; // hexadecimal, like the payee's public key
  readonly payee: string;
  readonly expiresAt: Date;
  /** For how many blocks the payee wants to be able to hold the payment, at the least. */
  readonly finalBlocks: number;
};

/** The message is a sentence for whoever gave us the invoice. */
export class Bolt11Error extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Bolt11Error';
  }
}

const chains: Readonly<Record<string, Bolt11Chain>> = { bc: 'main', tb: 'test', tbs: 'test', bcrt: 'regtest' };
/** How many picobitcoins; a thousandth of a satoshi has ten of them. */
const multipliers: Readonly<Record<string, bigint>> = { '': 10n ** 12n, m: 10n ** 9n, u: 10n ** 6n, n: 1_000n, p: 1n };
const tags = { paymentHash: 1, features: 5, expiry: 6, secret: 16, payee: 19, finalBlocks: 24 } as const;
/** As much as a QR code can hold, so that nobody keeps us busy with more. */
const lengthMax = 7_089;
const hashWords = 52;
const keyWords = 53;
const timestampWords = 7;
const signatureWords = 104;
const defaultExpirySeconds = 3_600n;
const defaultFinalBlocks = 18n;
/** More than any node accepts. */
const finalBlocksMax = 1_000_000n;
/** A year: so long that no clock matters, and a date can hold it. */
const expirySecondsMax = 31_536_000n;
/**
 * Required features that a payer's node can be expected to have: onions with fields of variable length, payment
 * secrets, payments in parts, blinded routes, attributed failures, metadata. Not AMP, which has a new hash for every
 * attempt.
 */
const knownFeatures: ReadonlySet<number> = new Set([8, 14, 16, 24, 36, 48]);

export function decodeBolt11(text: string): Bolt11Invoice {
  const { prefix, words } = decodeText(text);
  const [, currency = '', amount = ''] = /^ln([a-z]+)(\d.*)?$/.exec(prefix) ?? [];
  const chain = chains[currency];
  if (chain === undefined) throw new Bolt11Error('This is not an invoice of the Lightning network on Bitcoin.');
  if (words.length < timestampWords + signatureWords) throw new Bolt11Error('The invoice is too short.');

  const signed = words.slice(0, -signatureWords);
  const fields = fieldsOf(signed.slice(timestampWords));
  const hash = fields.find(({ tag, data }) => tag === tags.paymentHash && data.length === hashWords);
  if (!hash) throw new Bolt11Error('The invoice has no payment hash.');
  if (!fields.some(({ tag, data }) => tag === tags.secret && data.length === hashWords))
    throw new Bolt11Error('The invoice has no payment secret.');
  for (const { tag, data } of fields) if (tag === tags.features) checkFeatures(data);
  const named = fields.find(({ tag, data }) => tag === tags.payee && data.length === keyWords);
  const expiry = fields.find(({ tag }) => tag === tags.expiry);
  const final = fields.find(({ tag }) => tag === tags.finalBlocks);
  const seconds = numberOf(signed.slice(0, timestampWords)) + shortest(expiry && numberOf(expiry.data));
  return {
    chain,
    msat: amount === '' ? null : msatOf(amount),
    paymentHash: toHex(bytesOf(hash.data)),
    payee: toHex(payeeOf(prefix, signed, words.slice(-signatureWords), named && bytesOf(named.data))),
    expiresAt: new Date(Number(seconds) * 1_000),
    finalBlocks: fewest(final && numberOf(final.data)),
  };
}

function decodeText(text: string): { prefix: string; words: readonly number[] } {
  if (text.length > lengthMax) throw new Bolt11Error('The invoice is too long.');
  try {
    return bech32.decode(text as `${string}1${string}`, false);
  } catch {
    throw new Bolt11Error('This is not a Lightning invoice, or it is misspelt.');
  }
}

function msatOf(amount: string): bigint {
  const [, digits, letter = ''] = /^([1-9]\d{0,18})([munp])?$/.exec(amount) ?? [];
  if (digits === undefined) throw new Bolt11Error('The amount of the invoice cannot be read.');
  const pico = BigInt(digits) * (multipliers[letter] ?? 0n);
  if (pico % 10n !== 0n) throw new Bolt11Error('The invoice asks for less than a thousandth of a satoshi.');
  return pico / 10n;
}

type Field = { readonly tag: number; readonly data: readonly number[] };

function fieldsOf(words: readonly number[]): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < words.length; ) {
    const [tag = 0, high, low] = words.slice(at, at + 3);
    if (high === undefined || low === undefined) throw new Bolt11Error('The invoice ends in the middle of a field.');
    const end = at + 3 + 32 * high + low;
    if (end > words.length) throw new Bolt11Error('The invoice ends in the middle of a field.');
    fields.push({ tag, data: words.slice(at + 3, end) });
    at = end;
  }
  return fields;
}

/** It is fine to be odd: an unknown feature of an odd number is optional. */
function checkFeatures(words: readonly number[]): void {
  words.toReversed().forEach((word, place) => {
    for (let bit = 0; bit < 5; bit += 1) {
      const feature = 5 * place + bit;
      const isRequired = (word >> bit) % 2 === 1 && feature % 2 === 0;
      if (isRequired && !knownFeatures.has(feature))
        throw new Bolt11Error(`The invoice requires a feature that is not known here (${feature}).`);
    }
  });
}

/** The signature covers the prefix as text and the data as bytes, filled up with zeros. It tells the payee's key. */
function payeeOf(
  prefix: string,
  signed: readonly number[],
  signature: readonly number[],
  named: Uint8Array | undefined,
): Uint8Array {
  const digest = createHash('sha256').update(prefix).update(bytesOf(signed, true)).digest();
  const bytes = bytesOf(signature);
  const [compact, recovery = 0] = [bytes.slice(0, 64), bytes[64]];
  try {
    if (named === undefined)
      return secp256k1.recoverPublicKey(Uint8Array.of(recovery, ...compact), digest, { prehash: false });
    if (secp256k1.verify(compact, digest, named, { prehash: false })) return named;
  } catch {
    // A signature that no key could have made.
  }
  throw new Bolt11Error('The signature of the invoice is wrong.');
}

/** Eight bits from five. What is left at the end is padding, unless it is to be filled up to a last byte. */
function bytesOf(words: readonly number[], isFilledUp = false): Uint8Array {
  const bytes: number[] = [];
  let [value, bits] = [0, 0];
  for (const word of words) {
    value = ((value << 5) | word) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >> bits) & 0xff);
  }
  if (isFilledUp && bits > 0) bytes.push((value << (8 - bits)) & 0xff);
  return Uint8Array.from(bytes);
}

const numberOf = (words: readonly number[]): bigint => words.reduce((sum, word) => 32n * sum + BigInt(word), 0n);
const shortest = (seconds: bigint = defaultExpirySeconds): bigint =>
  seconds < expirySecondsMax ? seconds : expirySecondsMax;
const fewest = (blocks: bigint = defaultFinalBlocks): number =>
  Number(blocks < finalBlocksMax ? blocks : finalBlocksMax);
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
