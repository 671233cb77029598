/** The hosted payment page and its ways in and out. */
import { findNetwork } from '../catalog/network-catalog.ts';
import { commitCheckout, demandOffered } from '../checkouts/commit-checkout.ts';
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import { GatewayError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { pageReply } from '../web/page-layout.ts';
import { plainPage } from '../web/plain-page.ts';
import { checkoutPage, methodsPage } from './checkout-page.ts';
import { backToPage, type FoundPage, type PageDeps, type PageFinder } from './find-page.ts';
import { readMethod } from './method-choice.ts';
import { pageSetting, shopUrl } from './page-setting.ts';
import type { SandboxPayer } from './sandbox-payer.ts';
import { sandboxView } from './sandbox-routes.ts';

export function checkoutPageRoutes(
  deps: PageDeps & { readonly sandbox: SandboxPayer | null },
  finder: PageFinder,
): Route[] {
  const { about, invalid } = finder;

  const leave = (setting: 'returnUrl' | 'cancelUrl') =>
    about(({ dossier, surroundings, look }) => {
      const location = shopUrl(pageSetting(dossier.checkout, surroundings.merchant, setting), dossier.checkout.id);
      if (location === null) return pageReply(200, look, plainPage(look, 'leaveTitle', 'leaveText'));
      return { status: 302, headers: { location, 'cache-control': 'no-store' } };
    });

  function commit({ dossier, surroundings: { merchant } }: FoundPage, network: string, asset: string | undefined) {
    return commitCheckout(deps, merchant, { checkoutId: dossier.checkout.id, network, asset, remember: null });
  }

  /**
   * Whoever pays by a network that another one goes together with gets a target there too where that one is offered, so
   * that one code serves both kinds of wallets: an invoice of Lightning besides an address of Bitcoin. It comes first,
   * because the last commitment is the one that the checkout is about. A node that is away does not stand in the way.
   */
  async function addJoint(found: FoundPage, jointWith: string, log: Log): Promise<void> {
    const { shown } = found;
    if (shown.payments.length > 0 || !shown.methods.some(({ network }) => network === jointWith)) return;
    try {
      await commit(found, jointWith, undefined);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      log.warn({ err: error, checkoutId: shown.id }, 'no target for the link that serves both kinds of wallets');
    }
  }

  async function choose(found: FoundPage, { rawBody, log }: PageContext): Promise<PageReply> {
    const { dossier, look, shown } = found;
    if (!canChoose.has(dossier.checkout.state)) return backToPage(found);
    const { network, asset } = readMethod(new URLSearchParams(rawBody.toString('utf8')));
    try {
      const jointWith = findNetwork(network)?.jointWith;
      if (jointWith !== undefined) {
        demandOffered(deps, found.surroundings.merchant, dossier, { network, asset }); // Or the other alone were chosen.
        await addJoint(found, jointWith, log);
      }
      const { commitment } = await commit(found, network, asset);
      // An earlier commitment that still stands is given again, but it does not become the latest.
      const isEarlier = dossier.commitments.some(({ id }) => id === commitment.id);
      return backToPage(found, isEarlier ? commitment.id : null);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      // A payment that was seen a moment ago has moved the checkout on: the page says so.
      if (error.code === 'cannot_commit') return backToPage(found);
      log.warn({ err: error, checkoutId: dossier.checkout.id }, 'a method chosen on the page is not available');
      const again = methodsPage(look, shown, { now: deps.clock.now(), isUnavailable: true });
      const reply = pageReply(error.httpStatus, look, again);
      return { ...reply, headers: { ...reply.headers, ...error.headers } };
    }
  }

  const show = ({ look, shown, live }: FoundPage, { query }: PageContext): PageReply => {
    const rendering = { sandbox: sandboxView(deps.sandbox, shown, query['sandbox'] === 'failed') };
    return pageReply(200, look, checkoutPage(look, shown, { now: deps.clock.now(), live, rendering }));
  };

  return [
    pageRoute({ methods: ['GET'], path: '/:lang/checkout/:id', handle: about(show, { isEntrance: true }) }),
    pageRoute({
      methods: ['GET'],
      path: '/:lang/checkout/:id/methods',
      handle: about((found) => {
        const { shown, look } = found;
        if (!canChoose.has(shown.state)) return backToPage(found);
        return pageReply(200, look, methodsPage(look, shown, { now: deps.clock.now(), isUnavailable: false }));
      }),
    }),
    pageRoute({ methods: ['POST'], path: '/:lang/checkout/:id/commit', handle: about(choose) }),
    pageRoute({ methods: ['GET'], path: '/:lang/checkout-invalid', handle: invalid }),
    // Only a redirect: whoever follows a link, or a browser that fetches it ahead, must not cancel anything.
    pageRoute({ methods: ['GET'], path: '/:lang/cancel-hosted-checkout/:id', handle: leave('cancelUrl') }),
    pageRoute({ methods: ['GET'], path: '/:lang/return-from-hosted-checkout/:id', handle: leave('returnUrl') }),
  ];
}

const canChoose: ReadonlySet<string> = new Set(['CREATED', 'PENDING', 'EXPIRED', 'CANCELED']);
