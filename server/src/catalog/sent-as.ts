import { findNetwork } from './network-catalog.ts';

/** What we sent, by what people know it: its transaction, or what the bank calls it. Null: by nothing, or not yet. */
export function sentAs(network: string, txHash: string | null): string | null {
  const { knownAs } = findNetwork(network) ?? {};
  return knownAs && txHash !== null ? knownAs.sent(txHash) : txHash;
}
