/** Every network there is: a folder, and a line in each of the two lists here. */
import { createRequire } from 'node:module';
import { createBitcoinConnector } from './bitcoin/bitcoin.ts';
import type * as Ethereum from './ethereum/ethereum.ts';
import { ethereumSettings } from './ethereum/ethereum-settings.ts';
import { createLightningConnector } from './lightning/lightning.ts';
import { lightningSettings } from './lightning/lightning-settings.ts';
import { createLitecoinConnector } from './litecoin/litecoin.ts';
import type { Connector } from './port/connector.ts';
import type { SettingsOf, SettingsReader } from './settings-reader.ts';
import { createStellarNetworkConnector } from './stellar/stellar.ts';
import { stellarSettings } from './stellar/stellar-settings.ts';
import { utxoSettings } from './families/utxo/utxo-settings.ts';

const load = createRequire(import.meta.url);

/** Loaded when it is configured: its library takes a third of the time in which a process starts. */
const createEthereumConnector = (settings: Ethereum.EthereumSettings): Connector =>
  (load('./ethereum/ethereum.ts') as typeof Ethereum).createEthereumConnector(settings);

export const connectorFactories = {
  BITCOIN: createBitcoinConnector,
  LITECOIN: createLitecoinConnector,
  ETHEREUM: createEthereumConnector,
  LIGHTNING: createLightningConnector,
  STELLAR: createStellarNetworkConnector,
};

export type NetworkId = keyof typeof connectorFactories;

/** What each network needs to be told. A network that is left out is not offered. */
export type NetworkSettings = {
  readonly [Id in NetworkId]?: Parameters<(typeof connectorFactories)[Id]>[0] | undefined;
};

export const networkSettings: {
  readonly [Id in NetworkId]: SettingsOf<Parameters<(typeof connectorFactories)[Id]>[0]>;
} = {
  BITCOIN: utxoSettings('BITCOIN', ['testnet4', 'signet']),
  LITECOIN: utxoSettings('LITECOIN'),
  ETHEREUM: ethereumSettings,
  LIGHTNING: lightningSettings,
  STELLAR: stellarSettings,
};

export const readNetworkSettings = (reader: SettingsReader): NetworkSettings =>
  Object.fromEntries(
    Object.entries(networkSettings).flatMap(([id, { read }]) => {
      const own = read(reader);
      return own ? [[id, own]] : [];
    }),
  );

export function createConnectors(settings: NetworkSettings): ReadonlyMap<string, Connector> {
  const connectors = new Map<string, Connector>();
  for (const [id, create] of Object.entries(connectorFactories)) {
    const own = settings[id as NetworkId];
    // The type above pairs each network with its own settings; a loop over all of them cannot say so.
    if (own) connectors.set(id, (create as (own: unknown) => Connector)(own));
  }
  return connectors;
}
