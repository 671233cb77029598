/** A network as the registry has it: all that the rest of the house ever learns about it, in one value. */
import type { SettingsOf } from '../settings-reader.ts';
import type { AssetDefinition } from './asset-definition.ts';
import type { Connector } from './connector.ts';
import type { NetworkIdentity } from './definition.ts';
import type { Cursor } from './receiving.ts';

export type RegisteredNetwork = {
  readonly identity: NetworkIdentity;
  /** The assets that come from here. What it carries of other networks is named in its identity alone. */
  readonly assets: readonly AssetDefinition[];
  /** A folder that is served as `/images/`: `networks/<id>.svg`, and `assets/` and `groups/` of its assets. */
  readonly images: URL;
};

/** One that there is a connector for. */
export type ConnectedNetwork<Settings> = RegisteredNetwork & {
  readonly settings: SettingsOf<Settings>;
  connect(settings: Settings): Connector;
  /** Lets the newest blocks be read again. A cursor belongs to the connector that made it. */
  rewind(cursor: Cursor, blocks: number): RewoundCursor;
};

export type RewoundCursor = { readonly cursor: Cursor; readonly firstBlock: number };
