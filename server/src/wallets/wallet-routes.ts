import { endpoints } from '@quittance/contract/endpoints';
import { type Route, routeFor } from '../http/route.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { listEntries } from './list-entries.ts';
import { readWallet, readWallets, totalValue, type WalletDeps } from './read-wallets.ts';

const route = routeFor<Merchant>();

export const walletRoutes = (deps: WalletDeps): Route<Merchant>[] => [
  route({
    endpoint: endpoints.listWallets,
    async handle({ merchant }) {
      const wallets = await readWallets(deps, merchant);
      return { accountCurrency: merchant.accountCurrency, totalValue: totalValue(wallets), wallets };
    },
  }),
  route({
    endpoint: endpoints.getWallet,
    async handle({ merchant, query }) {
      const wallet = await readWallet(deps, merchant, query.assetCode);
      return { accountCurrency: merchant.accountCurrency, wallet };
    },
  }),
  route({
    endpoint: endpoints.listLedgerEntries,
    handle: ({ merchant, query }) => listEntries(deps, merchant.id, query),
  }),
];
