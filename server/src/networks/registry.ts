/** Every network there is: a folder, and a line here. In the order in which they are listed and offered. */
import { bitcoinNetwork } from './bitcoin/bitcoin.ts';
import { ethereumNetwork } from './ethereum/ethereum.ts';
import { lightningNetwork } from './lightning/lightning-network.ts';
import { litecoinNetwork } from './litecoin/litecoin.ts';
import { pixNetwork } from './pix/pix.ts';
import { type Connector, NetworkError } from './port/connector.ts';
import type { Cursor } from './port/receiving.ts';
import type { ConnectedNetwork, RegisteredNetwork, RewoundCursor } from './port/registered-network.ts';
import { sepaNetwork } from './sepa/sepa.ts';
import type { SettingsOf, SettingsReader } from './settings-reader.ts';
import { stellarNetwork } from './stellar/stellar-network.ts';
import { swiftNetwork } from './swift/swift.ts';

const connected = {
  BITCOIN: bitcoinNetwork,
  LIGHTNING: lightningNetwork,
  LITECOIN: litecoinNetwork,
  ETHEREUM: ethereumNetwork,
  STELLAR: stellarNetwork,
};

/** Named by the API (spec §2.1), and not connected to yet. */
const unconnected: readonly RegisteredNetwork[] = [sepaNetwork, swiftNetwork, pixNetwork];

export const registeredNetworks: readonly RegisteredNetwork[] = [...Object.values(connected), ...unconnected];

/** What each network needs to be told. A network that is left out is not offered. */
export type NetworkSettings = {
  readonly [Id in keyof typeof connected]?: Parameters<(typeof connected)[Id]['connect']>[0] | undefined;
};

/** A loop over all of them cannot say that each goes with its own settings: it reads them and hands them on. */
const connectedNetworks: readonly (readonly [id: string, network: ConnectedNetwork<unknown>])[] = Object.entries(
  connected as unknown as Readonly<Record<string, ConnectedNetwork<unknown>>>,
);

export const networkSettings: Readonly<Record<string, SettingsOf<unknown>>> = Object.fromEntries(
  connectedNetworks.map(([id, { settings }]) => [id, settings]),
);

/** Bank money follows when banks are connected. */
const issuedCoins = registeredNetworks.flatMap(({ assets }) =>
  assets.filter(({ issuer, coin }) => issuer === 'operator' && coin).map(({ code }) => code),
);

export const readNetworkSettings = (reader: Omit<SettingsReader, 'issuedCoins'>): NetworkSettings =>
  Object.fromEntries(
    Object.entries(networkSettings).flatMap(([id, { read }]) => {
      const own = read({ ...reader, issuedCoins });
      return own ? [[id, own]] : [];
    }),
  );

export function createConnectors(settings: NetworkSettings): ReadonlyMap<string, Connector> {
  const configured = new Map<string, unknown>(Object.entries(settings));
  return new Map(
    connectedNetworks.flatMap(([id, network]): [string, Connector][] => {
      const own = configured.get(id);
      return own ? [[id, network.connect(own)]] : [];
    }),
  );
}

export function rewindCursor(network: string, cursor: Cursor, blocks: number): RewoundCursor {
  const found = connectedNetworks.find(([id]) => id === network)?.[1];
  if (!found) throw new NetworkError(`${network} cannot be read again by blocks.`, { isRetryable: false });
  return found.rewind(cursor, blocks);
}
