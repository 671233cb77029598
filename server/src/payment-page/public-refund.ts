/** What the page says about money that was sent back: how much, where to, and by which transaction. Pure. */
import { findAsset } from '../catalog/asset-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import { arrivedUnits, type Refund } from '../checkouts/refund.ts';
import { present } from '../lib/assert.ts';
import { formatPayment } from '../pricing/quote.ts';
import { transactionLink } from '../web/transaction-link.ts';
import type { CoinDeps } from './public-coins.ts';
import { networkName } from './public-payment.ts';

export type PublicRefund = {
  /** What was sent and did not come back: without the network's fee where the payer has paid it. */
  readonly amount: string;
  readonly assetCode: string;
  readonly networkName: string;
  /** Null: nobody chose one, or it is no place that the payer knows. */
  readonly address: string | null;
  /** Whether that is the number of an account at a bank. */
  readonly isToAccount: boolean;
  readonly txHash: string | null;
  readonly href: string | null;
};

export const publicRefunds = (
  deps: Pick<CoinDeps, 'assets' | 'connectors'>,
  refunds: readonly Refund[],
): PublicRefund[] =>
  refunds
    .filter(({ state }) => state === 'COMPLETED')
    .map(({ asset: id, network, address, txHash, ...refund }) => {
      const known = findNetwork(network);
      const asset = present(findAsset(deps.assets, id), `asset ${id}`);
      return {
        amount: formatPayment(arrivedUnits(refund), { paymentCode: asset.assetCode, railScale: asset.ledgerScale }),
        assetCode: asset.assetCode,
        networkName: networkName(network),
        address: known?.givesBackOnly ? null : address, // There it is the payment that it goes back to.
        isToAccount: known?.type === 'BANK',
        txHash,
        href: txHash === null ? null : transactionLink(deps.connectors, network, txHash),
      };
    });
