/** Pages with a headline on the plane and a few sentences on the sheet, such as those for a wrong link. */
import { ground } from './ground.ts';
import { type Html, html } from './html.ts';
import { icon } from './icons.ts';
import { type PageLook, pageLayout } from './page-layout.ts';
import type { PageLanguage, TextKey } from './texts/page-texts.ts';

export type SheetContent = {
  readonly title: string;
  readonly shopName?: string | undefined;
  readonly sheet: Html;
  /** Below the sheet: who the shop is. */
  readonly foot?: Html | undefined;
  /** Below the headline. */
  readonly underTitle?: Html | undefined;
  readonly inLanguage?: ((language: PageLanguage) => string) | undefined;
  /** Where a browser finds this page by a plain request, if it may have come as the answer to a form. */
  readonly ownPath?: string | undefined;
};

export const ourName = 'Quittance';

export const sheetPage = (look: PageLook, content: SheetContent): Html =>
  pageLayout(look, {
    title: content.shopName === undefined ? content.title : `${content.title} · ${content.shopName}`,
    page: html`<div class="pay"${content.ownPath !== undefined && html` data-page="${content.ownPath}"`}>
${ground(look, {
  shopName: content.shopName ?? ourName,
  inLanguage: content.inLanguage,
  more: html`<div class="due"><h1 class="headline">${content.title}</h1>${content.underTitle}</div>`,
})}
<main id="sheet" class="sheet">
${content.sheet}
</main>
${content.foot}
</div>`,
  });

type Shop = { readonly name: string; readonly href: string | null };

/** `shop`: whose page it is, and its URL, if they are known. */
export const plainPage = (
  look: PageLook,
  title: TextKey,
  text: TextKey,
  { shop, inLanguage, more }: Pick<SheetContent, 'inLanguage'> & { shop?: Shop | undefined; more?: Html } = {},
): Html =>
  sheetPage(look, {
    title: look.say(title),
    shopName: shop?.name,
    inLanguage,
    sheet: html`<p>${look.say(text)}</p>
${more}
${shop && shop.href !== null && html`<p><a class="btn primary" href="${shop.href}">${icon('left')}${look.say('backToShop')}</a></p>`}`,
  });

/** Where a link leads nowhere. Whoever has paid is afraid now, and must not pay twice. */
export const deadLinkPage = (
  look: PageLook,
  title: 'invalidTitle' | 'missingPageTitle',
  inLanguage: (language: PageLanguage) => string,
  shop?: Shop,
): Html =>
  plainPage(look, title, title === 'invalidTitle' ? 'invalidText' : 'missingPageText', {
    shop,
    inLanguage,
    more: html`<p class="notice wait">${icon('eye')}<span><b>${look.say('paidHere')}</b> ${look.say('paidHereText')}</span></p>`,
  });

/** The same for every link: it must not tell what somebody tried. */
export const invalidPath = (language: PageLanguage): string => `/${language}/checkout-invalid`;
