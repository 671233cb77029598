/** The routes of the hosted payment page: into it, the choice of a method, and back to the shop. */
import { findNetwork } from '../catalog/network-catalog.ts';
import { chooseAgain } from '../checkouts/choose-again.ts';
import { type CommitDeps, prepareCommit } from '../checkouts/commit-checkout.ts';
import { saveContactLanguage } from '../checkouts/contact-store.ts';
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import { GatewayError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { checkoutPath } from '../web/page-language.ts';
import { pageReply } from '../web/page-layout.ts';
import { plainPage } from '../web/plain-page.ts';
import { checkoutPage, methodsPage } from './checkout-page.ts';
import { backToPage, type FoundPage, formRoutes, type PageFinder } from './find-page.ts';
import { readMethod } from './method-choice.ts';
import { pageSetting, shopUrl } from './page-setting.ts';
import type { PublicCheckout } from './public-checkout.ts';
import { readProblem } from './public-way-back.ts';
import type { SandboxPayer } from './sandbox-payer.ts';
import { sandboxView } from './sandbox-routes.ts';

export function checkoutPageRoutes(
  deps: CommitDeps & { readonly sandbox: SandboxPayer | null },
  finder: PageFinder,
): Route[] {
  const { about, invalid } = finder;

  const leave = (setting: 'returnUrl' | 'cancelUrl') =>
    about(({ dossier, surroundings, look }) => {
      const location = shopUrl(pageSetting(dossier.checkout, surroundings.merchant, setting), dossier.checkout.id);
      if (location === null) return pageReply(200, look, plainPage(look, 'leaveTitle', 'leaveText'));
      return { status: 302, headers: { location, 'cache-control': 'no-store' } };
    });

  function prepare({ dossier, surroundings: { merchant } }: FoundPage, network: string, asset: string | undefined) {
    return prepareCommit(deps, merchant, { checkoutId: dossier.checkout.id, network, asset, remember: null });
  }

  /**
   * If the chosen network has a joint network that is offered, the customer gets a target there too, so that the page
   * serves both kinds of wallets: a Lightning invoice beside a Bitcoin address. It is committed before the chosen one,
   * because the last commitment is the one that the checkout shows. If its node is away, we go on without it.
   */
  async function addJoint(found: FoundPage, jointWith: string, log: Log): Promise<void> {
    const { shown } = found;
    const isOffered = shown.coins.some(({ ways }) => ways.some(({ network }) => network === jointWith));
    if (shown.payments.length > 0 || !isOffered) return;
    try {
      const store = await prepare(found, jointWith, undefined);
      await store();
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      log.warn({ err: error, checkoutId: shown.id }, 'no target on the joint network');
    }
  }

  async function choose(found: FoundPage, { rawBody, log }: PageContext): Promise<PageReply> {
    const { dossier, look, shown, live } = found;
    if (!canChoose(shown)) return backToPage(found);
    const { network, asset } = readMethod(new URLSearchParams(rawBody.toString('utf8')));
    try {
      const store = await prepare(found, network, asset);
      const jointWith = findNetwork(network)?.jointWith;
      if (jointWith !== undefined) await addJoint(found, jointWith, log);
      const { commitment } = await store();
      const isEarlier = dossier.commitments.some(({ id }) => id === commitment.id);
      if (isEarlier) await chooseAgain(deps, dossier.checkout, commitment);
      // Mails to the customer whom the shop linked are written in it.
      if (dossier.checkout.customerId !== null)
        await saveContactLanguage(deps.db, dossier.checkout, look.language, deps.clock.now());
      return backToPage(found);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      // A payment seen a moment ago has changed the state: the page shows that.
      if (error.code === 'cannot_commit') return backToPage(found);
      if (error.code === 'payment_link_used_up') return usedUp(found, error);
      log.warn({ err: error, checkoutId: dossier.checkout.id }, 'a method chosen on the page is not available');
      const again = methodsPage(look, shown, { now: deps.clock.now(), live, isUnavailable: true });
      const reply = pageReply(error.httpStatus, look, again);
      return { ...reply, headers: { ...reply.headers, ...error.headers } };
    }
  }

  const show = ({ look, shown, live }: FoundPage, { query }: PageContext): PageReply => {
    const rendering = {
      sandbox: sandboxView(deps.sandbox, shown, query['sandbox'] === 'failed'),
      wayBackProblem: readProblem(query['back']),
    };
    return pageReply(200, look, checkoutPage(look, shown, { now: deps.clock.now(), live, rendering }));
  };

  return [
    pageRoute({ methods: ['GET'], path: '/:lang/checkout/:id', handle: about(show, { isEntrance: true }) }),
    pageRoute({
      methods: ['GET'],
      path: '/:lang/checkout/:id/methods',
      handle: about((found) => {
        const { shown, look, live } = found;
        if (!canChoose(shown)) return backToPage(found);
        return pageReply(200, look, methodsPage(look, shown, { now: deps.clock.now(), live, isUnavailable: false }));
      }),
    }),
    ...formRoutes(finder, { path: '/:lang/checkout/:id/commit', answer: choose }),
    pageRoute({ methods: ['GET'], path: '/:lang/checkout-invalid', handle: invalid }),
    // Only a redirect: a person who follows a link, or a browser that loads it early, must not cancel anything.
    pageRoute({ methods: ['GET'], path: '/:lang/cancel-hosted-checkout/:id', handle: leave('cancelUrl') }),
    pageRoute({ methods: ['GET'], path: '/:lang/return-from-hosted-checkout/:id', handle: leave('returnUrl') }),
  ];
}

/** It came of a link that can be paid only so often, and others chose a way to pay before. */
function usedUp({ look, shown }: FoundPage, { httpStatus }: GatewayError): PageReply {
  const page = plainPage(look, 'linkUsedUpTitle', 'linkUsedUpText', {
    shop: { name: shown.shopName, href: null },
    inLanguage: (language) => checkoutPath(language, shown),
  });
  return pageReply(httpStatus, look, page);
}

const choosing: ReadonlySet<string> = new Set(['CREATED', 'PENDING', 'EXPIRED', 'CANCELED']);
const canChoose = ({ state, isSuspended }: PublicCheckout): boolean => !isSuspended && choosing.has(state);
