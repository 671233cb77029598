/** Settings of the page: those of the checkout, under their old name `links` too, and then those of the account. */
import type { Checkout } from '../checkouts/checkout.ts';
import type { Merchant } from '../http/caller.ts';

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

/** The address that the shop gives to its customers, or else that of the account. */
export function sellerEmail({ email, pageSettings }: Pick<Merchant, 'email' | 'pageSettings'>): string | null {
  const given = pageSettings['supportEmail'];
  return typeof given === 'string' && given !== '' ? given : email;
}

/** Off unless the checkout or, where that says nothing, the account asks for it. */
export function isPageSettingOn(
  checkout: Pick<Checkout, 'payload'>,
  merchant: Pick<Merchant, 'pageSettings'>,
  name: 'displayBuyerInfo' | 'displaySellerInfo',
): boolean {
  const given = [checkout.payload.pageSettings?.[name], merchant.pageSettings[name]];
  return given.find((value) => typeof value === 'boolean') ?? false;
}

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
