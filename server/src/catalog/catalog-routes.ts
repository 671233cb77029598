import { endpoints } from '@quittance/contract/endpoints';
import { type Route, route } from '../http/route.ts';
import { type AssetCatalog, type ConfiguredNetworks, listAssets } from './asset-catalog.ts';
import { listCurrencies } from './currency-catalog.ts';
import { languages } from './language-catalog.ts';
import { listNetworks } from './network-catalog.ts';

export const catalogRoutes = (deps: { assets: AssetCatalog; configured: ConfiguredNetworks }): Route[] => {
  const viewOf = (merchant: { highRiskAssets: readonly string[] }) => ({
    configured: deps.configured,
    enabledHighRisk: new Set(merchant.highRiskAssets),
  });
  return [
    route({
      endpoint: endpoints.networks,
      handle: ({ merchant }) => ({
        networks: listNetworks(deps.assets, deps.configured, viewOf(merchant).enabledHighRisk),
      }),
    }),
    route({
      endpoint: endpoints.assets,
      handle: ({ merchant }) => ({ assets: listAssets(deps.assets, viewOf(merchant)) }),
    }),
    route({
      endpoint: endpoints.currencies,
      handle: ({ merchant }) => ({ currencies: listCurrencies(deps.assets, viewOf(merchant)) }),
    }),
    route({ endpoint: endpoints.languages, handle: () => ({ languages: [...languages] }) }),
  ];
};
