/** What the page says about money that is sent back: how much, where to, by which transaction, and whether it is there. Pure. */
import { findAsset } from '../catalog/asset-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import { sentAs } from '../catalog/sent-as.ts';
import { arrivedUnits, type Refund } from '../checkouts/refund.ts';
import { present } from '../lib/assert.ts';
import type { InWords } from '../networks/port/payer-instructions.ts';
import { formatPayment } from '../pricing/quote.ts';
import { transactionLink } from '../web/transaction-link.ts';
import type { CoinDeps } from './public-coins.ts';
import { networkName } from './public-payment.ts';

export type PublicRefund = {
  /** What was sent and did not come back: without the network's fee where the payer has paid it. */
  readonly amount: string;
  readonly assetCode: string;
  readonly network: string;
  readonly networkName: string;
  /** Null: nobody chose one, or it is no place that the payer knows. */
  readonly address: string | null;
  /** Whether that is the number of an account at a bank. */
  readonly isToAccount: boolean;
  readonly txHash: string | null;
  readonly href: string | null;
  /** Since when it is ordered, and how long that takes; null: it was sent. */
  readonly underWay: { readonly since: Date; readonly takes: InWords } | null;
};

/**
 * What was sent; and what is under way for days, as at banks, where whoever comes back to the page would wonder. Elsewhere that
 * is over in minutes.
 */
export const publicRefunds = (
  deps: Pick<CoinDeps, 'assets' | 'connectors'>,
  refunds: readonly Refund[],
): PublicRefund[] =>
  refunds.flatMap(({ asset: id, network, address, state, txHash, requestedAt: since, ...refund }): PublicRefund[] => {
    const known = findNetwork(network);
    const takes = state === 'SENDING' ? known?.returnTakes : undefined;
    if (state !== 'COMPLETED' && takes === undefined) return [];
    const asset = present(findAsset(deps.assets, id), `asset ${id}`);
    const amount = arrivedUnits({ ...refund });
    return [
      {
        amount: formatPayment(amount, { paymentCode: asset.assetCode, railScale: asset.ledgerScale }),
        assetCode: asset.assetCode,
        network,
        networkName: networkName(network),
        address: known?.givesBackOnly ? null : address, // There it is the payment that it goes back to.
        isToAccount: known?.type === 'BANK',
        txHash: sentAs(network, txHash),
        href: txHash === null ? null : transactionLink(deps.connectors, network, txHash),
        underWay: takes ? { since, takes } : null,
      },
    ];
  });
