/** The receipt as a message: what was bought and paid, and two links. No images, nothing that is loaded from elsewhere. */

import { type ChargeLine, detailText, labelText } from '../payment-page/charge-lines.ts';
import { orderFacts } from '../payment-page/page-setting.ts';
import type { PublicCheckout } from '../payment-page/public-checkout.ts';
import { excessRows, paymentRows } from '../payment-page/receipt-rows.ts';
import { html } from '../web/html.ts';
import { paperDate, priceText } from '../web/number-text.ts';
import { type PageLanguage, sayIn } from '../web/texts/page-texts.ts';
import { oneLine } from './one-line.ts';
import type { Email } from './send-email.ts';

export type ReceiptFacts = {
  readonly checkout: Pick<
    PublicCheckout,
    'id' | 'orderReference' | 'shopName' | 'lines' | 'total' | 'currency' | 'payments' | 'sums' | 'timeZone'
  >;
  readonly settledAt: Date;
  readonly receiptUrl: string;
  readonly pageUrl: string;
  readonly isSandbox: boolean;
};

export function receiptEmail(language: PageLanguage, facts: ReceiptFacts): Omit<Email, 'id' | 'to'> {
  const { checkout, settledAt, receiptUrl, pageUrl, isSandbox } = facts;
  const say = sayIn(language);
  const shop = oneLine(checkout.shopName);
  const opening = [
    ...(isSandbox ? [say('sandbox')] : []),
    `${say('completedTitle')}.`,
    `${say('completedText', { date: paperDate(language, settledAt, checkout.timeZone) })}.`,
  ];
  const lines: [string, string][] = [
    [say('seller'), shop],
    ...orderFacts(say, checkout),
    ...checkout.lines.map((line): [string, string] => [
      itemText(language, line),
      priceText(language, line.amount, checkout.currency),
    ]),
    [say('total'), priceText(language, checkout.total, checkout.currency)],
    ...paymentRows({ say, language }, checkout),
    ...excessRows({ say, language }, checkout),
  ];
  const links: [string, string][] = [
    [`${say('receipt')}:`, receiptUrl],
    [say('receiptPage'), pageUrl],
  ];
  // Mail programs know little of styles, and nothing of where a language begins.
  const start = say('direction') === 'rtl' ? 'right' : 'left';
  return {
    language,
    subject: say('receiptSubject', { shop }),
    text: [
      ...opening,
      '',
      ...lines.map(([name, value]) => `${name}: ${value}`),
      '',
      ...links.flatMap(([name, url]) => [name, url, '']),
      say('receiptReason'),
      '',
    ].join('\n'),
    html: html`<!doctype html>
<html lang="${language}" dir="${say('direction')}">
<head><meta charset="utf-8"></head>
<body>
${opening.map((sentence) => html`<p>${sentence}</p>\n`)}<table>
${lines.map(([name, value]) => html`<tr><th align="${start}">${name}</th><td>${value}</td></tr>\n`)}</table>
${links.map(([name, url]) => html`<p>${name}<br><a href="${url}">${url}</a></p>\n`)}<p>${say('receiptReason')}</p>
</body>
</html>
`.toString(),
  };
}

/** `Coffee beans (2 × 9,00)` */
function itemText(language: PageLanguage, line: ChargeLine): string {
  const label = oneLine(labelText(sayIn(language), line));
  const detail = detailText(language, line);
  return detail === null ? label : `${label} (${detail})`;
}
