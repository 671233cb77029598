/** What sending back needs of a service, for stories that ask for it without a page or a command. Nobody knows how networks are. */
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { readConfig } from '../src/config.ts';
import { createNetworkHealth } from '../src/deposits/network-health.ts';
import { createConnectors } from '../src/networks/registry.ts';
import type { ReturnDeps } from '../src/watching/return-unmatched.ts';
import type { Gateway } from './gateway.ts';

export function returnDeps({ db, clock, env }: Pick<Gateway, 'db' | 'clock' | 'env'>): ReturnDeps {
  const config = readConfig(env);
  const assets = createAssetCatalog(config.operator, config.anchoredAssets);
  return { db, clock, assets, connectors: createConnectors(config.networks), health: createNetworkHealth(clock) };
}
