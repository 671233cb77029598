/**
 * Which language a page speaks. The path decides; only where the merchant left it to the browser (`auto`), whose links
 * begin with /en/, does /en/ mean "ask Accept-Language". A customer who then picks English gets a link that says so.
 */
import { isPageLanguage, type PageLanguage } from './texts/page-texts.ts';

export type LanguageWish = {
  readonly inPath: string;
  /** The language of the checkout, or `auto`. */
  readonly ofCheckout: string;
  /** From the query string: the customer used the language switch. */
  readonly chosen?: string | string[] | undefined;
  readonly acceptLanguage: string | string[] | undefined;
};

export function pageLanguage(wish: LanguageWish): PageLanguage {
  const isLeftToBrowser = wish.inPath === 'en' && wish.ofCheckout === 'auto' && wish.chosen !== 'en';
  if (isPageLanguage(wish.inPath) && !isLeftToBrowser) return wish.inPath;
  return browserLanguage(wish.acceptLanguage);
}

/** English when the browser asks for nothing that we speak. */
export function browserLanguage(acceptLanguage: string | string[] | undefined): PageLanguage {
  const ranges = String(acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
      const quality = parameters.find((parameter) => parameter.trim().startsWith('q='));
      return { language: tag.split('-')[0] ?? '', weight: quality === undefined ? 1 : Number(quality.trim().slice(2)) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  return ranges.map(({ language }) => language).find(isPageLanguage) ?? 'en';
}

/** The address of the page in this language, and no other; with the earlier choice that the customer went back to. */
export function checkoutPath(
  language: PageLanguage,
  checkout: { id: string; language: string; chosen: string | null },
): string {
  const query = new URLSearchParams();
  if (language === 'en' && checkout.language === 'auto') query.set('language', 'en');
  if (checkout.chosen !== null) query.set('pay', checkout.chosen);
  return `/${language}/checkout/${checkout.id}${query.size > 0 ? `?${query.toString()}` : ''}`;
}
