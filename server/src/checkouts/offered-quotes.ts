/** The methods that can be chosen at the moment, at the price that whoever chooses now will get. */
import { findAsset } from '../catalog/asset-catalog.ts';
import { present } from '../lib/assert.ts';
import { offerShortage } from '../venues/stock-book.ts';
import type { CheckoutDossier, Quote } from './checkout.ts';
import { arePricesHeld, type Committer, freshQuotes, heldUnits } from './commit-checkout.ts';
import type { QuoteDeps } from './quote-methods.ts';
import { canCommit } from './store-choices.ts';

export function offeredQuotes(
  deps: QuoteDeps,
  merchant: Committer,
  dossier: CheckoutDossier,
  now: Date,
): readonly Quote[] {
  const { checkout } = dossier;
  if (canCommit(checkout) && !arePricesHeld(checkout, now)) return freshQuotes(deps, merchant, dossier, now).quotes;
  return inStock(deps, dossier, now);
}

/** Of the methods that the checkout was priced for: the stock may have gone since. */
function inStock(deps: QuoteDeps, dossier: CheckoutDossier, now: Date): Quote[] {
  const { merchantId, quotes } = dossier.checkout;
  const held = heldUnits(dossier, now);
  const assetOf = (id: string) => present(findAsset(deps.assets, id), `asset ${id}`);
  return quotes.filter(({ assetId, settlement }) => {
    const units = BigInt(settlement.grossUnits);
    const heldOfIt = held.get(settlement.assetId) ?? 0n;
    const [paid, credited] = [assetOf(assetId), assetOf(settlement.assetId)];
    return offerShortage(deps, { merchantId, paid, credited, units, heldUnits: heldOfIt }) === null;
  });
}
