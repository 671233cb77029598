/** What an invoice says, before it becomes a page or a PDF. There is one once a linked customer has paid. */
import { buyerLines } from '../payment-page/buyer-lines.ts';
import type { ChargeLine } from '../payment-page/charge-lines.ts';
import type { FoundPage } from '../payment-page/find-page.ts';
import { sellerEmail } from '../payment-page/page-setting.ts';
import type { PublicCheckout } from '../payment-page/public-checkout.ts';

export type Invoice = {
  readonly id: string;
  readonly shopName: string;
  readonly sellerEmail: string | null;
  readonly buyer: readonly string[];
  readonly date: Date;
  readonly lines: readonly ChargeLine[];
  readonly total: string;
  readonly currency: string;
  readonly payments: PublicCheckout['payments'];
};

/**
 * The seller's address is on it whatever the page shows: an invoice without one is none. The buyer's is left out only
 * where the shop has switched it off.
 */
export function invoiceOf({ shown, surroundings, dossier }: FoundPage): Invoice | null {
  const { customer, merchant } = surroundings;
  if (!shown.hasInvoice || customer === null || shown.completedAt === null) return null;
  const wishes = [
    dossier.checkout.payload.pageSettings?.['displayBuyerInfo'],
    merchant.pageSettings['displayBuyerInfo'],
  ];
  const isBuyerHidden = wishes.find((wish) => typeof wish === 'boolean') === false;
  return {
    id: shown.id,
    shopName: shown.shopName,
    sellerEmail: sellerEmail(merchant),
    buyer: isBuyerHidden ? [] : buyerLines(customer),
    date: shown.completedAt,
    lines: shown.lines,
    total: shown.total,
    currency: shown.currency,
    payments: shown.payments,
  };
}
