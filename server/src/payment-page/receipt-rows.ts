/** What papers, slips and mails say of the payments: one row for each, so that their numbers fit the total. */

import { coinText, priceText } from '../web/number-text.ts';
import type { PageLanguage, Say } from '../web/texts/page-texts.ts';
import type { PublicCheckout } from './public-checkout.ts';
import type { PublicSum } from './public-sums.ts';
import { worthBeside } from './worth-beside.ts';

type Speaking = { readonly say: Say; readonly language: PageLanguage };
type Row = [name: string, value: string];

/** `0.0002 BTC (€10.00)` */
export function worthyText({ language }: Pick<Speaking, 'language'>, sum: PublicSum, currency: string): string {
  const coins = coinText(language, sum.amount, sum.assetCode);
  const worth = worthBeside(language, sum, currency);
  return worth === null ? coins : `${coins} (${worth})`;
}

type Paid = Pick<PublicCheckout, 'payments' | 'sums' | 'total' | 'currency'>;

/** What was paid for the order: all of it, or what the shop accepted in place of that. */
export const paidPrice = ({ sums, total }: Pick<Paid, 'sums' | 'total'>): string => sums.acceptedPrice ?? total;

/** Null where all was paid. */
export function acceptedText(
  { say, language }: Speaking,
  { sums, total, currency }: Omit<Paid, 'payments'>,
): string | null {
  const inMoney = (price: string): string => priceText(language, price, currency);
  return sums.acceptedPrice === null
    ? null
    : say('acceptedText', { paid: inMoney(sums.acceptedPrice), total: inMoney(total) });
}

/** Whether the worth of the only payment is the total, which stands beside it and need not be said again. */
export const isPaidAtOnce = ({ payments, sums }: Pick<Paid, 'payments' | 'sums'>): boolean =>
  payments.length === 1 && sums.acceptedPrice === null;

/** The only payment is worth the total, which stands below it; of others each says by which network it came. */
export function paymentRows(speaking: Speaking, checkout: Omit<Paid, 'total'>): Row[] {
  const { say, language } = speaking;
  const isAtOnce = isPaidAtOnce(checkout);
  return checkout.payments.map(
    (payment): Row =>
      isAtOnce
        ? [say('paidWith'), coinText(language, payment.amount, payment.assetCode)]
        : [payment.networkName, worthyText(speaking, payment, checkout.currency)],
  );
}

/** What was too much stands below what was paid, and what came back of it. */
export function excessRows(speaking: Speaking, { sums, currency }: Pick<PublicCheckout, 'sums' | 'currency'>): Row[] {
  const { say } = speaking;
  return [
    ...sums.excess.map((sum): Row => [say('tooMuch'), worthyText(speaking, sum, currency)]),
    ...sums.returned.map((sum): Row => [say('refunded'), worthyText(speaking, sum, currency)]),
  ];
}
