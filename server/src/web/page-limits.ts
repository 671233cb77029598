/**
 * How often one address may ask for pages. A customer's own use (a page fetched every second for an hour) is far below;
 * so is a shop whose customers share one address. What costs us more has lower limits: a form may make a deposit
 * address or an invoice, a document takes a while to make.
 */

import { type Rate, type RateDecision, type RateLimiter, takeForAddress } from '../http/rate-limit.ts';
import type { PageContext, PageCost, PageReply, PageRoute } from '../http/route.ts';
import { pageLanguage } from './page-language.ts';
import { createLook, type PageLook, pageReply } from './page-layout.ts';
import { plainPage } from './plain-page.ts';

export const pageLimits: Readonly<Record<Exclude<PageCost, 'free'>, Rate>> = {
  file: { capacity: 3_000, perSecond: 300 },
  news: { capacity: 2_000, perSecond: 200 },
  page: { capacity: 1_000, perSecond: 100 },
  form: { capacity: 150, perSecond: 3 },
  document: { capacity: 60, perSecond: 0.5 },
};

/** All customers of one merchant's domain count together too: its container could report invented addresses. */
const domainCrowd = 50;

export type LimitDeps = Pick<PageLook, 'isSandbox' | 'files'> & { readonly rateLimiter: RateLimiter | null };

export const costOf = ({ cost, methods }: Pick<PageRoute, 'cost' | 'methods'>, context: PageContext): PageCost => {
  if (typeof cost === 'function') return cost(context);
  return cost ?? (methods.includes('POST') ? 'form' : 'page');
};

/** Undefined: allowed. The address is where the request came from, or the one that a trusted container reports. */
export async function refuseTooMany(
  deps: LimitDeps,
  cost: PageCost,
  context: PageContext,
): Promise<PageReply | undefined> {
  const { rateLimiter: limiter } = deps;
  if (!limiter || cost === 'free') return undefined;
  const { shopDomain } = context;
  const take = (who: Pick<PageContext, 'address' | 'crowd'>) =>
    takeForAddress({ limiter }, cost, pageLimits[cost], who);
  const own = await take(context);
  if (!own.isAllowed) return refused(deps, cost, context, own);
  // Only after their own limit: whoever has used that up must not use up everybody's too.
  const all = shopDomain && (await take({ address: `at ${shopDomain.merchantId}`, crowd: domainCrowd }));
  return all && !all.isAllowed ? refused(deps, cost, context, all) : undefined;
}

const refused = (deps: LimitDeps, cost: PageCost, context: PageContext, { headers }: RateDecision): PageReply =>
  busyReply(deps, { cost, context }, { status: 429, headers });

/**
 * Who has to wait: of too many requests (429), or of too many documents and pictures that are being made (503). Files and news are
 * asked for by the browser and by scripts, which read only the status: they get no page.
 */
export function busyReply(
  deps: Pick<PageLook, 'isSandbox' | 'files'>,
  { cost, context }: { readonly cost: PageCost; readonly context: PageContext },
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
): PageReply {
  if (cost === 'file' || cost === 'news') return { status, headers: { ...headers, 'cache-control': 'no-store' } };
  const language = pageLanguage({
    inPath: context.params['lang'] ?? '',
    ofCheckout: 'auto',
    chosen: context.query['language'],
    acceptLanguage: context.headers['accept-language'],
  });
  const look = createLook(language, deps);
  const page =
    status === 429
      ? plainPage(look, 'busyTitle', 'busyText')
      : plainPage(look, 'manyDocumentsTitle', 'manyDocumentsText');
  const reply = pageReply(status, look, page);
  return { ...reply, headers: { ...reply.headers, ...headers } };
}
