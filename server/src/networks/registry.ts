/** Every network there is: a folder, and a line here. In the order in which they are listed and offered. */
import { baseNetwork } from './base/base.ts';
import { bitcoinNetwork } from './bitcoin/bitcoin.ts';
import { ethereumNetwork } from './ethereum/ethereum.ts';
import { lightningNetwork } from './lightning/lightning-network.ts';
import { litecoinNetwork } from './litecoin/litecoin.ts';
import { pixNetwork } from './pix/pix-network.ts';
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
  BASE: baseNetwork,
  STELLAR: stellarNetwork,
  SEPA: sepaNetwork,
  SWIFT: swiftNetwork,
  PIX: pixNetwork,
};

export const registeredNetworks: readonly RegisteredNetwork[] = Object.values(connected);

/** The settings of each network. A network without settings is not offered. */
export type NetworkSettings = {
  readonly [Id in keyof typeof connected]?: Parameters<(typeof connected)[Id]['connect']>[0] | undefined;
};

/**
 * A loop over all networks cannot prove to the compiler that each gets its own settings: it reads them and passes them
 * on.
 */
const connectedNetworks: readonly (readonly [id: string, network: ConnectedNetwork<unknown>])[] = Object.entries(
  connected as unknown as Readonly<Record<string, ConnectedNetwork<unknown>>>,
);

export const networkSettings: Readonly<Record<string, SettingsOf<unknown>>> = Object.fromEntries(
  connectedNetworks.map(([id, { settings }]) => [id, settings]),
);

/** Only coins so far: money at banks will follow when banks are connected. */
const issuedCoins = registeredNetworks.flatMap(({ assets }) =>
  assets.filter(({ issuer, coin }) => issuer === 'operator' && coin).map(({ code }) => code),
);

export function readNetworkSettings(reader: Omit<SettingsReader, 'issuedCoins'>): NetworkSettings {
  const users = new Map<string, string>();
  return Object.fromEntries(
    Object.entries(networkSettings).flatMap(([id, { read, addressSource }]) => {
      const own = read({ ...reader, issuedCoins });
      if (!own) return [];
      const source = addressSource?.(own);
      const other = source && users.get(source.key);
      if (source && other !== undefined)
        reader.problem(
          `${source.setting} must be another account than ${other}: an address would belong to one customer on one ` +
            'network and to another customer on the other.',
        );
      if (source) users.set(source.key, source.setting);
      return [[id, own]];
    }),
  );
}

export function createConnectors(settings: NetworkSettings, now?: () => Date): ReadonlyMap<string, Connector> {
  const configured = new Map<string, unknown>(Object.entries(settings));
  return new Map(
    connectedNetworks.flatMap(([id, network]): [string, Connector][] => {
      const own = configured.get(id);
      return own ? [[id, network.connect(own, now)]] : [];
    }),
  );
}

export function rewindCursor(network: string, cursor: Cursor, blocks: number): RewoundCursor {
  const found = connectedNetworks.find(([id]) => id === network)?.[1];
  if (!found) throw new NetworkError(`${network} cannot be read again by blocks.`, { isRetryable: false });
  return found.rewind(cursor, blocks);
}
