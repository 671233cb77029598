import { endpoints } from '@quittance/contract/endpoints';
import { type Route, route } from '../http/route.ts';
import { readWallet, readWallets, totalValue, type WalletDeps } from './read-wallets.ts';

export const walletRoutes = (deps: WalletDeps): Route[] => [
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
];
