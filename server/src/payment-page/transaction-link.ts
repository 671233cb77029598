import type { NetworkDefinition } from '../networks/port/definition.ts';

/**
 * Where a curious customer can look a transaction up, on the chain that it is on. Only a link: the page itself asks no
 * explorer for anything. Null where nobody can look, as in the sandbox, and for networks that are no longer configured.
 */
export function transactionLink(
  connectors: ReadonlyMap<string, { readonly network: Pick<NetworkDefinition, 'explorer'> }>,
  network: string,
  txHash: string,
): string | null {
  const explorer = connectors.get(network)?.network.explorer;
  return explorer === undefined ? null : `${explorer}${encodeURIComponent(txHash)}`;
}
