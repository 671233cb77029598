/** In which size the price is written: it is the largest text on the page, and a long one must still fit. */

import { priceText } from '../web/number-text.ts';
import type { PageLook } from '../web/page-layout.ts';

export type Price = { readonly amount: string; readonly currency: string };

export const heroClass = ({ language }: PageLook, { amount, currency }: Price): string =>
  `amount hero${lengthClass(priceText(language, amount, currency), 11, 17)}`;

/** A class of the stylesheet for a text with more letters than the one and than the other number. */
export const lengthClass = ({ length }: string, long: number, longest: number): string =>
  length > longest ? ' longest' : length > long ? ' long' : '';
