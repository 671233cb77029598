/** Everything under the root that is not the API. */
import type { HttpServerOptions } from '../http/http-server.ts';
import type { Route } from '../http/route.ts';
import { checkoutPageRoutes, type PageDeps } from './checkout-page-routes.ts';
import { imageRoutes } from './image-routes.ts';
import { createNotFoundPage, landingRoutes } from './landing-routes.ts';
import { type OperatorDeps, operatorRoutes } from './operator-routes.ts';
import { refundClaimRoutes } from './refund-claim-routes.ts';
import { loadStaticFiles, stylesheetPath } from './static-files.ts';
import { type StellarTomlDeps, stellarTomlRoutes } from './stellar-toml-routes.ts';

export type AllPageDeps = Omit<PageDeps, 'stylesheet'> & Omit<OperatorDeps, 'networks'> & StellarTomlDeps;

export function pageRoutes(deps: AllPageDeps): {
  routes: Route[];
  notFoundPage: NonNullable<HttpServerOptions['notFoundPage']>;
} {
  const files = loadStaticFiles();
  const look = { isSandbox: deps.isSandbox, stylesheet: stylesheetPath(files) };
  return {
    routes: [
      ...operatorRoutes({ ...deps, networks: [...deps.connectors.keys()] }),
      ...imageRoutes(files),
      ...landingRoutes(look),
      ...stellarTomlRoutes(deps),
      ...checkoutPageRoutes({ ...deps, ...look }),
      ...refundClaimRoutes({ ...deps, ...look }),
    ],
    notFoundPage: createNotFoundPage(look),
  };
}
