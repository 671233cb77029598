/** Every network there is: a folder, and one line here. */
import { createBitcoinConnector } from './bitcoin/bitcoin.ts';
import { createLitecoinConnector } from './litecoin/litecoin.ts';
import type { Connector } from './port.ts';

export const connectorFactories = {
  BITCOIN: createBitcoinConnector,
  LITECOIN: createLitecoinConnector,
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
    if (own) connectors.set(id, create(own));
  }
  return connectors;
}
