/** On which domain a merchant's pages are shown, and with its brand or without. */
import type { PageContext, PageReply } from '../http/route.ts';
import type { BrandDomains } from '../merchants/brand-domains.ts';

export type Elsewhere = { readonly redirectTo: string };

/** `hidden` is answered like a checkout that does not exist. */
export type BrandPlacement = 'branded' | 'plain' | 'hidden' | Elsewhere;

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

/** To the same page on the merchant's domain; what the customer wanted to do must be done again there. */
export function sendElsewhere({ redirectTo }: Elsewhere, { method, path, params, query }: PageContext): PageReply {
  const search = new URLSearchParams(query).toString();
  const same = `${path}${search === '' ? '' : `?${search}`}`;
  const entrance = `/${params['lang'] ?? 'en'}/checkout/${params['id'] ?? ''}`;
  const isReading = method !== 'POST';
  const location = `${redirectTo}${isReading ? same : entrance}`;
  return { status: isReading ? 302 : 303, headers: { location, 'cache-control': 'no-store' } };
}
