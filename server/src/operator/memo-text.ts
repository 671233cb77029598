import { findNetwork } from '../catalog/network-catalog.ts';

type Arrived = { readonly network: string; readonly memo: string | null };

/** What came with money that named nobody. At a bank it is a text that anybody may write. */
export function memoText({ network, memo }: Arrived): string {
  const isBank = findNetwork(network)?.knownAs !== undefined;
  if (memo === null) return isBank ? 'no text' : 'no memo';
  return isBank ? memo : `memo ${memo}`;
}
