/** A payment link as the API shows it, and where its page is. */
import type { PaymentLinkRecord } from '@quittance/contract/payment-link';
import { formatTimestamp } from '../lib/clock.ts';
import { type Decimal, formatDecimal } from '../money/decimal.ts';
import type { PaymentLink, PaymentLinkSums } from './payment-link.ts';

export type LinkUrlDeps = {
  readonly originFor: (merchantId: string) => string;
  readonly publicUrl: string;
};

/** The door for everybody, at our own domain: short enough to be printed and typed. */
export const shortLinkPath = (id: string): string => `/pay/${id}`;

/**
 * Where the page is: below the path of checkouts, which containers on merchants' own domains have always forwarded. `en`
 * leaves the language to the browser, as in the address of a checkout.
 */
export const paymentLinkPath = (id: string, language = 'en'): string => `/${language}/checkout/pay/${id}`;

export function paymentLinkUrl(
  { originFor, publicUrl }: LinkUrlDeps,
  { merchantId, id }: Pick<PaymentLink, 'merchantId' | 'id'>,
): string {
  const origin = originFor(merchantId);
  return `${origin}${origin === publicUrl ? shortLinkPath(id) : paymentLinkPath(id)}`;
}

export function paymentLinkRecord(deps: LinkUrlDeps, link: PaymentLink, sums: PaymentLinkSums): PaymentLinkRecord {
  const { asks } = link;
  const written = (amount: Decimal | null): string | null => amount && formatDecimal(amount);
  return {
    id: link.id,
    timestamp: formatTimestamp(link.createdAt),
    state: link.closedAt ? 'CLOSED' : 'ACTIVE',
    closedTime: link.closedAt && formatTimestamp(link.closedAt),
    url: paymentLinkUrl(deps, link),
    description: link.description,
    currency: link.currency,
    amount: asks.kind === 'fixed' ? written(asks.amount) : null,
    amountMin: asks.kind === 'open' ? written(asks.min) : null,
    amountMax: asks.kind === 'open' ? written(asks.max) : null,
    signedOnly: asks.kind === 'signed',
    paymentsMax: link.paymentsMax,
    settlementAsset: link.settlementAsset,
    webhook: link.webhook,
    checkoutsMade: sums.made,
    checkoutsPaid: sums.paid,
    amountPaid: formatDecimal(sums.amountPaid),
    ...(link.meta !== null && { meta: link.meta }),
  };
}
