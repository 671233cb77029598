/**
 * The parts of a node's JSON that we read, and how one transaction becomes transfers to us. Absorbs what differs
 * between Bitcoin Core and Litecoin Core, old and new.
 */
import { parseDecimal, toUnits } from '../../../money/decimal.ts';
import { NetworkError } from '../../port/connector.ts';

export type RpcOutput = {
  readonly n: number;
  readonly value?: number; // Litecoin: an output inside the extension block (MWEB) has none
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

/** An output that could be ours. The value is still the node's: it is read exactly once we know that it is. */
export type Candidate = {
  readonly tx: RpcTransaction;
  readonly address: string;
  readonly n: number;
  readonly value: number;
};

export const coinDecimals = 8;

export const isCoinbase = (tx: RpcTransaction): boolean => tx.vin[0]?.coinbase !== undefined;

/** `txid:vout` of everything a transaction spends. A coinbase and an MWEB input spend no output we could name. */
export function spentOutpoints(tx: RpcTransaction): string[] {
  return tx.vin.flatMap(({ txid, vout }) => (txid === undefined || vout === undefined ? [] : [`${txid}:${vout}`]));
}

/** Only native segwit outputs can be ours, which halves the addresses that must be looked up. */
export function candidatesOf(tx: RpcTransaction): Candidate[] {
  const candidates: Candidate[] = [];
  for (const { n, value, scriptPubKey, ismweb } of tx.vout) {
    if (ismweb || value === undefined || value === 0 || scriptPubKey?.type !== 'witness_v0_keyhash') continue;
    // Bitcoin Core since 22 says `address`; before that, and in Litecoin Core 0.21, it is a list of one.
    const address = scriptPubKey.address ?? scriptPubKey.addresses?.[0];
    if (address !== undefined) candidates.push({ tx, address, n, value });
  }
  return candidates;
}

/**
 * The node writes an amount as a JSON number with at most 8 decimals, and JSON.parse has made a double of it. Below
 * 2^26 coins neighbouring doubles are at most 2^-27 ≈ 0.75e-8 apart, closer than two amounts (1e-8), so no two
 * amounts share a double; String() writes the shortest decimal that reads back as that double, and every decimal as
 * short as the amount's has at most 8 decimals too: it can only be the amount itself. A reviver with the source
 * text would prove the same at a hundred times the cost per block.
 */
export function unitsOf(value: number): bigint {
  const parsed = value < 2 ** 26 ? parseDecimal(String(value)) : undefined;
  if (!parsed || parsed.digits < 0n || parsed.scale > coinDecimals) {
    throw new NetworkError(`The node reports an impossible amount: ${value}.`, { isRetryable: false });
  }
  return toUnits(parsed, coinDecimals, 'down');
}
