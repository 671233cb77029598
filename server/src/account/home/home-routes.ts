/** Home. */
import type { LetGoDeps } from '../../wallets/let-transfer-go.ts';
import { accountReply } from '../frame/account-layout.ts';
import { type AccountRoute, createAccountRoutes } from '../frame/account-route.ts';
import { createHomeLooks, findHome, type HomeDeps } from './home-facts.ts';
import { homePage } from './home-page.ts';

export function homeRoutes(deps: HomeDeps & LetGoDeps): AccountRoute[] {
  const looks = createHomeLooks(deps.clock);
  return [
    createAccountRoutes(deps)({
      method: 'GET',
      path: '/account',
      access: { may: 'seeCheckouts' },
      async handle({ look, merchant, now }) {
        const news = await deps.news.pageNews(merchant.id);
        const facts = await findHome(deps, looks, { look, merchant, now, version: news.version });
        const seen = { ...look, waiting: facts.needs.count };
        return accountReply(200, seen, homePage(deps, seen, facts, news));
      },
    }),
  ];
}
