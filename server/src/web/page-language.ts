/**
 * Which language a page has. The path decides. Only if the merchant left it to the browser (`auto`), links begin with
 * /en/, and /en/ means "ask Accept-Language". A customer who then chooses English gets a link that says so.
 */
import { type PageContext, pageRoute, type Route } from '../http/route.ts';
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
  return isLeftToBrowser ? browserLanguage(wish.acceptLanguage) : spokenLanguage(wish.inPath, wish.acceptLanguage);
}

/** The closest of our languages: Portuguese for `pt-BR`. If none is close, the one that the browser asks for. */
export function spokenLanguage(tag: string, acceptLanguage: string | string[] | undefined): PageLanguage {
  const [language = ''] = tag.toLowerCase().split(/[-_]/);
  return isPageLanguage(language) ? language : browserLanguage(acceptLanguage);
}

/** A path with a language that we do not have is redirected to one that we have, instead of showing English there. */
export function inSpokenLanguage(route: Route): Route {
  if (route.kind !== 'page' || !route.path.startsWith('/:lang/')) return route;
  return pageRoute({
    ...route,
    handle: (context) => {
      const asked = context.params['lang'] ?? '';
      if (context.method !== 'GET' || isPageLanguage(asked)) return route.handle(context);
      const language = spokenLanguage(asked, context.headers['accept-language']);
      const location = `/${language}${context.path.slice(context.path.indexOf('/', 1))}${queryOf(context)}`;
      return { status: 302, headers: { location, 'cache-control': 'no-store', vary: 'accept-language' } };
    },
  });
}

/** As it came, with its question mark; empty: there is none. */
export function queryOf({ query }: Pick<PageContext, 'query'>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
  return pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : '';
}

/** English when the browser asks for none of our languages. */
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

/** Where on the page a customer is. It is in the address, so that it works without cookies and without a script. */
export type PagePlace = {
  /** Which code: the address alone, that of the chosen way, that of the way joint with it. Null: none was chosen. */
  readonly way: '0' | '1' | '2' | null;
  /** The drawer that was opened without a script. */
  readonly open: Drawer | null;
};

const drawers = ['contact', 'rates', 'payments', 'sees-nothing', 'new-here', 'need-help', 'order-fold'] as const;
export type Drawer = (typeof drawers)[number];

export const topOfPage: PagePlace = { way: null, open: null };

/** What nobody knows is ignored. */
export const readPlace = (query: PageContext['query']): PagePlace => ({
  way: (['0', '1', '2'] as const).find((way) => way === query['way']) ?? null,
  open: drawers.find((drawer) => drawer === query['open']) ?? null,
});

export type PageAddress = {
  readonly id: string;
  readonly language: string;
  readonly place?: PagePlace;
};

/**
 * The address of the page in exactly this language, or of one of its forms. It keeps what the customer chose there. A
 * form has answered when it leads back to the page, so its drawer need not be open.
 */
export function checkoutPath(language: PageLanguage, checkout: PageAddress, form = ''): string {
  const { id, place = topOfPage } = checkout;
  const query = new URLSearchParams();
  if (language === 'en' && checkout.language === 'auto') query.set('language', 'en');
  if (place.way !== null) query.set('way', place.way);
  if (place.open !== null && form === '') query.set('open', place.open);
  return `/${language}/checkout/${id}${form && `/${form}`}${query.size > 0 ? `?${query.toString()}` : ''}`;
}
