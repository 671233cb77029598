/** The hosted payment page and its ways in and out. The checkout's id in the path is all that a customer has. */
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { findDossier, findPublicCheckout } from '../checkouts/checkout-store.ts';
import { type CommitDeps, commitCheckout } from '../checkouts/commit-checkout.ts';
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import { present } from '../lib/assert.ts';
import { GatewayError } from '../lib/errors.ts';
import { isId } from '../lib/ids.ts';
import { NetworkError } from '../networks/port.ts';
import { checkoutPage, methodsPage } from './checkout-page.ts';
import { checkoutPath, pageLanguage } from './page-language.ts';
import { type PageLook, pageReply } from './page-layout.ts';
import { pageSetting, shopUrl } from './page-setting.ts';
import { plainPage } from './plain-page.ts';
import { type PageMerchant, publicCheckout } from './public-checkout.ts';
import { type PageLanguage, sayIn } from './texts/page-texts.ts';

export type PageDeps = CommitDeps & {
  readonly merchantOf: (merchantId: string) => Promise<PageMerchant | undefined>;
  readonly isSandbox: boolean;
  readonly stylesheet: string;
};

type Found = {
  readonly dossier: CheckoutDossier;
  readonly merchant: PageMerchant;
  readonly look: PageLook;
  /** From the query: the commitment of an earlier choice. */
  readonly chosen: string;
};

export function checkoutPageRoutes(deps: PageDeps): Route[] {
  const lookIn = (language: PageLanguage): PageLook => ({
    language,
    say: sayIn(language),
    isSandbox: deps.isSandbox,
    stylesheet: deps.stylesheet,
  });

  function lookOf(context: PageContext, ofCheckout: string): PageLook {
    const acceptLanguage = context.headers['accept-language'];
    const chosen = context.query['language'];
    return lookIn(pageLanguage({ inPath: context.params['lang'] ?? '', ofCheckout, chosen, acceptLanguage }));
  }

  const invalid = (context: PageContext): PageReply =>
    pageReply(404, plainPage(lookOf(context, pathDecides), 'invalidTitle', 'invalidText'));

  /**
   * Only hosted checkouts have a page: the merchant of another one has not asked for it to be shown to anyone.
   * Only at the entrance may the browser decide the language; everywhere else the path repeats what was decided there.
   */
  async function find(context: PageContext, isEntrance: boolean): Promise<Found | undefined> {
    const id = context.params['id'] ?? '';
    const checkout = isId(id) ? await findPublicCheckout(deps.db, id) : undefined;
    if (checkout?.type !== 'HOSTED') return undefined;
    const [dossier, merchant] = await Promise.all([
      findDossier(deps.db, checkout.merchantId, id),
      deps.merchantOf(checkout.merchantId),
    ]);
    return {
      dossier: present(dossier, `checkout ${id}`),
      merchant: present(merchant, `merchant ${checkout.merchantId}`),
      chosen: String(context.query['pay'] ?? ''),
      look: lookOf(context, isEntrance ? checkout.language : pathDecides),
    };
  }

  const shown = ({ dossier, merchant, chosen }: Found) =>
    publicCheckout(deps, dossier, merchant, { now: deps.clock.now(), chosen });

  /** Handles a request about a checkout; one that does not exist is answered alike everywhere. */
  const about = (
    answer: (found: Found, context: PageContext) => Promise<PageReply> | PageReply,
    { isEntrance = false } = {},
  ) => {
    return async (context: PageContext): Promise<PageReply> => {
      const found = await find(context, isEntrance);
      return found ? answer(found, context) : invalid(context);
    };
  };

  const backToPage = ({ dossier, look }: Found, chosen: string | null = null): PageReply => ({
    status: 303,
    headers: { location: checkoutPath(look.language, { ...dossier.checkout, chosen }), 'cache-control': 'no-store' },
  });

  const leave = (setting: 'returnUrl' | 'cancelUrl') =>
    about(({ dossier, merchant, look }) => {
      const location = shopUrl(pageSetting(dossier.checkout, merchant, setting), dossier.checkout.id);
      if (location === null) return pageReply(200, plainPage(look, 'leaveTitle', 'leaveText'));
      return { status: 302, headers: { location, 'cache-control': 'no-store' } };
    });

  return [
    pageRoute({
      methods: ['GET'],
      path: '/:lang/checkout/:id',
      handle: about((found) => pageReply(200, checkoutPage(found.look, shown(found), deps.clock.now())), {
        isEntrance: true,
      }),
    }),
    pageRoute({
      methods: ['GET'],
      path: '/:lang/checkout/:id/methods',
      handle: about((found) => {
        const checkout = shown(found);
        if (!canChoose.has(checkout.state)) return backToPage(found);
        return pageReply(200, methodsPage(found.look, checkout, deps.clock.now(), { isUnavailable: false }));
      }),
    }),
    pageRoute({
      methods: ['POST'],
      path: '/:lang/checkout/:id/commit',
      handle: about(async (found, { rawBody, log }) => {
        const { dossier, merchant, look } = found;
        if (!canChoose.has(dossier.checkout.state)) return backToPage(found);
        const form = new URLSearchParams(rawBody.toString('utf8'));
        const committer = { id: merchant.id, highRiskAssets: new Set(merchant.highRiskAssets) };
        try {
          const { commitment } = await commitCheckout(deps, committer, {
            checkoutId: dossier.checkout.id,
            network: form.get('network') ?? '',
            asset: form.get('asset') ?? undefined,
          });
          // An earlier commitment that still stands is given again, but it does not become the latest.
          const isEarlier = dossier.commitments.slice(0, -1).some(({ id }) => id === commitment.id);
          return backToPage(found, isEarlier ? commitment.id : null);
        } catch (error) {
          if (!(error instanceof GatewayError || error instanceof NetworkError)) throw error;
          // A payment that was seen a moment ago has moved the checkout on: the page says so.
          if (error instanceof GatewayError && error.code === 'cannot_commit') return backToPage(found);
          log.warn({ err: error, checkoutId: dossier.checkout.id }, 'a method chosen on the page is not available');
          const status = error instanceof GatewayError ? error.httpStatus : 503;
          return pageReply(status, methodsPage(look, shown(found), deps.clock.now(), { isUnavailable: true }));
        }
      }),
    }),
    pageRoute({ methods: ['GET'], path: '/:lang/checkout-invalid', handle: invalid }),
    // Only a redirect: whoever follows a link, or a browser that fetches it ahead, must not cancel anything.
    pageRoute({ methods: ['GET'], path: '/:lang/cancel-hosted-checkout/:id', handle: leave('cancelUrl') }),
    pageRoute({ methods: ['GET'], path: '/:lang/return-from-hosted-checkout/:id', handle: leave('returnUrl') }),
  ];
}

/** Any language of a checkout but `auto`. */
const pathDecides = 'en';

const canChoose: ReadonlySet<string> = new Set(['CREATED', 'PENDING', 'EXPIRED', 'CANCELED']);
