/**
 * The parts of a node's JSON that we read, and which outputs of a transaction may be ours. The differences between
 * Bitcoin Core and Litecoin Core, old and new, are handled here, so that nobody else need know them.
 */
import { parseDecimal, toUnits } from '../../../money/decimal.ts';
import { NetworkError } from '../../port/connector.ts';
import type { AddressKind } from './utxo-parameters.ts';

/** A number, or the node's own text where a number would not be exact (`utxo-rpc.ts`). */
export type RpcAmount = number | string;

export type RpcOutput = {
  readonly n: number;
  readonly value?: RpcAmount; // Litecoin: an output inside the extension block (MWEB) has none
  readonly ismweb?: boolean;
  readonly scriptPubKey?: {
    readonly type?: string;
    readonly hex?: string;
    readonly address?: string;
    readonly addresses?: readonly string[];
  };
};

export type RpcInput = { readonly txid?: string; readonly vout?: number; readonly coinbase?: string };

export type RpcTransaction = {
  readonly txid: string;
  readonly vin: readonly RpcInput[];
  readonly vout: readonly RpcOutput[];
};

export type RpcBlock = {
  readonly hash: string;
  readonly height: number;
  readonly time: number;
  readonly previousblockhash?: string;
  readonly tx: readonly RpcTransaction[];
};

/** An output that could be ours. `value` is as the node gave it: we make units of it only when the output is ours. */
export type Candidate = {
  readonly tx: RpcTransaction;
  readonly address: string;
  readonly n: number;
  readonly value: RpcAmount;
};

export const coinDecimals = 8;

export const isCoinbase = (tx: RpcTransaction): boolean => tx.vin[0]?.coinbase !== undefined;

/** `txid:vout` of every output that a transaction spends. What a coinbase or an MWEB input spends has no such name. */
export function spentOutpoints(tx: RpcTransaction): string[] {
  return tx.vin.flatMap(({ txid, vout }) => (txid === undefined || vout === undefined ? [] : [`${txid}:${vout}`]));
}

/** What nodes call the scripts of our own outputs. */
const scriptTypes: Readonly<Record<AddressKind, string>> = { p2wpkh: 'witness_v0_keyhash', p2pkh: 'pubkeyhash' };

/** Only outputs with our kind of address can be ours. So only half of the addresses must be looked up. */
export function candidatesOf(tx: RpcTransaction, kind: AddressKind): Candidate[] {
  const candidates: Candidate[] = [];
  for (const { n, value, scriptPubKey, ismweb } of tx.vout) {
    if (ismweb || value === undefined || value === 0 || scriptPubKey?.type !== scriptTypes[kind]) continue;
    // Bitcoin Core 22 and later gives `address`; earlier versions and Litecoin Core 0.21 give a list with one address.
    const address = scriptPubKey.address ?? scriptPubKey.addresses?.[0];
    if (address !== undefined) candidates.push({ tx, address, n, value });
  }
  return candidates;
}

/** Nodes keep an amount in 64 bits, with a sign. */
const unitsMax = 2n ** 63n;

/**
 * The node writes an amount as a JSON number with at most 8 decimals, and JSON.parse has made a double of it. Below
 * 2^26 coins this loses nothing: neighbouring doubles are at most 2^-27 ≈ 0.75e-8 apart, closer than two amounts
 * (1e-8), so that no two amounts become the same double. String() writes the shortest decimal that is read as that
 * double. It has no more than 8 decimals, because the amount itself has no more, and so it is the amount. To read the
 * source text with a reviver of JSON.parse would make each block a hundred times as expensive. Larger amounts, which
 * are common with some coins, come as text.
 */
export function unitsOf(value: RpcAmount): bigint {
  const isExact = typeof value === 'string' || value < 2 ** 26;
  const parsed = isExact ? parseDecimal(String(value)) : undefined;
  const isAmount = parsed && parsed.digits >= 0n && parsed.scale <= coinDecimals;
  const units = isAmount ? toUnits(parsed, coinDecimals, 'down') : unitsMax;
  if (units >= unitsMax)
    throw new NetworkError(`The node reports an impossible amount: ${value}.`, { isRetryable: false });
  return units;
}
