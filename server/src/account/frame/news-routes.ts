/**
 * How an open page of the account learns that something happened: by a stream of events, or by asking now and then where a
 * proxy does not let streams through. Both say only *that*; the page then fetches itself, as whoever is signed in then.
 */
import { countedAddress } from '../../http/client-address.ts';
import { createEventStreams } from '../../http/event-streams.ts';
import { isId } from '../../lib/ids.ts';
import { networksIn } from '../../payment-page/live-routes.ts';
import { newsPath } from './account-news.ts';
import { type AccountDeps, type AccountRoute, createAccountRoutes } from './account-route.ts';

export function newsRoutes(deps: AccountDeps): AccountRoute[] {
  const openStream = createEventStreams();
  return [
    createAccountRoutes(deps)({
      method: 'GET',
      path: newsPath,
      access: { may: 'seeCheckouts' },
      cost: 'news',
      async handle({ request, merchant, role, signedIn }) {
        const { query, headers, address } = request;
        const id = String(query['checkout'] ?? '');
        const checkout = isId(id) ? { id, networks: networksIn(query) } : null;
        const asked = String(query['export'] ?? '');
        const topic = { merchantId: merchant.id, checkout, exportId: isId(asked) ? asked : null };
        if (!String(headers['accept'] ?? '').includes('text/event-stream'))
          return {
            status: 200,
            headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
            body: await deps.news.version(topic),
          };
        return openStream(request, ({ send, end }) =>
          deps.news.listen({
            ...topic,
            session: signedIn.session,
            role,
            address: countedAddress(address),
            onVersion: send,
            onEnd: end,
          }),
        );
      },
    }),
  ];
}
