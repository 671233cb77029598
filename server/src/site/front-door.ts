/**
 * Where a request for a page came in: at our own domain, or through a container on a merchant's. The container says so
 * with its branding key and the host that was asked for, and is believed only when the key was made for that host.
 *
 * A wrong key is refused and not ignored: a shop whose key was revoked should notice at once. The host alone means
 * nothing, and is ignored. Whoever has a key can ask here, from wherever: that says nothing about who runs the domain.
 */

import type { PageContext, PageReply, PageRoute, Route } from '../http/route.ts';
import { addressKind } from '../lib/public-address.ts';
import type { BrandDomain } from '../merchants/brand-domain-store.ts';
import type { BrandDomains } from '../merchants/brand-domains.ts';
import { framedBy } from '../web/page-framing.ts';
import { costOf, type LimitDeps, refuseTooMany } from '../web/page-limits.ts';
import { isForwarded } from './forwarded-paths.ts';

export type FrontDoorDeps = LimitDeps & { readonly domains: BrandDomains };

type Handle = PageRoute['handle'];

export function createFrontDoor(deps: FrontDoorDeps): {
  behind(route: Pick<PageRoute, 'methods' | 'cost' | 'handle'>): Handle;
  allBehind(routes: readonly Route[]): Route[];
  /** What is answered in place of a page that was not asked for its answer: framed where that page may be. */
  framed(context: PageContext, reply: PageReply): PageReply;
} {
  const behind =
    (route: Pick<PageRoute, 'methods' | 'cost' | 'handle'>): Handle =>
    async (context) => {
      const serve = async (admitted: PageContext): Promise<PageReply> =>
        (await refuseTooMany(deps, costOf(route, admitted), admitted)) ?? route.handle(admitted);
      if (context.headers['x-ws-branding-key'] === undefined) return serve(context);
      const domain = domainOf(context);
      if (!domain) return (await refuseTooMany(deps, 'file', context)) ?? refused(context.path);
      if (!isForwarded(context.path)) return { status: 404, headers: plain, body: 'Not found.\n' };
      const reply = await serve({ ...context, ...customerBehind(context, domain), shopDomain: domain });
      return framedBy(reply, domain.framedBy);
    };

  const domainOf = ({ headers }: PageContext): BrandDomain | undefined => {
    const key = headers['x-ws-branding-key'];
    return key === undefined
      ? undefined
      : deps.domains.spokenFor(String(key), String(headers['x-forwarded-for-hostname'] ?? ''));
  };

  return {
    behind,
    framed(context, reply) {
      const domain = domainOf(context);
      return domain ? framedBy(reply, domain.framedBy) : reply;
    },
    allBehind: (routes) => routes.map((route) => (route.kind === 'page' ? { ...route, handle: behind(route) } : route)),
  };
}

const plain = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

function refused(path: string): PageReply {
  const sentence = 'The branding key is not valid for this domain.';
  if (!path.startsWith('/api/')) return { status: 403, headers: plain, body: `${sentence}\n` };
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  return { status: 403, headers, body: JSON.stringify({ errors: [sentence] }) };
}

/**
 * The customer's address as the container tells it: the nearest public one. Never an address before that one, which the
 * customer may have invented. It carries the merchant, because a merchant could invent addresses and must not use up what
 * others are allowed.
 */
function customerBehind(
  { toldHops, address }: PageContext,
  { merchantId }: BrandDomain,
): Pick<PageContext, 'address' | 'crowd'> {
  const behind = toldHops.slice(0, toldHops.findLastIndex((hop) => hop !== address) + 1);
  const customer = behind.findLast((hop) => addressKind(hop) === 'public') ?? behind.at(-1) ?? address;
  return { address: `${customer} at ${merchantId}`, crowd: 1 };
}
