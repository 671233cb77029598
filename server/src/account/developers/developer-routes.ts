/** Pages for who builds on the API and only look: requests that failed, a signed example. And the links of plugins. */
import { pageOf, readPageCursor } from '../../http/page-cursor.ts';
import { pageRoute, type Route } from '../../http/route.ts';
import { listKeys } from '../../merchants/api-key-store.ts';
import { listFailedRequests } from '../../merchants/failed-request-store.ts';
import { accountReply } from '../frame/account-layout.ts';
import { redirect } from '../frame/account-request.ts';
import { type AccountDeps, type AccountRoute, createAccountRoutes } from '../frame/account-route.ts';
import { deliveriesRoutes } from './deliveries-routes.ts';
import { keysPath, requestsPath, tryItPath } from './developer-parts.ts';
import { keysRoutes } from './keys-routes.ts';
import { requestsPage } from './requests-page.ts';
import { tryItPage } from './try-it-page.ts';

const rowsMax = 50;

export const developerRoutes = (deps: AccountDeps): AccountRoute[] => [
  ...keysRoutes(deps),
  ...deliveriesRoutes(deps),
  createAccountRoutes(deps)({
    method: 'GET',
    path: requestsPath,
    access: { may: 'chargeKeys' },
    async handle({ look, merchant, request }) {
      const { cursor } = request.query;
      const before = readPageCursor(typeof cursor === 'string' ? cursor : undefined);
      const [found, keys] = await Promise.all([
        listFailedRequests(deps.db, merchant.id, { before, limit: rowsMax + 1 }),
        listKeys(deps.db, merchant.id),
      ]);
      const { items, next } = pageOf(found, rowsMax);
      const keyNames = new Map(keys.filter(({ label }) => label !== '').map(({ apiKey, label }) => [apiKey, label]));
      const facts = { requests: items, next, isFirst: before === null, keyNames };
      return accountReply(200, look, requestsPage(look, facts));
    },
  }),
  createAccountRoutes(deps)({
    method: 'GET',
    path: tryItPath,
    access: { may: 'chargeKeys' },
    async handle({ look, merchant, request }) {
      const all = await listKeys(deps.db, merchant.id);
      const keys = all.filter(({ revokedAt, scopes }) => revokedAt === null && scopes.includes('charge'));
      const chosen = keys.find(({ apiKey }) => apiKey === request.query['key']) ?? keys[0];
      const method = merchant.isBasicAllowed ? merchant.preferredAuth : 'digest';
      return accountReply(200, look, tryItPage(look, { keys, chosen, publicUrl: deps.publicUrl, method }));
    },
  }),
];

/** Plugins lead their shopkeepers to `/en/api-settings`, in any language. */
export const apiSettingsRoute = ({ accountUrl }: Pick<AccountDeps, 'accountUrl'>): Route =>
  pageRoute({ methods: ['GET'], path: '/:lang/api-settings', handle: () => redirect(`${accountUrl}${keysPath}`) });
