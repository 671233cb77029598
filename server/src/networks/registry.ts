/** Every network there is: a folder, and one line here. */
import { createBitcoinConnector } from './bitcoin/bitcoin.ts';
import { createEthereumConnector } from './ethereum/ethereum.ts';
import { createLitecoinConnector } from './litecoin/litecoin.ts';
import type { Connector } from './port.ts';

export const connectorFactories = {
  BITCOIN: createBitcoinConnector,
  LITECOIN: createLitecoinConnector,
  ETHEREUM: createEthereumConnector,
};

export type NetworkId = keyof typeof connectorFactories;

/** What each network needs to be told. A network that is left out is not offered. */
export type NetworkSettings = {
  readonly [Id in NetworkId]?: Parameters<(typeof connectorFactories)[Id]>[0] | undefined;
};

export function createConnectors(settings: NetworkSettings): ReadonlyMap<string, Connector> {
  const connectors = new Map<string, Connector>();
  for (const [id, create] of Object.entries(connectorFactories)) {
    const own = settings[id as NetworkId];
    // The type above pairs each network with its own settings; a loop over all of them cannot say so.
    if (own) connectors.set(id, (create as (own: unknown) => Connector)(own));
  }
  return connectors;
}
