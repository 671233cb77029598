import { endpoints } from '@quittance/contract/endpoints';
import type { CallingMerchant } from '../http/caller.ts';
import { type Route, routeFor } from '../http/route.ts';
import { type AssetCatalog, type CatalogView, listAssets, type RiskTolerance } from './asset-catalog.ts';
import { listCurrencies } from './currency-catalog.ts';
import { languages } from './language-catalog.ts';
import { listNetworks } from './network-catalog.ts';

/** What the catalogue depends on. */
type CatalogMerchant = CallingMerchant & {
  readonly highRiskAssets: readonly string[];
  readonly riskTolerance: RiskTolerance;
};

const route = routeFor<CatalogMerchant>();

export const catalogRoutes = (
  deps: { readonly assets: AssetCatalog } & Pick<CatalogView, 'configured' | 'isConvertible'>,
): Route<CatalogMerchant>[] => {
  const viewOf = (merchant: CatalogMerchant): CatalogView => ({
    configured: deps.configured,
    isConvertible: deps.isConvertible,
    enabledHighRisk: new Set(merchant.highRiskAssets),
    riskTolerance: merchant.riskTolerance,
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
