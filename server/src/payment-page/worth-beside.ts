import { priceText } from '../web/number-text.ts';
import type { PageLanguage } from '../web/texts/page-texts.ts';
import type { PublicSum } from './public-sums.ts';

/** What stands beside an amount: its worth, unless that is the very amount or nobody knows it. */
export const worthBeside = (
  language: PageLanguage,
  { assetCode, price }: Pick<PublicSum, 'assetCode' | 'price'>,
  currency: string,
): string | null => (price === null || assetCode === currency ? null : priceText(language, price, currency));
