/** What the page says about one transfer, alive or gone. */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import type { CheckoutDossier, Payment } from '../checkouts/checkout.ts';
import { isAlive, isConfirmed } from '../checkouts/checkout-state.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import { present } from '../lib/assert.ts';
import type { KnownNetwork } from '../networks/port/connector.ts';
import { formatPayment } from '../pricing/quote.ts';
import { transactionLink } from './transaction-link.ts';

export type PublicPayment = {
  readonly amount: string;
  readonly assetCode: string;
  readonly network: string;
  readonly networkName: string;
  readonly txHash: string;
  readonly href: string | null;
  readonly isConfirmed: boolean;
  readonly confirmations: number;
  readonly confirmationsRequired: number;
};

/** ours: replaced by a transaction that pays this checkout too. */
export type LostPayment = 'replacedByOurs' | 'replacedByOther' | 'dropped';

type PaymentDeps = {
  readonly assets: AssetCatalog;
  readonly connectors: ReadonlyMap<string, KnownNetwork>;
  readonly health: NetworkHealth;
};

export function publicPayment(deps: PaymentDeps, dossier: CheckoutDossier, payment: Payment): PublicPayment {
  const asset = present(findAsset(deps.assets, payment.asset), `asset ${payment.asset}`);
  const commitment = dossier.commitments.find(({ id }) => id === payment.commitmentId);
  const assetCode = commitment?.quote.paymentCode ?? asset.assetCode;
  const tipHeight = deps.health.status(payment.network)?.tipHeight ?? null;
  const depth =
    payment.blockHeight === null || tipHeight === null ? 0 : Math.max(1, tipHeight - payment.blockHeight + 1);
  const { confirmationsRequired } = payment;
  return {
    amount: formatPayment(payment.units, { paymentCode: assetCode, railScale: asset.ledgerScale }),
    assetCode,
    network: payment.network,
    networkName: networkName(payment.network),
    txHash: payment.txHash,
    href: transactionLink(deps.connectors, payment.network, payment.txHash),
    isConfirmed: isConfirmed(payment),
    confirmations: isConfirmed(payment) ? confirmationsRequired : Math.min(depth, confirmationsRequired),
    confirmationsRequired,
  };
}

/** What became of transfers that we had shown: each fate is explained once, however many there were. */
export function lostPayments(payments: readonly Payment[]): LostPayment[] {
  const alive = new Set(payments.filter(isAlive).map(({ txHash }) => txHash));
  const fates = payments
    .filter((payment) => !isAlive(payment))
    .map((payment): LostPayment => {
      if (payment.state === 'DROPPED') return 'dropped';
      return payment.replacedBy !== null && alive.has(payment.replacedBy) ? 'replacedByOurs' : 'replacedByOther';
    });
  return [...new Set(fates)];
}

export const networkName = (id: string): string => findNetwork(id)?.name ?? id;
