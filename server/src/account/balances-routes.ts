/** What the account holds. */
import { listEntries } from '../wallets/list-entries.ts';
import { readWallet, readWallets, totalValue } from '../wallets/read-wallets.ts';
import { accountReply } from './account-layout.ts';
import { type AccountRoute, createAccountRoutes } from './account-route.ts';
import { balancesPage, balancesPath, oneBalancePage } from './balances-page.ts';
import type { MoneyDeps } from './money-deps.ts';
import { askedText, byWorth } from './money-words.ts';

const pageSize = 50;

export function balancesRoutes(deps: MoneyDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const access = { may: 'seeBalances' } as const;
  return [
    accountRoute({
      method: 'GET',
      path: balancesPath,
      access,
      async handle({ look, merchant }) {
        const wallets = byWorth(await readWallets(deps, merchant));
        const facts = { wallets, totalValue: totalValue(wallets), currency: merchant.accountCurrency };
        return accountReply(200, look, balancesPage(deps, look, facts));
      },
    }),
    accountRoute({
      method: 'GET',
      path: `${balancesPath}/asset/:asset`,
      access,
      async handle({ look, merchant, request }) {
        const wallet = await readWallet(deps, merchant, request.params['asset'] ?? '');
        const cursor = askedText(request, 'cursor');
        const page = { asset: wallet.assetId, limit: pageSize, ...(cursor !== '' && { cursor }) };
        const { entries, next } = await listEntries(deps, merchant.id, page);
        const facts = { wallet, currency: merchant.accountCurrency, entries, next, isFirst: cursor === '' };
        return accountReply(200, look, oneBalancePage(deps, look, facts));
      },
    }),
  ];
}
