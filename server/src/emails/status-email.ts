/**
 * What a customer reads about an order besides that it is paid, which is the receipt: that it can be paid, that money is
 * missing, that some was sent back. Each has one amount, the facts as a slip, and one way: to the page of the payment.
 */
import { orderName } from '../payment-page/page-setting.ts';
import type { PublicRefund } from '../payment-page/public-refund.ts';
import { shopMail } from '../payment-page/shop-mail.ts';
import { sentName } from '../payment-page/transaction-name.ts';
import { html } from '../web/html.ts';
import { coinText, paperDate, priceText } from '../web/number-text.ts';
import { type PageLanguage, type Say, sayIn } from '../web/texts/page-texts.ts';
import type { MailLook } from './find-mail-look.ts';
import { footLines, mailFrame } from './mail-frame.ts';
import { button, code, heading, hero, link, paragraph, type SlipPart, slip, smallPrint } from './mail-parts.ts';
import { oneLine, wordsOfShop } from './one-line.ts';
import { itemRow, itemsInMail, type MailedCheckout } from './receipt-email.ts';
import type { Email } from './send-email.ts';

export type StatusNews =
  | { readonly kind: 'created' }
  /** `payUntil`: null where nothing was chosen to pay with, or the time is over. */
  | { readonly kind: 'underpaid'; readonly payUntil: Date | null }
  | { readonly kind: 'expired' }
  /** `note`: null where what was sent back was never on a paper, as what was too much. */
  | { readonly kind: 'refunded'; readonly refund: PublicRefund; readonly note: MailedNote | null };

/** The credit note for it. `url`: null where whoever reads the mail is not the one whom it names. */
export type MailedNote = { readonly number: string; readonly total: string; readonly url: string | null };

export type StatusFacts = {
  readonly checkout: MailedCheckout;
  readonly news: StatusNews;
  readonly look: MailLook;
  /** Null: the shop has a page of its own. */
  readonly pageUrl: string | null;
  /** Where such mails are stopped. */
  readonly stopUrl: string;
  readonly isSandbox: boolean;
};

type Told = {
  readonly subject: string;
  readonly title: string;
  readonly amount: string;
  /** What the amount is. */
  readonly under: string;
  readonly sentences: readonly string[];
  readonly part: SlipPart;
};

export function statusEmail(language: PageLanguage, facts: StatusFacts): Omit<Email, 'id' | 'to'> {
  const { checkout, look, pageUrl, stopUrl, isSandbox } = facts;
  const say = sayIn(language);
  const { subject, title, amount, under, sentences, part } = told(language, facts);
  const order = wordsOfShop(orderName(checkout));
  const stop = { text: say('stopMails'), url: stopUrl };
  const common = {
    language,
    shop: checkout,
    reason: say('statusMailReason', { shop: wordsOfShop(checkout.shopName) }),
    stop,
  };
  const { helpEmail } = checkout;
  const noteUrl = facts.news.kind === 'refunded' ? (facts.news.note?.url ?? null) : null;
  const rows = [
    ...part.rows.map(({ name, detail, value, below }) => {
      const named = detail === null || detail === undefined ? name : `${name} (${detail})`;
      return `${say('labelled', { name: named })} ${value}${below ? ` (${below})` : ''}`;
    }),
    ...(part.notes ?? []).map(({ name, text }) => `${say('labelled', { name })} ${text}`),
    ...(noteUrl === null ? [] : [noteUrl]),
  ];
  return {
    language,
    subject,
    stopUrl,
    text: [
      ...(isSandbox ? [say('sandbox')] : []),
      title,
      ...sentences,
      '',
      say('orderNamed', { code: order }),
      ...(checkout.orderReference === null ? [] : [`${say('labelled', { name: say('paymentId') })} ${checkout.id}`]),
      ...rows,
      '',
      ...(pageUrl === null ? [] : [say('labelled', { name: say('toPaymentPage') }), pageUrl, '']),
      ...footLines(common),
      '',
    ].join('\n'),
    ...mailFrame({
      ...common,
      look,
      subject,
      glance: `${amount} · ${under}`,
      isSandbox,
      helpUrl:
        helpEmail === null ? null : shopMail({ look: { say, language }, checkout }, helpEmail, 'helpMailSubject'),
      sheet: (style) => html`${heading(style, title)}
${hero(style, amount)}
${smallPrint(style, under, 2)}
${sentences.map((sentence, at) => paragraph(style, sentence, at === 0 ? 14 : 6))}
${slip(style, {
  title: say.html('orderNamed', { code: code(order) }),
  under: checkout.orderReference !== null && html`${say('labelled', { name: say('paymentId') })} ${code(checkout.id)}`,
  stamp: null,
  parts: [part],
})}
${pageUrl !== null && html`${button(style, { text: say('toPaymentPage'), url: pageUrl })}${smallPrint(style, link(style, pageUrl), 12)}`}`,
    }),
  };
}

function told(language: PageLanguage, { checkout, news }: StatusFacts): Told {
  const say = sayIn(language);
  const shop = oneLine(checkout.shopName);
  const inMoney = (price: string): string => priceText(language, price, checkout.currency);
  const paidTo = wordsOfShop(checkout.shopName);
  if (news.kind === 'created')
    return {
      subject: say('createdMailSubject', { shop }),
      title: `${say('createdMailTitle')}.`,
      amount: inMoney(checkout.total),
      under: say('toPay'),
      sentences: [say('createdMailText')],
      part: orderedPart(language, checkout),
    };
  if (news.kind === 'refunded') {
    const { refund, note } = news;
    const amount = coinText(language, refund.amount, refund.assetCode);
    return {
      subject: say('refundMailSubject', { shop }),
      title: `${say('refundDone')}.`,
      amount,
      under: say('refunded'),
      sentences: [],
      part: {
        rows: [
          { name: say('refunded'), value: amount, below: refund.networkName },
          ...(note === null ? [] : [{ name: say('creditNote'), value: inMoney(note.total) }]),
        ],
        notes: [
          ...(note === null ? [] : [{ name: say('creditNote'), text: wordsOfShop(note.number), url: note.url }]),
          ...(refund.address === null
            ? []
            : [{ name: say(refund.isToAccount ? 'sentToAccount' : 'sentBackTo'), text: refund.address, url: null }]),
          ...(refund.txHash === null
            ? []
            : [{ name: sentName({ say, language }, refund.network), text: refund.txHash, url: refund.href }]),
        ],
      },
    };
  }
  const missing = inMoney(checkout.sums.missingPrice ?? '0');
  const shortOf = { amount: missing, under: say('missing'), part: missingPart(say, language, checkout) };
  return news.kind === 'underpaid'
    ? {
        ...shortOf,
        subject: say('partMailTitle', { shop }),
        title: say('partMailTitle', { shop: paidTo }),
        sentences: [
          say('partSafe'),
          ...(news.payUntil === null
            ? []
            : [
                `${say('payUntilDay', { date: paperDate(language, news.payUntil, checkout.timeZone) })}. ${say('partNext')}`,
              ]),
        ],
      }
    : {
        ...shortOf,
        subject: say('shortMailSubject', { shop }),
        title: say('underpaidTitle'),
        sentences: [`${say('underpaidText')} ${say('underpaidNext')}`],
      };
}

/** What was ordered; with very many items only what it costs, as in the receipt. */
function orderedPart(language: PageLanguage, { lines, total, currency }: StatusFacts['checkout']): SlipPart {
  const items = lines.length > itemsInMail ? [] : lines.map((line) => itemRow(language, line, currency));
  const sum = { name: sayIn(language)('total'), value: priceText(language, total, currency), isSum: true };
  return { rows: [...items, sum] };
}

function missingPart(say: Say, language: PageLanguage, { total, currency, sums }: StatusFacts['checkout']): SlipPart {
  const inMoney = (price: string): string => priceText(language, price, currency);
  const coins = sums.received.map(({ amount, assetCode }) => coinText(language, amount, assetCode)).join(' + ');
  return {
    rows: [
      { name: say('total'), value: inMoney(total) },
      { name: say('received'), value: inMoney(sums.receivedPrice), below: coins || null },
      { name: say('missing'), value: inMoney(sums.missingPrice ?? '0'), isSum: true },
    ],
  };
}
