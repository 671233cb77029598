/**
 * How an open page learns of changes: by a stream of server-sent events, or by asking now and then if a proxy does not
 * let streams through. Both say only *that* something changed; the page then fetches itself.
 */
import { countedAddress } from '../http/client-address.ts';
import { createEventStreams } from '../http/event-streams.ts';
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import { isId } from '../lib/ids.ts';
import type { CheckoutFeed } from './checkout-feed.ts';

export function liveRoutes({
  feed,
  isShownAt,
}: {
  readonly feed: CheckoutFeed;
  /** Whether a merchant's own domain may tell anything about this checkout. */
  readonly isShownAt: (shopDomain: NonNullable<PageContext['shopDomain']>, checkoutId: string) => Promise<boolean>;
}): Route[] {
  const openStream = createEventStreams();

  const isKnown = async ({ shopDomain }: PageContext, id: string): Promise<boolean> =>
    isId(id) && (shopDomain === undefined || (await isShownAt(shopDomain, id)));

  async function events(context: PageContext): Promise<PageReply> {
    const { params, query, address } = context;
    const checkoutId = params['id'] ?? '';
    if (!(await isKnown(context, checkoutId))) return notFound;
    return openStream(context, (stream) =>
      feed.watch({
        checkoutId,
        address: countedAddress(address),
        networks: networksIn(query),
        onVersion: stream.send,
        onGone: stream.end,
      }),
    );
  }

  async function version(context: PageContext): Promise<PageReply> {
    const { params, query } = context;
    const id = params['id'] ?? '';
    const found = (await isKnown(context, id)) ? await feed.version(id, networksIn(query)) : null;
    if (found === null) return notFound;
    return {
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
      body: found,
    };
  }

  return [
    pageRoute({ methods: ['GET'], path: '/ajax/checkout/:id/events', cost: 'news', handle: events }),
    pageRoute({ methods: ['GET'], path: '/ajax/checkout/:id/version', cost: 'news', handle: version }),
  ];
}

const notFound: PageReply = { status: 404, headers: { 'cache-control': 'no-store' } };

const networksMax = 8;

/** Networks whose newest block is news too. */
export const networksIn = (query: PageContext['query']): string[] =>
  String(query['tips'] ?? '')
    .split(',')
    .filter((network) => /^[A-Z]{1,20}$/.test(network))
    .slice(0, networksMax);
