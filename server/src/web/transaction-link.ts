import type { NetworkDefinition } from '../networks/port/definition.ts';

/**
 * The link to an explorer that shows the transaction on its chain. The page itself asks no explorer. Null if there is
 * none, as in the sandbox, and for networks that are no longer configured.
 */
export function transactionLink(
  connectors: ReadonlyMap<string, { readonly network: Pick<NetworkDefinition, 'explorer'> }>,
  network: string,
  txHash: string,
): string | null {
  const explorer = connectors.get(network)?.network.explorer;
  return explorer === undefined ? null : `${explorer}${encodeURIComponent(txHash)}`;
}
