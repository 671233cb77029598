/**
 * The pages of payment links. To look at one makes nothing, whoever looks: a person, a robot, a preview in a chat. Only its
 * form makes a checkout, and so does a button on any other page, since nothing but a checkout that nobody has to pay can
 * come of it: no cookie and no session plays a part.
 */
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import { present } from '../lib/assert.ts';
import { GatewayError } from '../lib/errors.ts';
import { isId, newId } from '../lib/ids.ts';
import type { BrandDomains } from '../merchants/brand-domains.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { decimal } from '../money/decimal.ts';
import { readLinkAmount, type SentToLink } from '../payment-links/link-amount.ts';
import { demandPayable, type PayLinkDeps, payLink } from '../payment-links/pay-link.ts';
import { paymentLinkPath } from '../payment-links/payment-link-record.ts';
import { findPublicPaymentLink } from '../payment-links/payment-link-store.ts';
import { pageBrand } from '../web/page-brand.ts';
import { checkoutPath, pageLanguage, queryOf } from '../web/page-language.ts';
import { createLook, type PageLook, pageReply } from '../web/page-layout.ts';
import { deadLinkPage, invalidPath } from '../web/plain-page.ts';
import { brandPlacement, type Elsewhere, sendElsewhere } from './brand-placement.ts';
import { domainOf, type ShopLookDeps } from './find-page.ts';
import { amountSentence, type LinkPlace, type LinkProblem, linkEndPage, linkPage, linkPathIn } from './link-page.ts';

export type LinkPageDeps = PayLinkDeps &
  Omit<ShopLookDeps, 'merchantOf'> & {
    readonly domains: BrandDomains;
    readonly merchantOf: (merchantId: string) => Promise<Merchant | undefined>;
  };

type Opened = { readonly look: PageLook; readonly place: LinkPlace; readonly sent: SentToLink };

export function linkPageRoutes(deps: LinkPageDeps): Route[] {
  function lookOf(context: PageContext): PageLook {
    const language = pageLanguage({
      inPath: context.params['lang'] ?? 'en',
      ofCheckout: 'auto',
      chosen: context.query['language'],
      acceptLanguage: context.headers['accept-language'],
    });
    return createLook(language, { ...deps, domain: domainOf(context) });
  }

  /** What a form sends counts before what stands in the address that it is sent to. */
  async function open(context: PageContext, form: URLSearchParams): Promise<Opened | Elsewhere | undefined> {
    const id = context.params['id'] ?? '';
    const link = isId(id) ? await findPublicPaymentLink(deps.db, id) : undefined;
    if (!link) return undefined;
    const placement = brandPlacement(deps.domains, context.shopDomain, link.merchantId);
    if (placement === 'hidden') return undefined;
    // A button makes its checkout wherever it is pressed; the checkout's own page goes to where it belongs.
    if (typeof placement === 'object' && context.method !== 'POST') return placement;
    const [merchant, brand] = await Promise.all([
      deps.merchantOf(link.merchantId),
      placement === 'plain' ? undefined : deps.brandOf(link.merchantId),
    ]);
    const given = (name: string): string => form.get(name) ?? String(context.query[name] ?? '');
    const sent = { amount: given('amount'), reference: given('reference'), signature: given('signature') };
    return {
      look: { ...lookOf(context), brand: pageBrand(brand) },
      place: {
        link,
        merchant: present(merchant, `merchant ${link.merchantId}`),
        signed: link.asks.kind === 'signed' ? sent : {},
      },
      sent,
    };
  }

  const missing = (context: PageContext): PageReply => {
    const look = lookOf(context);
    return pageReply(404, look, deadLinkPage(look, 'invalidTitle', invalidPath));
  };

  /** Once more with what is wrong, or why nothing can be paid here. */
  function refusal({ look, place, sent }: Opened, error: unknown): PageReply {
    if (!(error instanceof GatewayError)) throw error;
    const end = linkEndPage(look, place, error.code);
    const problem = { typed: sent.amount.slice(0, 40), sentence: amountSentence(look, place.link, error) };
    const reply = pageReply(error.httpStatus, look, end ?? formPage({ look, place, sent }, problem));
    return { ...reply, headers: { ...reply.headers, ...error.headers } };
  }

  function formPage({ look, place, sent }: Opened, problem: LinkProblem | null) {
    const { link } = place;
    const asked = link.asks.kind === 'open' ? { amount: null, reference: null } : readLinkAmount(deps, link, sent);
    const amount = asked.amount === null ? null : decimal(asked.amount);
    return linkPage(look, place, { amount, reference: asked.reference, form: newId(), problem });
  }

  async function show(context: PageContext): Promise<PageReply> {
    const opened = await open(context, new URLSearchParams());
    if (!opened) return missing(context);
    if ('redirectTo' in opened) return sendElsewhere(opened, context);
    const { look, place } = opened;
    try {
      await demandPayable(deps.db, place.merchant, place.link, deps.clock.now());
      return pageReply(200, look, formPage(opened, null));
    } catch (error) {
      return refusal(opened, error);
    }
  }

  async function pay(context: PageContext): Promise<PageReply> {
    const form = new URLSearchParams(context.rawBody.toString('utf8'));
    const opened = await open(context, form);
    if (!opened || 'redirectTo' in opened) return missing(context);
    const { look, place, sent } = opened;
    // A button that leaves the amount to the payer: the page asks.
    if (place.link.asks.kind === 'open' && sent.amount === '') return seeOther(linkPathIn(look.language, place));
    const name = form.get('form') ?? '';
    try {
      const id = await payLink(deps, place.merchant, place.link, { ...sent, form: isId(name) ? name : null });
      return seeOther(checkoutPath(look.language, { id, language: 'auto' }));
    } catch (error) {
      return refusal(opened, error);
    }
  }

  /** To the page in the reader's language. */
  const enter = ({ params, query }: PageContext): PageReply => ({
    status: 302,
    headers: { location: `${paymentLinkPath(params['id'] ?? '')}${queryOf({ query })}`, 'cache-control': 'no-store' },
  });

  const path = '/:lang/checkout/pay/:id';
  return [
    pageRoute({ methods: ['GET'], path, handle: show }),
    pageRoute({ methods: ['POST'], path, handle: pay }),
    pageRoute({ methods: ['GET'], path: '/pay/:id', handle: enter }),
    pageRoute({ methods: ['POST'], path: '/pay/:id', handle: pay }),
  ];
}

const seeOther = (location: string): PageReply => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store' },
});
