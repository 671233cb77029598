/** From a request to its checkout. A customer has only the checkout's id in the path. */
import { findBuyer } from '../checkouts/buyer-store.ts';
import type { Checkout, CheckoutDossier } from '../checkouts/checkout.ts';
import { findCheckoutVersions, findDossier, findPublicCheckout } from '../checkouts/checkout-store.ts';
import { findContact } from '../checkouts/contact-store.ts';
import { offeredQuotes } from '../checkouts/offered-quotes.ts';
import type { QuoteDeps } from '../checkouts/quote-methods.ts';
import { findChosenAgain } from '../checkouts/timeline-store.ts';
import { customerErasedAt } from '../counterparties/customer-store.ts';
import type { Db } from '../db/database.ts';
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import { present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { isId } from '../lib/ids.ts';
import type { Brand } from '../merchants/brand.ts';
import type { BrandDomains } from '../merchants/brand-domains.ts';
import { findKeptPlace } from '../payment-links/take-places.ts';
import type { CarrierDeps } from '../refunds/refund-carrier.ts';
import { findWayBack } from '../refunds/way-back.ts';
import { pageBrand } from '../web/page-brand.ts';
import { checkoutPath, pageLanguage, readPlace } from '../web/page-language.ts';
import { createLook, type PageFiles, type PageLook, pageReply } from '../web/page-layout.ts';
import { deadLinkPage, invalidPath } from '../web/plain-page.ts';
import { brandPlacement, type Elsewhere, sendElsewhere } from './brand-placement.ts';
import type { LiveTies } from './checkout-page.ts';
import { liveVersion } from './live-version.ts';
import { pageSetting, wantsReceipts } from './page-setting.ts';
import {
  type PageMerchant,
  type PublicCheckout,
  type PublicCheckoutDeps,
  publicCheckout,
  type Surroundings,
} from './public-checkout.ts';

/** What a page of a shop looks like: whose it is, with which brand, and with which files of ours. */
export type ShopLookDeps = {
  readonly merchantOf: (merchantId: string) => Promise<PageMerchant | undefined>;
  readonly brandOf: (merchantId: string) => Promise<Brand | undefined>;
  readonly isSandbox: boolean;
  readonly files: PageFiles;
};

export type FinderDeps = ShopLookDeps &
  QuoteDeps &
  PublicCheckoutDeps &
  CarrierDeps & {
    readonly db: Db;
    readonly clock: Clock;
    readonly domains: BrandDomains;
    readonly sendsReceipts: boolean;
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

export type AboutOptions = {
  readonly isEntrance?: boolean;
  /**
   * Only hosted checkouts have a page: for others the merchant has not asked for one. What this lets through has one even so.
   */
  readonly isLetIn?: (checkout: Pick<Checkout, 'id'>, context: PageContext) => boolean;
};

export type PageFinder = {
  /** Handles a request about a checkout; for one that does not exist the answer is the same everywhere. */
  about(answer: Answer, options?: AboutOptions): (context: PageContext) => Promise<PageReply>;
  invalid(context: PageContext): Promise<PageReply>;
};

export function createPageFinder(deps: FinderDeps): PageFinder {
  function lookOf(context: PageContext, ofCheckout: string, brand?: Brand, shop?: PageMerchant): PageLook {
    const acceptLanguage = context.headers['accept-language'];
    const chosen = context.query['language'];
    const language = pageLanguage({ inPath: context.params['lang'] ?? '', ofCheckout, chosen, acceptLanguage });
    const sendsReceipts = deps.sendsReceipts && (!shop || wantsReceipts(shop));
    const mail = { sendsMail: deps.sendsReceipts, sendsReceipts };
    return createLook(language, { ...deps, ...mail, brand: pageBrand(brand), domain: domainOf(context) });
  }

  /** On a shop's own domain we know the shop, so the page links back to it. */
  async function refuse(context: PageContext, status: number): Promise<PageReply> {
    const { shopDomain } = context;
    if (!shopDomain) {
      const look = lookOf(context, pathDecides);
      return pageReply(status, look, deadLinkPage(look, 'invalidTitle', invalidPath));
    }
    const { merchantId } = shopDomain;
    const [merchant, brand] = await Promise.all([deps.merchantOf(merchantId), deps.brandOf(merchantId)]);
    const look = lookOf(context, pathDecides, brand);
    return pageReply(status, look, deadLinkPage(look, 'invalidTitle', invalidPath, merchant && shopOf(merchant)));
  }

  /**
   * Only at the entry may the browser decide the language; everywhere else the path repeats what was decided there.
   */
  async function find(
    context: PageContext,
    { isEntrance = false, isLetIn = () => false }: AboutOptions,
  ): Promise<FoundPage | Elsewhere | undefined> {
    const id = context.params['id'] ?? '';
    if (!isId(id)) return undefined;
    // The version is read before the rest: if the checkout changes in between, the page is newer than its version says,
    // and looks again.
    const [checkout, versions] = await Promise.all([
      findPublicCheckout(deps.db, id),
      findCheckoutVersions(deps.db, [id]),
    ]);
    if (!checkout || !(checkout.type === 'HOSTED' || isLetIn(checkout, context))) return undefined;
    const { merchantId, customerId } = checkout;
    const placement = brandPlacement(deps.domains, context.shopDomain, merchantId);
    if (placement === 'hidden') return undefined;
    if (typeof placement === 'object') return placement;
    const [dossier, merchant, brand, contact, buyer, chosenAgain] = await Promise.all([
      findDossier(deps.db, merchantId, id),
      deps.merchantOf(merchantId),
      placement === 'branded' ? deps.brandOf(merchantId) : undefined,
      findContact(deps.db, checkout),
      customerId === null ? null : findBuyer(deps.db, checkout),
      findChosenAgain(deps.db, checkout),
    ]);
    const shop = present(merchant, `merchant ${merchantId}`);
    const found = present(dossier, `checkout ${id}`);
    const now = deps.clock.now();
    const wayBack = await findWayBack(deps, found, now);
    const keptPlace = await findKeptPlace(deps.db, found.checkout, found.commitments.at(-1)?.committedAt, now);
    const view = {
      now,
      chosenAgain,
      place: readPlace(context.query),
      quotes: offeredQuotes(deps, shop, found, now),
    };
    const isGone = customerId !== null && buyer === null;
    const erasedAt = isGone ? await customerErasedAt(deps.db, merchantId, customerId) : null;
    const surroundings = { merchant: shop, contact, buyer, wayBack, erasedAt, keptPlace };
    const shown = publicCheckout(deps, found, surroundings, view);
    const networks = [...new Set(shown.payments.filter((each) => !each.isConfirmed).map(({ network }) => network))];
    return {
      dossier: found,
      surroundings,
      shown,
      look: lookOf(context, isEntrance ? checkout.language : pathDecides, brand, shop),
      // Only what is hosted has a version, and only its page is alive.
      live: { version: liveVersion(versions.get(id) ?? '', networks, deps.health), networks },
    };
  }

  return {
    about(answer, options = {}) {
      return async (context) => {
        if (context.method === 'POST' && isCrossSite(context)) return refuse(context, 403);
        const found = await find(context, options);
        if (!found) return refuse(context, 404);
        return 'redirectTo' in found ? sendElsewhere(found, context) : answer(found, context);
      };
    },
    invalid: (context) => refuse(context, 404),
  };
}

/** Its name, and the URL that the account gave for customers who come back, if any. */
function shopOf(merchant: PageMerchant): { name: string; href: string | null } {
  const setting = (name: 'shopName' | 'cancelUrl' | 'returnUrl') => pageSetting({ payload: {} }, merchant, name);
  const href = URL.parse(setting('cancelUrl') ?? setting('returnUrl') ?? '');
  return {
    name: setting('shopName') ?? merchant.name,
    href: /^https?:$/.test(href?.protocol ?? '') ? String(href) : null,
  };
}

/** The domain that the customer's address bar shows. */
export const domainOf = ({ shopDomain, headers }: PageContext): string | null =>
  shopDomain?.domain ?? (String(headers['host'] ?? '').slice(0, 100) || null);

/** The path decides the language unless the checkout's is `auto`: any other value does. */
const pathDecides = 'en';

/**
 * A form on another site's page. The browser says so itself (Fetch Metadata). Origin would not help, because a page
 * without referrer posts with `Origin: null`, and the brand container changes the host.
 */
export function isCrossSite({ headers }: PageContext): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

export const backToPage = ({ shown, look }: FoundPage): PageReply => ({
  status: 303,
  headers: { location: checkoutPath(look.language, shown), 'cache-control': 'no-store' },
});

/** A form of the page. Whoever opens its address, from the history or by a reload, gets the page that it is on. */
export const formRoutes = (
  { about }: PageFinder,
  { path, answer }: { readonly path: string; readonly answer: Answer },
): Route[] => [
  pageRoute({ methods: ['POST'], path, handle: about(answer) }),
  pageRoute({ methods: ['GET'], path, handle: about((found) => backToPage(found)) }),
];
