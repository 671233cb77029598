/** A payment link for the counter, the wall or a letter: in the looks of the shop, what for, how much, the code. */
import type { PageReply } from '../../http/route.ts';
import type { Brand } from '../../merchants/brand.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import type { PaymentLink } from '../../payment-links/payment-link.ts';
import { heroClass } from '../../payment-page/hero-amount.ts';
import { linkPrice, linkShopName } from '../../payment-page/link-page.ts';
import { html } from '../../web/html.ts';
import { priceHtml } from '../../web/number-text.ts';
import { pageBrand } from '../../web/page-brand.ts';
import { createLook, type PageFiles, pageReply } from '../../web/page-layout.ts';
import { sheetPage } from '../../web/plain-page.ts';
import { qrCode } from '../../web/qr-code.ts';
import type { AccountLook } from '../frame/account-look.ts';

export function linkPrintReply(
  { say, language, isSandbox }: AccountLook,
  shown: {
    readonly link: PaymentLink;
    readonly merchant: Merchant;
    readonly brand: Brand | undefined;
    readonly url: string;
    readonly files: PageFiles;
  },
): PageReply {
  const { link, merchant, url, files } = shown;
  const { asks, currency, description } = link;
  const look = createLook(language, { isSandbox, files, brand: pageBrand(shown.brand), theme: 'light' });
  const price = asks.kind === 'fixed' ? { amount: linkPrice(currency, asks.amount), currency } : null;
  return pageReply(
    200,
    look,
    sheetPage(look, {
      title: description,
      shopName: linkShopName({ link, merchant, signed: {} }),
      underTitle: html`${price && html`<p class="${heroClass(look, price)}">${priceHtml(language, price.amount, currency)}</p>`}`,
      sheet: html`<div class="to-print"><p>${say('linkScan')}</p><span class="qr">${qrCode(url, say('linkCode'))}</span><p class="mono">${url.replace(/^https?:\/\//, '')}</p></div>`,
    }),
  );
}
