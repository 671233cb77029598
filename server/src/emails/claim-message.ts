/** The link at which a payer claims money, as a message: a sentence and the link, nothing that is loaded from elsewhere. */
import type { RefundContext } from '../checkouts/refund.ts';
import { type NamedOrder, orderName } from '../payment-page/page-setting.ts';
import { html } from '../web/html.ts';
import { coinText, dateText } from '../web/number-text.ts';
import { type PageLanguage, sayIn } from '../web/texts/page-texts.ts';
import { oneLine } from './one-line.ts';
import type { Email } from './send-email.ts';

export type ClaimFacts = {
  readonly order: NamedOrder;
  readonly shopName: string;
  readonly context: RefundContext;
  readonly amount: string;
  readonly assetCode: string;
  readonly goodUntil: Date;
  readonly claimUrl: string;
  readonly isSandbox: boolean;
};

export function claimMessage(language: PageLanguage, facts: ClaimFacts): Omit<Email, 'id' | 'to'> {
  const say = sayIn(language);
  const shop = oneLine(facts.shopName);
  const isExcess = facts.context === 'OVERPAID_CHECKOUT';
  const amount = coinText(language, facts.amount, facts.assetCode);
  const { claimUrl } = facts;
  const opening = [
    ...(facts.isSandbox ? [say('sandbox')] : []),
    `${shop} · ${say('orderNamed', { code: oneLine(orderName(facts.order)) })}`,
    ...(facts.order.orderReference === null ? [] : [`${say('paymentId')}: ${facts.order.id}`]),
    say(isExcess ? 'claimMailText' : 'claimPartMailText', { amount }),
  ];
  const closing = [say('claimMailSecret', { date: dateText(language, facts.goodUntil) }), say('claimMailReason')];
  return {
    language,
    subject: say(isExcess ? 'claimMailSubject' : 'claimPartMailSubject', { shop }),
    text: [...opening, '', claimUrl, '', ...closing, ''].join('\n'),
    html: html`<!doctype html>
<html lang="${language}" dir="${say('direction')}">
<head><meta charset="utf-8"></head>
<body>
${opening.map((sentence) => html`<p>${sentence}</p>\n`)}<p><a href="${claimUrl}">${claimUrl}</a></p>
${closing.map((sentence) => html`<p>${sentence}</p>\n`)}</body>
</html>
`.toString(),
  };
}
