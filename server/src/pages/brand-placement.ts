/** Where the pages of a merchant are shown, and with its brand or without. */
import type { PageContext } from '../http/route.ts';
import type { BrandDomains } from '../merchants/brand-domains.ts';

/** `hidden` is answered like a checkout that does not exist. */
export type BrandPlacement = 'branded' | 'plain' | 'hidden' | { readonly redirectTo: string };

export function brandPlacement(
  domains: BrandDomains,
  shopDomain: PageContext['shopDomain'],
  merchantId: string,
): BrandPlacement {
  if (shopDomain) return shopDomain.merchantId === merchantId ? 'branded' : 'hidden';
  const own = domains.activeOf(merchantId);
  switch (own?.behaviour) {
    case 'own-domain':
      return 'plain';
    case 'redirect':
      return { redirectTo: own.origin };
    case 'block':
      return 'hidden';
    default:
      return 'branded';
  }
}
