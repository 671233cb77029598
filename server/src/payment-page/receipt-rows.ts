/** What papers, slips and mails say of the payments: one row for each, so that their numbers fit the total. */

import { coinText, priceText } from '../web/number-text.ts';
import type { PageLanguage, Say } from '../web/texts/page-texts.ts';
import type { PublicCheckout } from './public-checkout.ts';
import type { PublicSum } from './public-sums.ts';

type Speaking = { readonly say: Say; readonly language: PageLanguage };
type Row = [name: string, value: string];

/** `0.0002 BTC (€10.00)` */
export function worthyText(
  { language }: Pick<Speaking, 'language'>,
  { amount, assetCode, price }: PublicSum,
  currency: string,
): string {
  const coins = coinText(language, amount, assetCode);
  return price === null ? coins : `${coins} (${priceText(language, price, currency)})`;
}

/** The only payment is worth the total, which stands below it; of several each says by which network it came. */
export function paymentRows(
  speaking: Speaking,
  { payments, currency }: Pick<PublicCheckout, 'payments' | 'currency'>,
): Row[] {
  const { say, language } = speaking;
  const [only, ...others] = payments;
  if (only && others.length === 0) return [[say('paidWith'), coinText(language, only.amount, only.assetCode)]];
  return payments.map((payment): Row => [payment.networkName, worthyText(speaking, payment, currency)]);
}

/** What was too much stands below what was paid, and what came back of it. */
export function excessRows(speaking: Speaking, { sums, currency }: Pick<PublicCheckout, 'sums' | 'currency'>): Row[] {
  const { say } = speaking;
  return [
    ...sums.excess.map((sum): Row => [say('tooMuch'), worthyText(speaking, sum, currency)]),
    ...sums.returned.map((sum): Row => [say('refunded'), worthyText(speaking, sum, currency)]),
  ];
}
