/** Of the methods that a checkout was priced for, those that can be chosen at the moment: the stock may have gone since. */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { present } from '../lib/assert.ts';
import type { VenueDeps } from '../venues/able-venues.ts';
import { offerShortage, type StockBook } from '../venues/stock-book.ts';
import type { CheckoutDossier, Quote } from './checkout.ts';
import { heldUnits } from './commit-checkout.ts';

export type OfferDeps = VenueDeps & { readonly assets: AssetCatalog; readonly stock: StockBook };

export function offeredQuotes(deps: OfferDeps, dossier: CheckoutDossier): Quote[] {
  const { merchantId, quotes } = dossier.checkout;
  const held = heldUnits(dossier);
  const assetOf = (id: string) => present(findAsset(deps.assets, id), `asset ${id}`);
  return quotes.filter(({ assetId, settlement }) => {
    const units = BigInt(settlement.grossUnits);
    const heldOfIt = held.get(settlement.assetId) ?? 0n;
    const [paid, credited] = [assetOf(assetId), assetOf(settlement.assetId)];
    return offerShortage(deps, { merchantId, paid, credited, units, heldUnits: heldOfIt }) === null;
  });
}
