/** Every endpoint of the API. */
import { exportApiRoutes } from './account/exports/export-api-routes.ts';
import { authRoutes } from './auth/auth-routes.ts';
import { catalogRoutes } from './catalog/catalog-routes.ts';
import { checkoutRoutes } from './checkouts/checkout-routes.ts';
import type { CommitDeps } from './checkouts/commit-checkout.ts';
import { beneficiaryRoutes } from './counterparties/beneficiary-routes.ts';
import { customerRoutes } from './counterparties/customer-routes.ts';
import { targetAccountRoutes } from './counterparties/target-account-routes.ts';
import type { CreateDepositDeps } from './deposits/create-deposit.ts';
import { depositRoutes } from './deposits/deposit-routes.ts';
import type { Route } from './http/route.ts';
import type { Merchant } from './merchants/merchant.ts';
import { settingsRoutes } from './merchants/settings-routes.ts';
import { sendsAnywhere } from './networks/port/connector.ts';
import { type PaperApiDeps, paperApiRoutes } from './papers/paper-api-routes.ts';
import { type PaymentLinkApiDeps, paymentLinkApiRoutes } from './payment-links/payment-link-api-routes.ts';
import { refundRoutes } from './refunds/refund-routes.ts';
import type { RequestRefundDeps } from './refunds/request-refund.ts';
import { reportListRoutes } from './reports/report-list-routes.ts';
import { statementRoutes } from './reports/statement-routes.ts';
import type { AdvanceDeps } from './settlements/advance-checkout.ts';
import { settlementRoutes } from './settlements/settlement-routes.ts';
import { isConvertible } from './venues/convertible.ts';
import type { SwapDeps } from './wallets/create-swap.ts';
import type { TransferDeps } from './wallets/create-transfer.ts';
import { swapRoutes } from './wallets/swap-routes.ts';
import { transferRoutes } from './wallets/transfer-routes.ts';
import { walletRoutes } from './wallets/wallet-routes.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';

export type ApiDeps = CommitDeps &
  PaymentLinkApiDeps &
  AdvanceDeps &
  RequestRefundDeps &
  TransferDeps &
  SwapDeps &
  CreateDepositDeps &
  Omit<PaperApiDeps, 'connectors'>;

export function apiRoutes(deps: ApiDeps): Route<Merchant>[] {
  const { assets } = deps;
  const configured = new Map(
    Array.from(deps.connectors, ([id, connector]) => {
      const assetCodes = new Set(connector.network.assets.map(({ assetCode }) => assetCode));
      return [id, { canSend: sendsAnywhere(connector), assetCodes }];
    }),
  );
  return [
    ...authRoutes(deps),
    ...catalogRoutes({ assets, configured, isConvertible: (...pair) => isConvertible(deps, ...pair) }),
    ...customerRoutes(deps),
    ...beneficiaryRoutes(deps),
    ...targetAccountRoutes(deps),
    ...depositRoutes(deps),
    ...walletRoutes(deps),
    ...statementRoutes(deps),
    ...reportListRoutes(deps),
    ...exportApiRoutes(deps),
    ...swapRoutes(deps),
    ...transferRoutes(deps),
    ...checkoutRoutes(deps),
    ...paymentLinkApiRoutes(deps),
    ...paperApiRoutes(deps),
    ...settlementRoutes(deps),
    ...refundRoutes(deps),
    ...webhookRoutes(deps),
    ...settingsRoutes(deps),
  ];
}
