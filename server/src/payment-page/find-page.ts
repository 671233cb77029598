/** From a request to the checkout it is about. The checkout's id in the path is all that a customer has. */
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { findCheckoutVersions, findDossier, findPublicCheckout } from '../checkouts/checkout-store.ts';
import type { CommitDeps } from '../checkouts/commit-checkout.ts';
import { findContact } from '../checkouts/contact-store.ts';
import { offeredQuotes } from '../checkouts/offered-quotes.ts';
import { customerOfInvoice } from '../counterparties/customer-store.ts';
import type { PageContext, PageReply } from '../http/route.ts';
import { present } from '../lib/assert.ts';
import { isId } from '../lib/ids.ts';
import type { Brand } from '../merchants/brand.ts';
import type { BrandDomains } from '../merchants/brand-domains.ts';
import { pageBrand } from '../web/page-brand.ts';
import { checkoutPath, pageLanguage } from '../web/page-language.ts';
import { createLook, type PageFiles, type PageLook, pageReply } from '../web/page-layout.ts';
import { plainPage } from '../web/plain-page.ts';
import type { PageLanguage } from '../web/texts/page-texts.ts';
import { brandPlacement, type Elsewhere, sendElsewhere } from './brand-placement.ts';
import type { LiveTies } from './checkout-page.ts';
import { liveVersion } from './live-version.ts';
import { type PageMerchant, type PublicCheckout, publicCheckout, type Surroundings } from './public-checkout.ts';

export type PageDeps = CommitDeps & {
  readonly merchantOf: (merchantId: string) => Promise<PageMerchant | undefined>;
  readonly brandOf: (merchantId: string) => Promise<Brand | undefined>;
  readonly domains: BrandDomains;
  readonly isSandbox: boolean;
  readonly sendsReceipts: boolean;
  readonly files: PageFiles;
};

export type FoundPage = {
  readonly dossier: CheckoutDossier;
  readonly surroundings: Surroundings;
  readonly look: PageLook;
  /** As the page shows it. */
  readonly shown: PublicCheckout;
  readonly live: LiveTies;
};

export type Answer = (found: FoundPage, context: PageContext) => Promise<PageReply> | PageReply;

export type PageFinder = {
  /** Handles a request about a checkout; one that does not exist is answered alike everywhere. */
  about(answer: Answer, options?: { readonly isEntrance?: boolean }): (context: PageContext) => Promise<PageReply>;
  invalid(context: PageContext): PageReply;
};

export function createPageFinder(deps: PageDeps): PageFinder {
  const lookIn = (language: PageLanguage, brand: Brand | undefined): PageLook =>
    createLook(language, { ...deps, brand: pageBrand(brand) });

  function lookOf(context: PageContext, ofCheckout: string, brand?: Brand): PageLook {
    const acceptLanguage = context.headers['accept-language'];
    const chosen = context.query['language'];
    return lookIn(pageLanguage({ inPath: context.params['lang'] ?? '', ofCheckout, chosen, acceptLanguage }), brand);
  }

  const refuse = (context: PageContext, status: number): PageReply => {
    const look = lookOf(context, pathDecides);
    return pageReply(status, look, plainPage(look, 'invalidTitle', 'invalidText'));
  };

  /**
   * Only hosted checkouts have a page: the merchant of another one has not asked for it to be shown to anyone.
   * Only at the entrance may the browser decide the language; everywhere else the path repeats what was decided there.
   */
  async function find(context: PageContext, isEntrance: boolean): Promise<FoundPage | Elsewhere | undefined> {
    const id = context.params['id'] ?? '';
    if (!isId(id)) return undefined;
    // The version before the rest: should the checkout change in between, the page is newer than it says and looks again.
    const [checkout, versions] = await Promise.all([
      findPublicCheckout(deps.db, id),
      findCheckoutVersions(deps.db, [id]),
    ]);
    if (checkout?.type !== 'HOSTED') return undefined;
    const { merchantId, customerId } = checkout;
    const placement = brandPlacement(deps.domains, context.shopDomain, merchantId);
    if (placement === 'hidden') return undefined;
    if (typeof placement === 'object') return placement;
    const [dossier, merchant, brand, contact, customer] = await Promise.all([
      findDossier(deps.db, merchantId, id),
      deps.merchantOf(merchantId),
      placement === 'branded' ? deps.brandOf(merchantId) : undefined,
      findContact(deps.db, checkout),
      customerId === null ? null : customerOfInvoice(deps.db, merchantId, customerId),
    ]);
    const surroundings = { merchant: present(merchant, `merchant ${merchantId}`), contact, customer };
    const found = present(dossier, `checkout ${id}`);
    const now = deps.clock.now();
    const view = { now, chosen: String(context.query['pay'] ?? ''), quotes: offeredQuotes(deps, found) };
    const shown = publicCheckout(deps, found, surroundings, view);
    const networks = [...new Set(shown.payments.filter((each) => !each.isConfirmed).map(({ network }) => network))];
    return {
      dossier: found,
      surroundings,
      shown,
      look: lookOf(context, isEntrance ? checkout.language : pathDecides, brand),
      live: { version: liveVersion(present(versions.get(id), `version of ${id}`), networks, deps.health), networks },
    };
  }

  return {
    about(answer, { isEntrance = false } = {}) {
      return async (context) => {
        if (context.method === 'POST' && isCrossSite(context)) return refuse(context, 403);
        const found = await find(context, isEntrance);
        if (!found) return refuse(context, 404);
        return 'redirectTo' in found ? sendElsewhere(found, context) : answer(found, context);
      };
    },
    invalid: (context) => refuse(context, 404),
  };
}

/** Any language of a checkout but `auto`. */
const pathDecides = 'en';

/**
 * A form on somebody else's page. The browser says so itself (Fetch Metadata); Origin would not do, because a page
 * without referrer posts with `Origin: null`, and the brand container changes the host.
 */
export function isCrossSite({ headers }: PageContext): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

export const backToPage = ({ shown, look }: FoundPage, chosen: string | null = shown.chosen): PageReply => ({
  status: 303,
  headers: { location: checkoutPath(look.language, { ...shown, chosen }), 'cache-control': 'no-store' },
});
