/** A network of this family, for the registry: a definition, a coin's parameters, and what only this network has. */
import type { NetworkDefinition } from '../../port/definition.ts';
import type { ConnectedNetwork, RegisteredNetwork } from '../../port/registered-network.ts';
import { createUtxoConnector, type UtxoSettings } from './utxo-connector.ts';
import { rewindUtxoCursor } from './utxo-cursor.ts';
import type { UtxoParameters } from './utxo-parameters.ts';
import { utxoSettings } from './utxo-settings.ts';

export type UtxoNetwork = ConnectedNetwork<UtxoSettings> & {
  /** For the sandbox, which imitates its chain. */
  readonly utxo: { readonly definition: NetworkDefinition; readonly parameters: UtxoParameters };
};

/** `testChains`: further test chains, by the names that the node gives them. */
export const utxoNetwork = (
  definition: NetworkDefinition,
  parameters: UtxoParameters,
  own: Pick<RegisteredNetwork, 'assets' | 'images'> & { readonly testChains?: readonly string[] },
): UtxoNetwork => ({
  identity: definition,
  assets: own.assets,
  images: own.images,
  settings: utxoSettings(definition.id, parameters, own.testChains),
  connect: (settings) => createUtxoConnector(definition, { ...settings, ...parameters }),
  rewind: rewindUtxoCursor,
  utxo: { definition, parameters },
});

export const isUtxoNetwork = (network: RegisteredNetwork): network is UtxoNetwork => 'utxo' in network;
