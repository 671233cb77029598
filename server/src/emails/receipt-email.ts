/** The receipt as a message: a few facts and a link, no images, nothing that is loaded from anywhere. */

import { dateText, priceText } from '../payment-page/number-text.ts';
import type { PublicCheckout } from '../payment-page/public-checkout.ts';
import { html } from '../web/html.ts';
import { type PageLanguage, sayIn } from '../web/texts/page-texts.ts';
import type { Email } from './send-email.ts';

export type ReceiptFacts = {
  readonly checkout: Pick<PublicCheckout, 'id' | 'shopName' | 'total' | 'currency' | 'payments'>;
  readonly settledAt: Date;
  readonly pageUrl: string;
  readonly isSandbox: boolean;
};

export function receiptEmail(language: PageLanguage, facts: ReceiptFacts): Omit<Email, 'id' | 'to'> {
  const { checkout, settledAt, pageUrl, isSandbox } = facts;
  const say = sayIn(language);
  const shop = oneLine(checkout.shopName);
  const opening = [
    ...(isSandbox ? [say('sandbox')] : []),
    `${say('completedTitle')}.`,
    `${say('completedText', { date: dateText(language, settledAt) })}.`,
  ];
  const lines: [string, string][] = [
    [say('seller'), shop],
    [say('orderCode'), checkout.id],
    [say('total'), priceText(language, checkout.total, checkout.currency)],
    [say('paidWith'), checkout.payments.map(({ amount, assetCode }) => `${amount}\u00a0${assetCode}`).join(', ')],
  ];
  return {
    language,
    subject: say('receiptSubject', { shop }),
    text: [
      ...opening,
      '',
      ...lines.map(([name, value]) => `${name}: ${value}`),
      '',
      say('receiptPage'),
      pageUrl,
      '',
      say('receiptReason'),
      '',
    ].join('\n'),
    html: html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"></head>
<body>
${opening.map((sentence) => html`<p>${sentence}</p>\n`)}<table>
${lines.map(([name, value]) => html`<tr><th align="left">${name}</th><td>${value}</td></tr>\n`)}</table>
<p>${say('receiptPage')}<br><a href="${pageUrl}">${pageUrl}</a></p>
<p>${say('receiptReason')}</p>
</body>
</html>
`.toString(),
  };
}

const oneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
