/**
 * How an open page learns of changes: by a stream of server-sent events, or by asking now and then if a proxy does not
 * let streams through. Both say only *that* something changed; the page then fetches itself.
 */
import { Readable } from 'node:stream';
import { countedAddress } from '../http/client-address.ts';
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import { isId } from '../lib/ids.ts';
import type { CheckoutFeed } from './checkout-feed.ts';

/** Proxies close silent connections, mostly after a minute. */
const heartbeatMs = 20_000;

export function liveRoutes({
  feed,
  isShownAt,
}: {
  readonly feed: CheckoutFeed;
  /** Whether a merchant's own domain may tell anything about this checkout. */
  readonly isShownAt: (shopDomain: NonNullable<PageContext['shopDomain']>, checkoutId: string) => Promise<boolean>;
}): Route[] {
  const streams = new Set<Readable>();
  let heartbeat: NodeJS.Timeout | undefined;

  const endAll = (): void => streams.forEach((stream) => void stream.push(null));

  const isKnown = async ({ shopDomain }: PageContext, id: string): Promise<boolean> =>
    isId(id) && (shopDomain === undefined || (await isShownAt(shopDomain, id)));

  async function events(context: PageContext): Promise<PageReply> {
    const { params, query, address, closing } = context;
    const checkoutId = params['id'] ?? '';
    if (!(await isKnown(context, checkoutId))) return notFound;
    const stream = new Readable({ read: () => undefined });
    const end = feed.watch({
      checkoutId,
      address: countedAddress(address),
      networks: networksIn(query),
      onVersion: (version) => stream.push(`data: ${version}\n\n`),
      onGone: () => stream.push(null),
    });
    if (!end) return { status: 503, headers: { 'retry-after': '30', 'cache-control': 'no-store' } };

    streams.add(stream);
    heartbeat ??= setInterval(() => streams.forEach((each) => void each.push(':\n\n')), heartbeatMs).unref();
    closing.addEventListener('abort', endAll);
    stream.on('close', () => {
      end();
      streams.delete(stream);
      if (streams.size > 0) return;
      clearInterval(heartbeat);
      heartbeat = undefined;
    });
    stream.push('retry: 3000\n\n');
    return {
      status: 200,
      // The last one is for nginx, which would otherwise collect events before it sends them on.
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
      body: stream,
    };
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

const networksIn = (query: PageContext['query']): string[] =>
  String(query['tips'] ?? '')
    .split(',')
    .filter((network) => /^[A-Z]{1,20}$/.test(network))
    .slice(0, networksMax);
