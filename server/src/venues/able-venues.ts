import type { CatalogAsset } from '../catalog/asset-catalog.ts';
import { canExchange, type ExchangeDeps } from './exchange-on-stellar.ts';
import { type VenueName, type VenueRule, venuesFor } from './venue-plan.ts';

export type VenueDeps = Pick<ExchangeDeps, 'connectors'> & { readonly venueRules: readonly VenueRule[] };

/** Venues that can exchange what was paid for what is credited, in the order in which they are tried. */
export function ableVenues(deps: VenueDeps, paid: CatalogAsset, credited: CatalogAsset): readonly VenueName[] {
  // The same coin under another name is worth the same: no market is needed.
  if (paid.currencyCode === credited.currencyCode) return ['treasury'];
  return venuesFor(deps.venueRules, paid.assetCode, credited.assetCode).filter(
    (venue) => venue === 'treasury' || canExchange(deps, paid, credited),
  );
}
