/** Cursors belong to their connectors; this knows which family made which. */
import { rewindEvmCursor } from './families/evm/evm-cursor.ts';
import { rewindLightningCursor } from './lightning/lightning-cursor.ts';
import { NetworkError } from './port/connector.ts';
import type { Cursor } from './port/receiving.ts';
import type { NetworkId } from './registry.ts';
import { rewindStellarCursor } from './stellar/stellar-connector.ts';
import { rewindUtxoCursor } from './families/utxo/utxo-cursor.ts';

export type RewoundCursor = { readonly cursor: Cursor; readonly firstBlock: number };

const rewinders: { readonly [Id in NetworkId]: (cursor: Cursor, blocks: number) => RewoundCursor } = {
  BITCOIN: rewindUtxoCursor,
  LITECOIN: rewindUtxoCursor,
  ETHEREUM: rewindEvmCursor,
  LIGHTNING: rewindLightningCursor,
  STELLAR: rewindStellarCursor,
};

export function rewindCursor(network: string, cursor: Cursor, blocks: number): RewoundCursor {
  const rewind = Object.hasOwn(rewinders, network) ? rewinders[network as NetworkId] : undefined;
  if (!rewind) throw new NetworkError(`${network} cannot be read again by blocks.`, { isRetryable: false });
  return rewind(cursor, blocks);
}
