/** How the house is: pages that only show. */
import { accountReply } from '../account/frame/account-layout.ts';
import { knownCurrencies } from '../catalog/known-currencies.ts';
import { createEventStreams } from '../http/event-streams.ts';
import { namesOfMerchants } from '../merchants/merchant-name-store.ts';
import { loadRates } from '../pricing/rate-store.ts';
import { waitingPayouts } from '../sending/waiting-payout-store.ts';
import { configurationPage } from './configuration-page.ts';
import { findHouse, findNetworks, needsFor } from './house-facts.ts';
import { houseNewsPath } from './house-news.ts';
import { networksPage } from './networks-page.ts';
import type { OperatorPageDeps } from './operator-area.ts';
import { createOperatorRoutes, type OperatorRoute } from './operator-route.ts';
import { overviewPage } from './overview-page.ts';
import { type RatesFacts, ratesPage } from './rates-page.ts';
import { sendingPage } from './sending-page.ts';

const access = { may: 'seeHouse' } as const;
const payoutsShown = 500;

export function houseRoutes(deps: OperatorPageDeps): OperatorRoute[] {
  const operatorRoute = createOperatorRoutes(deps);
  const openStream = createEventStreams();
  const { db, houseNews } = deps;
  return [
    operatorRoute({
      method: 'GET',
      path: '/operator',
      access,
      async handle({ look }) {
        const news = await houseNews.pageNews();
        const facts = await findHouse(deps);
        const seen = { ...look, waiting: needsFor(facts.needs, look.staffMay).length };
        return accountReply(200, seen, overviewPage(deps, seen, facts, news));
      },
    }),
    operatorRoute({
      method: 'GET',
      path: '/operator/sending',
      access,
      async handle({ look, now }) {
        const news = await houseNews.pageNews();
        // What should get on is shown first, however much waits for others.
        const [moving, resting] = await Promise.all(
          [true, false].map((isMoving) => waitingPayouts(db, { before: null, isMoving, limit: payoutsShown })),
        );
        const payouts = [...(moving ?? []), ...(resting ?? [])].slice(0, payoutsShown);
        const merchants = await namesOfMerchants(db, [...new Set(payouts.map(({ merchantId }) => merchantId))]);
        const facts = { payouts, isAll: payouts.length < payoutsShown, now, merchants, news };
        return accountReply(200, look, sendingPage(deps, look, facts));
      },
    }),
    operatorRoute({
      method: 'GET',
      path: '/operator/networks',
      access,
      async handle({ look, now }) {
        const news = await houseNews.pageNews();
        return accountReply(200, look, networksPage(look, { networks: await findNetworks(deps), now, news }));
      },
    }),
    operatorRoute({
      method: 'GET',
      path: '/operator/rates',
      access,
      async handle({ look }) {
        const news = await houseNews.pageNews();
        return accountReply(200, look, ratesPage(look, { ...(await findRates(deps)), news }));
      },
    }),
    operatorRoute({
      method: 'GET',
      path: '/operator/configuration',
      access: { may: 'seeConfiguration' },
      handle: ({ look }) => accountReply(200, look, configurationPage(look, deps.shownSettings)),
    }),
    operatorRoute({
      method: 'GET',
      path: houseNewsPath,
      access,
      cost: 'news',
      async handle({ request, signedIn }) {
        if (!String(request.headers['accept'] ?? '').includes('text/event-stream'))
          return {
            status: 200,
            headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
            body: await houseNews.version(),
          };
        return openStream(request, ({ send, end }) =>
          houseNews.listen({ session: signedIn.session, onVersion: send, onEnd: end }),
        );
      },
    }),
  ];
}

/** The rates that quotes are made with, and of each source how much it knows. */
async function findRates({ db, rates, assets, rateSources }: OperatorPageDeps): Promise<Omit<RatesFacts, 'news'>> {
  const observed = await loadRates(db, rateSources);
  const credited = new Set(assets.assets.map(({ currencyCode }) => currencyCode));
  const shown = knownCurrencies
    .filter(({ code, isBilled }) => isBilled || credited.has(code))
    .map(({ code, name, type }) => ({ code, name, type, rate: rates.rate(code) }));
  const sources = rateSources.map((name) => {
    const own = observed.filter(({ source }) => source === name);
    const newest = own.reduce<Date | null>(
      (most, { observedAt }) => (most === null || observedAt > most ? observedAt : most),
      null,
    );
    return { name, prices: own.length, newest };
  });
  return {
    sources,
    coins: shown.filter(({ type }) => type === 'CRYPTO'),
    currencies: shown.filter(({ type }) => type !== 'CRYPTO'),
  };
}
