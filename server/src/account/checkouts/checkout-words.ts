/** A checkout in the words of the account: what it is called, its state, what happened, amounts and moments. */
import { type AssetCatalog, findAsset } from '../../catalog/asset-catalog.ts';
import { findCurrency } from '../../catalog/currency-catalog.ts';
import type { Checkout, CheckoutDossier } from '../../checkouts/checkout.ts';
import type { Customer } from '../../counterparties/customer-store.ts';
import { type CheckoutSentence, checkoutSentence, type SentenceKey } from '../../finding/checkout-sentence.ts';
import { timeZoneOf } from '../../merchants/time-zone.ts';
import { formatUnits } from '../../money/amount.ts';
import { formatFixed } from '../../money/decimal.ts';
import { roundPrice } from '../../pricing/round-price.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { dateFormat, relativeText } from '../../web/intl-formats.ts';
import { coinText, listed, priceHtml, priceText } from '../../web/number-text.ts';
import type { AccountLook } from '../frame/account-look.ts';

export { metaPairs, orderOf } from '../../checkouts/order-of-checkout.ts';

export type WordDeps = { readonly assets: AssetCatalog };

type Tone = 'paid' | 'wait' | 'decide' | 'fail' | 'none';

const tones: Readonly<Record<SentenceKey, Tone>> = {
  paidTooMuch: 'decide',
  paidTwice: 'decide',
  paidInAnotherAsset: 'decide',
  paidTooLittle: 'decide',
  paidInVain: 'decide',
  refundNeedsApproval: 'decide',
  refundWaitsForPayer: 'wait',
  refundOnItsWay: 'wait',
  notChosen: 'none',
  waiting: 'wait',
  partlyPaid: 'wait',
  takenBack: 'fail',
  takenBackByBank: 'fail',
  noMarket: 'wait',
  confirming: 'wait',
  paid: 'paid',
  paidLate: 'paid',
  lessAccepted: 'paid',
  beingDecided: 'wait',
  expired: 'none',
  canceled: 'none',
  refunded: 'none',
  partlyRefunded: 'paid',
};

export function stateMark({ say }: AccountLook, { key }: CheckoutSentence, isPill = false): Html {
  const tone = tones[key];
  return html`<span class="state ${tone}${isPill && ' pill'}">${icon(tone)}${say(`state_${key}`)}</span>`;
}

/** All of it, with amounts and when. */
export function sentenceText(deps: WordDeps, look: AccountLook, sentence: CheckoutSentence, now: Date): string {
  const { amounts, at } = sentence.values;
  return look.say(`told_${sentence.key}`, { amounts: amountsText(deps, look, amounts), when: agoText(look, at, now) });
}

export const sentenceOf = (dossier: CheckoutDossier, now: Date): CheckoutSentence => checkoutSentence(dossier, now);

type Units = { readonly asset: string; readonly units: bigint };

export function unitsText({ assets }: WordDeps, { language }: AccountLook, { asset: id, units }: Units): string {
  const asset = findAsset(assets, id);
  return coinText(language, formatUnits(units, asset?.ledgerScale ?? 0), asset?.assetCode ?? id);
}

export const amountsText = (deps: WordDeps, look: AccountLook, amounts: readonly Units[]): string =>
  listed(
    look.language,
    amounts.map((amount) => unitsText(deps, look, amount)),
  );

/** As a number: rounded as it was asked for. */
export const checkoutAmount = ({ total, billingCurrency }: Checkout): string => {
  const decimals = findCurrency(billingCurrency)?.decimals ?? 2;
  return formatFixed(roundPrice(total, decimals), decimals);
};

export const checkoutPrice = ({ language }: AccountLook, checkout: Checkout): string =>
  priceText(language, checkoutAmount(checkout), checkout.billingCurrency);

export const checkoutPriceHtml = ({ language }: AccountLook, checkout: Checkout): Html =>
  priceHtml(language, checkoutAmount(checkout), checkout.billingCurrency);

export function customerName({ fields, email }: Pick<Customer, 'email' | 'fields'>): string {
  const person = [fields.firstname, fields.lastname].filter((part) => part !== undefined).join(' ');
  return fields.company ?? (person === '' ? email : person);
}

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** `4 days ago`, `in 12 minutes`. */
export function agoText({ language }: AccountLook, at: Date, now: Date): string {
  const ms = at.getTime() - now.getTime();
  const [unit, size] = steps.find(([, each]) => Math.abs(ms) >= each) ?? (['second', 1000] as const);
  return relativeText(language, Math.trunc(ms / size), unit);
}

/** `17:43` of today, `11 Nov` of another day, in the time zone of the account. */
export function shortMoment({ language, signedIn }: AccountLook, at: Date, now: Date): Html {
  const timeZone = timeZoneOf(signedIn?.merchant?.pageSettings ?? {});
  const day = (date: Date): string => dateFormat('en', { timeZone }).format(date);
  const isToday = day(at) === day(now);
  const form: Intl.DateTimeFormatOptions = isToday
    ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
    : { day: 'numeric', month: 'short', ...(at.getFullYear() !== now.getFullYear() && { year: 'numeric' }) };
  return html`<time datetime="${at.toISOString()}">${dateFormat(language, { ...form, timeZone }).format(at)}</time>`;
}
