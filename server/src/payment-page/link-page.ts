/** What the payer sees of a payment link before there is a checkout. A form without a script. */
import { findCurrency } from '../catalog/currency-catalog.ts';
import { present } from '../lib/assert.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { type Decimal, formatFixed } from '../money/decimal.ts';
import type { PaymentLink } from '../payment-links/payment-link.ts';
import { paymentLinkPath } from '../payment-links/payment-link-record.ts';
import { roundPrice } from '../pricing/round-price.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { numberText, priceHtml, priceText } from '../web/number-text.ts';
import type { PageLook } from '../web/page-layout.ts';
import { plainPage, sheetPage } from '../web/plain-page.ts';
import type { PageLanguage, TextKey } from '../web/texts/page-texts.ts';
import { heroClass } from './hero-amount.ts';
import { trustLine } from './order-section.ts';
import { accountText, legalLinks, pageSetting } from './page-setting.ts';

export type LinkPlace = {
  readonly link: PaymentLink;
  readonly merchant: Merchant;
  /** What stands in the address and must be sent on: a signed amount with its reference. */
  readonly signed: Readonly<Record<string, string>>;
};

/** What was typed, and what is wrong with it. */
export type LinkProblem = { readonly typed: string; readonly sentence: string };

export const linkShopName = ({ link, merchant }: LinkPlace): string =>
  pageSetting({ payload: { pageSettings: link.pageSettings } }, merchant, 'shopName') ?? merchant.name;

/** With all decimals of the currency. */
export function linkPrice(currency: string, amount: Decimal): string {
  const { decimals } = present(findCurrency(currency), `currency ${currency}`);
  return formatFixed(roundPrice(amount, decimals), decimals);
}

export function linkPathIn(language: PageLanguage, { link, signed }: LinkPlace): string {
  const query = new URLSearchParams({ ...signed, ...(language === 'en' && { language }) }).toString();
  return `${paymentLinkPath(link.id, language)}${query && `?${query}`}`;
}

export function linkPage(
  look: PageLook,
  place: LinkPlace,
  asked: {
    /** Null: the payer says. */
    readonly amount: Decimal | null;
    readonly reference: string | null;
    /** The name of this very form: sent twice, it leads to one checkout. */
    readonly form: string;
    readonly problem: LinkProblem | null;
  },
): Html {
  const { say, language } = look;
  const { link, merchant, signed } = place;
  const { currency, description } = link;
  const { amount, reference, form, problem } = asked;
  const price = amount && { amount: linkPrice(currency, amount), currency };
  const hidden = Object.entries({ ...signed, form });
  const shopName = linkShopName(place);
  return sheetPage(look, {
    title: description,
    shopName,
    inLanguage: (other) => linkPathIn(other, place),
    underTitle: html`${price && html`<p class="${heroClass(look, price)}">${priceHtml(language, price.amount, currency)}</p>`}${reference !== null && html`<p class="code">${say('orderNamed', { code: reference })}</p>`}`,
    ownPath: linkPathIn(language, place),
    sheet: html`<form class="stack" method="post" action="${paymentLinkPath(link.id, language)}">
${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${
  price
    ? problem && html`<p class="notice fail" role="alert">${icon('alert')}<span>${problem.sentence}</span></p>`
    : amountField(look, link, problem)
}
<p class="quiet">${say('linkNext')}</p>
<div class="dock"><button class="btn primary big wide">${say('linkGoOn')}</button></div>
</form>`,
    foot: trustLine(look, {
      shopName,
      legalLine: accountText(merchant, 'legalLine'),
      legalLinks: legalLinks(merchant),
    }),
  });
}

function amountField(look: PageLook, { asks, currency }: PaymentLink, problem: LinkProblem | null): Html {
  const { say, language } = look;
  const written = (amount: Decimal): string => priceText(language, linkPrice(currency, amount), currency);
  const [min, max] = asks.kind === 'open' ? [asks.min, asks.max] : [null, null];
  const limits =
    min && max
      ? say('linkBetween', { least: written(min), most: written(max) })
      : min
        ? say('linkAtLeast', { amount: written(min) })
        : max && say('linkAtMost', { amount: written(max) });
  const described = [limits && 'limits', problem && 'problem'].filter(Boolean).join(' ');
  return html`<div class="field"><label for="amount">${say('linkAmount', { currency })}</label>
<input class="input mono" id="amount" name="amount" required maxlength="40" inputmode="decimal" autocomplete="off" value="${problem?.typed ?? ''}"${described !== '' && html` aria-describedby="${described}"`}${problem && html` aria-invalid="true" autofocus`}>
${limits && html`<p class="help" id="limits">${limits}</p>`}
${problem && html`<span class="error" id="problem" role="alert">${icon('alert')}${problem.sentence}</span>`}</div>`;
}

/** Why nothing can be paid here, by the code of the refusal. */
const endings: Readonly<Record<string, readonly [TextKey, TextKey]>> = {
  payment_link_closed: ['linkClosedTitle', 'linkClosedText'],
  payment_link_used_up: ['linkUsedUpTitle', 'linkUsedUpText'],
  payment_link_signature_wrong: ['linkChangedTitle', 'linkChangedText'],
  payment_link_reference_taken: ['linkTakenTitle', 'linkTakenText'],
  shop_suspended: ['suspendedTitle', 'suspendedText'],
};

/** Undefined: it is no end, and the payer may try again. */
export function linkEndPage(look: PageLook, place: LinkPlace, code: string): Html | undefined {
  const ending = endings[code];
  const shop = { name: linkShopName(place), href: null };
  return ending && plainPage(look, ...ending, { shop, inLanguage: (other) => linkPathIn(other, place) });
}

/** What is wrong with an amount, in the payer's language. */
export function amountSentence(
  { say, language }: PageLook,
  { currency }: PaymentLink,
  { code, facts }: { readonly code: string; readonly facts: Readonly<Record<string, string>> },
): string {
  const limit = facts['limit'] ?? '';
  const { decimals } = present(findCurrency(currency), `currency ${currency}`);
  const priced = (amount: string): string => priceText(language, amount, currency);
  if (code === 'link_amount_too_small') return say('linkAtLeast', { amount: priced(withDecimals(limit, decimals)) });
  if (code === 'link_amount_too_large') return say('linkAtMost', { amount: priced(withDecimals(limit, decimals)) });
  if (code === 'link_amount_unreadable' || code === 'link_amount_decimals')
    return say('linkAmountWrong', { example: numberText(language, decimals === 0 ? '12' : '12.50') });
  return say('linkUnpayable');
}

const withDecimals = (amount: string, decimals: number): string => {
  const [whole = '', fraction = ''] = amount.split('.');
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0')}`;
};
