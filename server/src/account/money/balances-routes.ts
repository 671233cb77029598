/** What the account holds. */
import type { PageContext } from '../../http/route.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { type Covered, coveredDays } from '../../reports/covered-days.ts';
import { listEntries } from '../../wallets/list-entries.ts';
import { readWallet, readWallets, totalValue } from '../../wallets/read-wallets.ts';
import { accountReply } from '../frame/account-layout.ts';
import { type AccountRoute, createAccountRoutes } from '../frame/account-route.ts';
import { askedText, byWorth } from '../frame/money-words.ts';
import { balancesPage, balancesPath, oneBalancePage } from './balances-page.ts';
import type { MoneyDeps } from './money-deps.ts';

const pageSize = 50;

/** The closed days of a period, if one is asked for: what a number of the statement is made of. */
async function askedDays(
  { db }: Pick<MoneyDeps, 'db'>,
  merchant: Merchant,
  request: PageContext,
): Promise<Covered | null> {
  const name = askedText(request, 'period');
  return name === '' ? null : coveredDays(db, merchant, name);
}

const betweenOf = ({ span }: Covered) => ({ from: span.from.toISOString(), to: span.to.toISOString() });

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
        const covered = await askedDays(deps, merchant, request);
        const page = {
          asset: wallet.assetId,
          limit: pageSize,
          ...(cursor !== '' && { cursor }),
          ...(covered && betweenOf(covered)),
        };
        const { entries, next } = await listEntries(deps, merchant.id, page);
        const facts = {
          wallet,
          currency: merchant.accountCurrency,
          entries,
          next,
          isFirst: cursor === '',
          period: covered?.period ?? null,
        };
        return accountReply(200, look, oneBalancePage(deps, look, facts));
      },
    }),
  ];
}
