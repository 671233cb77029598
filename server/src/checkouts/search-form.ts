/** What a text that somebody searches for can be. Pure. */
import { knownNetworks } from '../catalog/known-networks.ts';
import { type Decimal, parseDecimal } from '../money/decimal.ts';
import { termOf } from './checkout-terms.ts';

/** Null or empty: it cannot be that. A text can be several things at once: twelve digits may be an order's number. */
export type SearchForm = {
  readonly id: string | null;
  /** As networks write them: with and without 0x. */
  readonly transactions: readonly string[];
  /** As written, and in lower case. */
  readonly addresses: readonly string[];
  readonly email: string | null;
  /** More than one where it is not clear what a separator means: 1,234. */
  readonly prices: readonly Decimal[];
  readonly currency: string | null;
  readonly term: string;
};

const textMax = 200;

export function searchForm(given: string): SearchForm {
  const text = given.slice(0, textMax).trim();
  const lower = text.toLowerCase();
  const [, hash] = /^(?:0x)?([0-9a-f]{64})$/.exec(lower) ?? [];
  const isOneWord = !/\s/.test(text);
  return {
    id: /^[a-z0-9]{12}$/.test(lower) ? lower : namedBy(text),
    transactions: hash === undefined ? [] : [hash, `0x${hash}`],
    // From the shortest of Bitcoin's to the longest of Stellar's, and memos, which are targets too.
    addresses: /^[a-z0-9]{12,120}$/i.test(text) ? [...new Set([text, lower])] : [],
    email: isOneWord && /^[^@]+@[^@]+$/.test(text) ? lower : null,
    ...readPrice(text),
    term: termOf(text),
  };
}

/** What a bank prints, as somebody read it there: a reference, or what we call a payment of ours. */
const namedBy = (text: string): string | null =>
  knownNetworks.map(({ knownAs }) => knownAs?.ownerOf(text)).find((id) => id != null) ?? null;

/** 12.50, 12,50, 1.234,50 EUR, EUR 12: a whole number alone is an order's number and no price. */
function readPrice(text: string): Pick<SearchForm, 'prices' | 'currency'> {
  const none = { prices: [], currency: null };
  const match = /^([a-z]{3,5} ?)?(\d[\d.,' ]{0,30}?)( ?[a-z]{3,5})?$/i.exec(text);
  if (!match) return none;
  const [, before = '', number = '', after = ''] = match;
  const currency = (before || after).trim().toUpperCase() || null;
  if (before !== '' && after !== '') return none;
  if (currency === null && !/[.,]/.test(number)) return none;
  const readings = new Set([withDecimals(number), ofThousands(number)]);
  const prices = [...readings].flatMap((reading) => (reading === null ? [] : (parseDecimal(reading) ?? [])));
  return prices.length === 0 ? none : { prices, currency };
}

/** The last separator begins the decimals. */
function withDecimals(number: string): string | null {
  const [, whole = '', decimals] = /^(.*)[.,](\d{1,8})$/.exec(number) ?? [];
  return decimals === undefined ? null : `${whole.replaceAll(/\D/g, '')}.${decimals}`;
}

/** Every separator stands before three digits. */
const ofThousands = (number: string): string | null =>
  /^\d{1,3}(?:[.,' ]\d{3})+$|^\d+$/.test(number) ? number.replaceAll(/\D/g, '') : null;
