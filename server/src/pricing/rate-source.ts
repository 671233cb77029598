/**
 * Where prices come from. Every source tells the price of one unit in US dollars, the pivot of all conversions.
 * A source leaves out what it does not know and what it cannot vouch for; it throws only when the whole reply is
 * unusable. How far it is believed is decided in combine-rates.
 */
import type { Decimal } from '../money/decimal.ts';

export type CurrencyKind = 'crypto' | 'fiat';

export type PricedCurrency = { readonly code: string; readonly kind: CurrencyKind };

export type SourceRate = {
  readonly code: string;
  readonly usd: Decimal;
  /** When the source itself says that the price was made; absent when it answers with the price of this moment. */
  readonly publishedAt?: Date;
};

/** A GET that is already guarded: https only, with limits on time and size, throwing unless the answer is 200. */
export type FetchText = (url: string) => Promise<string>;

export type RateSource = {
  readonly name: string;
  readonly kind: CurrencyKind | 'both';
  /** Its word is final: no second source is asked for and it never grows old. Only the sandbox has such a source. */
  readonly isAuthoritative?: true;
  fetchRates(fetchText: FetchText, codes: readonly string[]): Promise<readonly SourceRate[]>;
};

export type RateObservation = {
  readonly source: string;
  readonly code: string;
  readonly usd: Decimal;
  readonly observedAt: Date;
};

export const coversKind = (source: RateSource, kind: CurrencyKind): boolean =>
  source.kind === 'both' || source.kind === kind;
