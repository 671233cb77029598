/**
 * The receipt as a message: the slip of the page with what was bought and each payment, a button to the paper, and the
 * way back to the page. The form without markup says the same.
 */

import { itemLines, sumLines } from '../papers/paper-rows.ts';
import type { StoredPaper } from '../papers/paper-store.ts';
import { type ChargeLine, detailText, labelText } from '../payment-page/charge-lines.ts';
import { orderFacts, orderName } from '../payment-page/page-setting.ts';
import type { PublicCheckout } from '../payment-page/public-checkout.ts';
import {
  acceptedText,
  excessRows,
  isPaidAtOnce,
  paidPrice,
  paymentRows,
  worthyText,
} from '../payment-page/receipt-rows.ts';
import { shopMail } from '../payment-page/shop-mail.ts';
import { paidName } from '../payment-page/transaction-name.ts';
import { html } from '../web/html.ts';
import { coinText, paperDate, paperDay, priceText, rateText } from '../web/number-text.ts';
import { type PageLanguage, type Say, sayIn } from '../web/texts/page-texts.ts';
import { type MailLook, plainMailLook } from './find-mail-look.ts';
import { footLines, mailFrame } from './mail-frame.ts';
import {
  button,
  code,
  heading,
  hero,
  link,
  paragraph,
  type SlipPart,
  type SlipRow,
  slip,
  smallPrint,
} from './mail-parts.ts';
import { oneLine, wordsOfShop } from './one-line.ts';
import type { Email } from './send-email.ts';

/** What a mail about an order says of it. */
export type MailedCheckout = Pick<
  PublicCheckout,
  | 'id'
  | 'orderReference'
  | 'shopName'
  | 'helpEmail'
  | 'legalLine'
  | 'legalLinks'
  | 'lines'
  | 'total'
  | 'currency'
  | 'payments'
  | 'sums'
  | 'timeZone'
>;

/** What of a paper the mail about it says: its numbers are those that are booked. */
export type MailedPaper = Pick<StoredPaper, 'kind' | 'number' | 'issuedAt' | 'facts'>;

export type ReceiptFacts = {
  readonly checkout: MailedCheckout;
  readonly look?: MailLook;
  readonly settledAt: Date;
  /** The receipt as it was issued, or the invoice; null: it was taken back meanwhile, or there is none. */
  readonly paper?: MailedPaper | null;
  /** Null: the shop has a page of its own, and we have none. */
  readonly receiptUrl: string | null;
  readonly pageUrl: string | null;
  /** The invoice with its buyer: only where the mail goes to the buyer's own address. */
  readonly invoiceUrl?: string | null;
  /** Where such mails are stopped; left out: somebody asked for this one on the page. */
  readonly stopUrl?: string;
  readonly isSandbox: boolean;
};

type Row = [name: string, value: string];

export function receiptEmail(language: PageLanguage, facts: ReceiptFacts): Omit<Email, 'id' | 'to'> {
  const { checkout, look = plainMailLook, settledAt, pageUrl, isSandbox, paper = null, stopUrl } = facts;
  const issued = issuedRows(language, facts);
  const say = sayIn(language);
  const shop = wordsOfShop(checkout.shopName);
  const { kind, url } = paperLink(facts);
  const subject = subjectOf(say, facts);
  const paid = priceText(language, paper?.facts.total ?? paidPrice(checkout), checkout.currency);
  const accepted = acceptedText({ say, language }, checkout);
  const title = `${say('completedTitle')}.`;
  const paidOn = `${say('completedText', { date: paperDate(language, settledAt, checkout.timeZone) })}.`;
  const common = {
    language,
    shop: checkout,
    reason: stopUrl === undefined ? say('receiptReason') : say('statusMailReason', { shop }),
    ...(stopUrl !== undefined && { stop: { text: say('stopMails'), url: stopUrl } }),
  };
  const { helpEmail } = checkout;
  const order = wordsOfShop(orderName(checkout));
  return {
    language,
    subject,
    ...(stopUrl !== undefined && { stopUrl }),
    text: [
      ...(isSandbox ? [say('sandbox')] : []),
      title,
      paidOn,
      ...(accepted === null ? [] : [accepted]),
      '',
      ...textRows(language, facts).map(([name, value]) => `${say('labelled', { name })} ${value}`),
      '',
      ...(url === null ? [] : [say('labelled', { name: say(kind) }), url, '']),
      ...(pageUrl === null ? [] : [say('receiptPage'), pageUrl, '']),
      ...footLines(common),
      '',
    ].join('\n'),
    ...mailFrame({
      ...common,
      look,
      subject,
      glance: `${paid} · ${paidOn}`,
      isSandbox,
      helpUrl:
        helpEmail === null ? null : shopMail({ look: { say, language }, checkout }, helpEmail, 'helpMailSubject'),
      sheet: (style) => html`${heading(style, title)}
${hero(style, paid)}
${paragraph(style, say('paidTo', { shop }), 2)}
${accepted !== null && paragraph(style, accepted, 8)}
${smallPrint(style, paidOn, 4)}
${slip(style, {
  title: say(kind),
  under: html`${issued.map(([name, value]) => html`${say('labelled', { name })} ${value}<br>`)}${say.html('orderNamed', { code: code(order) })}${checkout.orderReference !== null && html`<br>${say('labelled', { name: say('paymentId') })} ${code(checkout.id)}`}`,
  stamp: say('paid'),
  parts: slipParts(language, facts),
})}
${url !== null && button(style, { text: say(kind === 'invoice' ? 'seeInvoice' : 'seeReceipt'), url })}
${pageUrl !== null && smallPrint(style, html`${say('receiptPage')}<br>${link(style, pageUrl)}`, 20)}`,
    }),
  };
}

/** Where the paper is that the mail is about: the invoice goes to the buyer alone, and then it is what is booked. */
const paperLink = ({
  invoiceUrl = null,
  receiptUrl,
}: ReceiptFacts): { kind: 'invoice' | 'receipt'; url: string | null } =>
  invoiceUrl === null ? { kind: 'receipt', url: receiptUrl } : { kind: 'invoice', url: invoiceUrl };

function subjectOf(say: Say, { paper, checkout }: ReceiptFacts): string {
  const shop = oneLine(checkout.shopName);
  if (paper?.kind !== 'invoice') return say('receiptSubject', { shop });
  return `${say('paperMail_invoice', { number: paper.number })} · ${shop}`;
}

/** Gmail cuts a message off after 102 KB: with more of them, the button would be gone. The paper has them all. */
export const itemsInMail = 50;
const paymentsInMail = 20;

/** What was bought: as the paper says it, else as the order does; where it is too much for a mail, where it can be read. */
function itemsOf(language: PageLanguage, facts: ReceiptFacts): SlipRow[] {
  const { checkout, paper } = facts;
  const reader = { say: sayIn(language), language };
  const items = paper ? paper.facts.lines.length + paper.facts.taxes.length : checkout.lines.length;
  if (items > itemsInMail) {
    const { url } = paperLink(facts);
    return url === null ? [] : [{ name: reader.say('order'), value: reader.say('seeItems'), url }];
  }
  if (!paper) return checkout.lines.map((line) => itemRow(language, line, checkout.currency));
  return [...itemLines(reader, paper.facts), ...sumLines(reader, paper.facts)].map(({ label, detail, amount }) => ({
    name: wordsOfShop(label),
    detail,
    value: amount,
  }));
}

const totalOf = (language: PageLanguage, { checkout, paper }: ReceiptFacts): string =>
  priceText(language, paper?.facts.total ?? checkout.total, checkout.currency);

/** Its number, and the day of its issue where the shop is. */
function issuedRows(language: PageLanguage, { paper = null, checkout }: ReceiptFacts): Row[] {
  const say = sayIn(language);
  if (paper === null) return [];
  return [
    [say('paperNumber'), wordsOfShop(paper.number)],
    [say('issuedOn'), paperDay(language, paper.issuedAt, checkout.timeZone)],
  ];
}

function textRows(language: PageLanguage, facts: ReceiptFacts): Row[] {
  const { checkout } = facts;
  const say = sayIn(language);
  return [
    ...issuedRows(language, facts),
    [say('seller'), wordsOfShop(checkout.shopName)],
    ...orderFacts(say, checkout).map(([name, value]): Row => [name, wordsOfShop(value)]),
    ...itemsOf(language, facts).map(
      ({ name, detail, value, url }): Row => [detail ? `${name} (${detail})` : name, url ?? value],
    ),
    [say('total'), totalOf(language, facts)],
    ...paymentRows({ say, language }, checkout),
    ...excessRows({ say, language }, checkout),
    ...ratesOf(language, checkout).map((rate): Row => [say('rate'), rate]),
    ...checkout.payments
      .filter(({ txHash }) => txHash !== '')
      .map(
        ({ network, networkName, txHash }): Row => [`${paidName({ say, language }, network)} (${networkName})`, txHash],
      ),
  ];
}

/** What was bought and the total; then payment by payment; then what was too much. */
function slipParts(language: PageLanguage, facts: ReceiptFacts): SlipPart[] {
  const say = sayIn(language);
  const { checkout } = facts;
  const { payments } = checkout;
  const items = itemsOf(language, facts);
  const sum: SlipRow = { name: say('total'), value: totalOf(language, facts), isSum: true };
  return [
    { rows: [...items, sum] },
    ...(payments.length > paymentsInMail
      ? [togetherPart(language, checkout)]
      : payments.map((payment) => paymentPart(language, payment, checkout))),
    {
      rows: [
        ...excessRows({ say, language }, checkout).map(([name, value]): SlipRow => ({ name, value })),
        ...ratesOf(language, checkout).map((rate): SlipRow => ({ name: say('rate'), value: rate })),
      ],
    },
  ];
}

const togetherPart = (language: PageLanguage, { sums, currency }: ReceiptFacts['checkout']): SlipPart => ({
  rows: sums.received.map((received): SlipRow => {
    const value = worthyText({ language }, received, currency);
    return { name: sayIn(language)('paidWith'), value };
  }),
});

function paymentPart(
  language: PageLanguage,
  { network, networkName, amount, assetCode, price, txHash, href }: PublicCheckout['payments'][number],
  checkout: ReceiptFacts['checkout'],
): SlipPart {
  const say = sayIn(language);
  const isAtOnce = isPaidAtOnce(checkout);
  const worth = price === null ? null : priceText(language, price, checkout.currency);
  return {
    rows: [
      {
        name: isAtOnce ? say('paidWith') : networkName,
        value: coinText(language, amount, assetCode),
        below: isAtOnce ? networkName : worth,
      },
    ],
    notes: txHash === '' ? [] : [{ name: paidName({ say, language }, network), text: txHash, url: href }],
  };
}

/** `Coffee beans (2 × 9,00)` */
export function itemRow(language: PageLanguage, line: ChargeLine, currency: string): SlipRow {
  const say: Say = sayIn(language);
  return {
    name: wordsOfShop(labelText(say, line)),
    detail: detailText(language, line),
    value: priceText(language, line.amount, currency),
  };
}

const ratesOf = (language: PageLanguage, { payments }: Pick<PublicCheckout, 'payments'>): string[] => [
  ...new Set(payments.flatMap(({ rate }) => (rate === null ? [] : [rateText(language, rate)]))),
];
