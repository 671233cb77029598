/** A network as the registry has it: all that the rest of the service ever learns about it, in one value. */
import type { SettingsOf } from '../settings-reader.ts';
import type { AssetDefinition } from './asset-definition.ts';
import type { Connector } from './connector.ts';
import type { NetworkIdentity } from './definition.ts';
import type { Cursor } from './receiving.ts';

export type RegisteredNetwork = {
  readonly identity: NetworkIdentity;
  /** The assets that come from here. Assets of other networks that it also has are named only in its identity. */
  readonly assets: readonly AssetDefinition[];
  /** A folder that is served as `/images/`: `networks/<id>.svg`, and `assets/` and `groups/` of its assets. */
  readonly images: URL;
};

/** A network that has a connector. */
export type ConnectedNetwork<Settings> = RegisteredNetwork & {
  readonly settings: SettingsOf<Settings>;
  /** `now`: the service's clock, for what is final after some days. Left out: that of the machine. */
  connect(settings: Settings, now?: () => Date): Connector;
  /** Makes the newest blocks be read again. Only the connector that made a cursor understands it. */
  rewind(cursor: Cursor, blocks: number): RewoundCursor;
};

export type RewoundCursor = { readonly cursor: Cursor; readonly firstBlock: number };
