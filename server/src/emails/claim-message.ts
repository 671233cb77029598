/** The link at which a payer claims money, as a message: how much, one button, and until when it works. */
import type { RefundContext } from '../checkouts/refund.ts';
import { type NamedOrder, orderName } from '../payment-page/page-setting.ts';
import { html } from '../web/html.ts';
import { coinText, dateText, priceText } from '../web/number-text.ts';
import { type PageLanguage, sayIn } from '../web/texts/page-texts.ts';
import type { MailLook } from './find-mail-look.ts';
import { footLines, helpMail, type MailShop, mailFrame } from './mail-frame.ts';
import { button, code, heading, hero, link, notice, paragraph, smallPrint } from './mail-parts.ts';
import { oneLine } from './one-line.ts';
import type { Email } from './send-email.ts';

export type ClaimFacts = {
  readonly order: NamedOrder;
  readonly shop: MailShop;
  readonly look: MailLook;
  readonly context: RefundContext;
  readonly amount: string;
  readonly assetCode: string;
  /** What it is worth in the currency of the bill, as the page says; null where no quote says that. */
  readonly worth: { readonly amount: string; readonly currency: string } | null;
  readonly goodUntil: Date;
  readonly claimUrl: string;
  readonly isSandbox: boolean;
};

export function claimMessage(language: PageLanguage, facts: ClaimFacts): Omit<Email, 'id' | 'to'> {
  const say = sayIn(language);
  const { shop, order, look, claimUrl, isSandbox } = facts;
  const name = oneLine(shop.shopName);
  const orderCode = oneLine(orderName(order));
  const isExcess = facts.context === 'OVERPAID_CHECKOUT';
  const amount = coinText(language, facts.amount, facts.assetCode);
  const subject = say(isExcess ? 'claimMailSubject' : 'claimPartMailSubject', { shop: name });
  const ordered = [
    say('orderNamed', { code: orderCode }),
    ...(order.orderReference === null ? [] : [`${say('labelled', { name: say('paymentId') })} ${order.id}`]),
  ];
  const withWorth =
    facts.worth === null ? amount : `${amount} (${priceText(language, facts.worth.amount, facts.worth.currency)})`;
  const text = say(isExcess ? 'claimMailText' : 'claimPartMailText', { amount: withWorth });
  const secret = say('claimMailSecret', { date: dateText(language, facts.goodUntil) });
  const common = { language, shop, reason: say('claimMailReason') };
  return {
    language,
    subject,
    text: [
      ...(isSandbox ? [say('sandbox')] : []),
      `${name} · ${ordered.join('\n')}`,
      text,
      '',
      claimUrl,
      '',
      secret,
      '',
      ...footLines(common),
      '',
    ].join('\n'),
    ...mailFrame({
      ...common,
      look,
      subject,
      glance: amount,
      isSandbox,
      helpUrl: helpMail(shop, say('helpMailSubject', { code: orderCode })),
      sheet: (style) => html`${heading(style, subject)}
${hero(style, amount)}
${smallPrint(style, html`${say.html('orderNamed', { code: code(orderCode) })}${order.orderReference !== null && html`<br>${say('labelled', { name: say('paymentId') })} ${code(order.id)}`}`, 4)}
${paragraph(style, text, 16)}
${button(style, { text: say('claimMailButton', { amount }), url: claimUrl })}
${smallPrint(style, link(style, claimUrl), 12)}
<div style="height:16px;line-height:16px;font-size:1px">&nbsp;</div>
${notice(style, secret)}`,
    }),
  };
}
