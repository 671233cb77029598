/** Settings of the page: those of the checkout (also under their old name `links`), then those of the account. */
import type { Checkout } from '../checkouts/checkout.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { Say } from '../web/texts/page-texts.ts';

export { orderReference } from '../checkouts/order-of-checkout.ts';

type SettingName = 'shopName' | 'returnUrl' | 'cancelUrl';

export function pageSetting(
  checkout: Pick<Checkout, 'payload'>,
  merchant: Pick<Merchant, 'pageSettings'>,
  name: SettingName,
): string | null {
  const { pageSettings, links } = checkout.payload;
  for (const settings of [pageSettings, links, merchant.pageSettings]) {
    const value = settings?.[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return null;
}

export type NamedOrder = { readonly orderReference: string | null; readonly id: string };

/** What an order is called beside a customer: by the shop's own number, or else by the code that we know. */
export const orderName = ({ orderReference: own, id }: NamedOrder): string => own ?? id;

/** Where both are told, each has its name: nobody should wonder which of two codes to give. */
export const orderFacts = (say: Say, order: NamedOrder): [name: string, code: string][] => [
  [say('orderCode'), orderName(order)],
  ...(order.orderReference === null ? [] : [[say('paymentId'), order.id] satisfies [string, string]]),
];

/** The address that the shop gives to its customers, otherwise that of the account. */
export function sellerEmail({ email, pageSettings }: Pick<Merchant, 'email' | 'pageSettings'>): string | null {
  const given = pageSettings['supportEmail'];
  return typeof given === 'string' && given !== '' ? given : email;
}

/**
 * Where customers find help: never an address that the shop does not want to be shown. If neither the checkout nor the
 * account says whether to show one, only an address that the shop gave for its customers.
 */
export function helpEmail(
  checkout: Pick<Checkout, 'payload'>,
  merchant: Pick<Merchant, 'email' | 'pageSettings'>,
): string | null {
  const isShown = givenSetting(checkout, merchant, 'displaySellerInfo');
  if (isShown === false) return null;
  return isShown || typeof merchant.pageSettings['supportEmail'] === 'string' ? sellerEmail(merchant) : null;
}

export type LegalLinks = Readonly<Record<'legalNotice' | 'privacy' | 'terms', string | null>>;

/** The account's. What is no web address is left out: a browser would run a `javascript:` link. */
export function legalLinks({ pageSettings }: Pick<Merchant, 'pageSettings'>): LegalLinks {
  const webAddress = (name: string): string | null => {
    const given = pageSettings[name];
    const url = typeof given === 'string' ? URL.parse(given) : null;
    return url?.protocol === 'https:' ? url.href : null;
  };
  return {
    legalNotice: webAddress('legalNoticeUrl'),
    privacy: webAddress('privacyUrl'),
    terms: webAddress('termsUrl'),
  };
}

/** Off unless the checkout or, where that says nothing, the account asks for it. */
export function isPageSettingOn(
  checkout: Pick<Checkout, 'payload'>,
  merchant: Pick<Merchant, 'pageSettings'>,
  name: 'displayBuyerInfo' | 'displaySellerInfo',
): boolean {
  return givenSetting(checkout, merchant, name) ?? false;
}

const givenSetting = (
  checkout: Pick<Checkout, 'payload'>,
  merchant: Pick<Merchant, 'pageSettings'>,
  name: 'displayBuyerInfo' | 'displaySellerInfo',
): boolean | undefined =>
  [checkout.payload.pageSettings?.[name], merchant.pageSettings[name]].find((value) => typeof value === 'boolean');

/** Unless it writes receipts of its own. What a payer was promised before is sent all the same. */
export const wantsReceipts = ({ pageSettings }: Pick<Merchant, 'pageSettings'>): boolean =>
  pageSettings['sendReceipts'] !== false;

/**
 * The shop's URL with `checkoutId` in its query; everything else in it stays as the shop wrote it. Null for what is
 * not a web address: the page never sends anyone to `javascript:` or the like.
 */
export function shopUrl(url: string | null, checkoutId: string): string | null {
  const parsed = url === null ? null : URL.parse(url);
  if (!parsed || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return null;
  const mark = parsed.href.indexOf('#');
  const [address, fragment] = mark === -1 ? [parsed.href, ''] : [parsed.href.slice(0, mark), parsed.href.slice(mark)];
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${separator}checkoutId=${checkoutId}${fragment}`;
}

/** A text of the account about the shop, for its papers and for the end of every page. */
export function accountText(
  { pageSettings }: Pick<Merchant, 'pageSettings'>,
  name: 'legalLine' | 'taxId',
): string | null {
  const given = pageSettings[name];
  return typeof given === 'string' && given.trim() !== '' ? given.trim() : null;
}
