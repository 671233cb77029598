/** Files that networks want under our domain, such as `stellar.toml`. */
import type { AssetCatalog, Operator } from '../catalog/asset-catalog.ts';
import { findCurrency } from '../catalog/currency-catalog.ts';
import { pageRoute, type Route } from '../http/route.ts';
import type { Connector } from '../networks/port/connector.ts';
import type { Publisher } from '../networks/port/published-file.ts';

export type PublishedFileDeps = {
  readonly assets: AssetCatalog;
  readonly operator: Operator;
  readonly connectors: ReadonlyMap<string, Pick<Connector, 'publishedFiles'>>;
};

export function publishedFileRoutes(deps: PublishedFileDeps): Route[] {
  const publisher = publisherOf(deps);
  const files = Array.from(deps.connectors.values()).flatMap(
    (connector) => connector.publishedFiles?.(publisher) ?? [],
  );
  return files.map(({ path, contentType, body }) =>
    pageRoute({
      methods: ['GET'],
      path,
      handle: () => ({
        status: 200,
        // Wallets read it from other origins.
        headers: { 'content-type': contentType, 'access-control-allow-origin': '*' },
        body,
      }),
    }),
  );
}

function publisherOf({ assets, operator }: Pick<PublishedFileDeps, 'assets' | 'operator'>): Publisher {
  const issued = assets.assets.filter(({ assetIssuer }) => assetIssuer === operator.issuerAccount);
  return {
    operator,
    issued: issued.map(({ assetCode, name, ledgerScale, currencyCode }) => ({
      code: assetCode,
      name,
      ledgerScale,
      currencyCode,
      isCoin: findCurrency(currencyCode)?.type === 'CRYPTO',
    })),
  };
}
