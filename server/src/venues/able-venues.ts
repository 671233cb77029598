import { type CatalogAsset, isOfAnchor } from '../catalog/asset-catalog.ts';
import { canExchange, type ExchangeDeps } from './exchange-on-stellar.ts';
import { type VenueName, type VenueRule, venuesFor } from './venue-plan.ts';

export type VenueDeps = Pick<ExchangeDeps, 'connectors'> & { readonly venueRules: readonly VenueRule[] };

/** Venues that can exchange what is given for what is credited, in the order in which they are tried. */
export function ableVenues(deps: VenueDeps, given: CatalogAsset, credited: CatalogAsset): readonly VenueName[] {
  const named = venuesFor(deps.venueRules, given.assetCode, credited.assetCode).filter(
    (venue) => venue === 'treasury' || canExchange(deps, given, credited),
  );
  // The same coin under another name is worth the same, so no market is needed. And for a credit in an asset of an
  // anchor there is no other way out.
  const needsNoMarket = given.currencyCode === credited.currencyCode || isOfAnchor(given);
  return needsNoMarket ? [...new Set<VenueName>(['treasury', ...named])] : named;
}
