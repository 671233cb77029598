/** The payer presses "send me the link": see `refunds/ask-back`. What was pressed says nothing but the checkout. */
import type { PageContext, PageReply, Route } from '../http/route.ts';
import { present } from '../lib/assert.ts';
import { GatewayError } from '../lib/errors.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { askBack } from '../refunds/ask-back.ts';
import type { RequestRefundDeps } from '../refunds/request-refund.ts';
import { backToPage, type FoundPage, formRoutes, type PageFinder } from './find-page.ts';
import type { WayBackProblem } from './public-way-back.ts';

export type AskBackDeps = RequestRefundDeps & {
  readonly merchantOf: (merchantId: string) => Promise<Merchant | undefined>;
  /** Without e-mail there is no way to send a link. */
  readonly sendsReceipts: boolean;
};

export function askBackRoutes(deps: AskBackDeps, finder: PageFinder): Route[] {
  async function ask(found: FoundPage, { log }: PageContext): Promise<PageReply> {
    const { merchantId, id: checkoutId } = found.dossier.checkout;
    if (found.shown.wayBack === null) return backWith(found);
    if (!deps.sendsReceipts) return backWith(found, 'shop');
    const merchant = present(await deps.merchantOf(merchantId), `merchant ${merchantId}`);
    try {
      await askBack(deps, merchant, { checkoutId, language: found.look.language });
      return backWith(found);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      // Somebody else was faster: the page shows what became of it.
      if (error.code === 'nothing_to_refund') return backWith(found);
      log.info({ err: error, checkoutId }, 'what a payer asked for back was not set aside');
      return backWith(found, problems.get(error.code) ?? 'later');
    }
  }
  return formRoutes(finder, { path: '/:lang/checkout/:id/ask-back', answer: ask });
}

/** Everything else passes: a node is away, the money is being exchanged, or its blocks are not deep enough yet. */
const problems: ReadonlyMap<string, WayBackProblem> = new Map([
  ['too_little_to_send', 'little'],
  ['cannot_send', 'shop'],
  ['no_trusted_email', 'shop'],
]);

function backWith(found: FoundPage, problem?: WayBackProblem): PageReply {
  const { headers = {}, ...reply } = backToPage(found);
  const location = headers['location'] ?? '';
  const query = problem === undefined ? '' : `${location.includes('?') ? '&' : '?'}back=${problem}`;
  return { ...reply, headers: { ...headers, location: `${location}${query}#way-back` } };
}
