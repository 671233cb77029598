/**
 * The business rules of EN 16931-1 that concern what we write, in our words, for an invoice that was read back from its XML. Rules
 * about what we never write (periods, payees, tax representatives, bank accounts, attachments) hold by themselves and are left
 * out. Sums are exact here. Only a credit note for a part may state a tax that is cents beside its rate, so that all parts come to
 * the whole: the published validation, too, takes a difference below one in BR-CO-17 and BR-S-09.
 */
import { isCountryCode } from '../src/lib/country-codes.ts';
import {
  compare,
  type Decimal,
  decimal,
  minus,
  negate,
  one,
  parseDecimal,
  plus,
  roundTo,
  sum,
  times,
  zero,
} from '../src/money/decimal.ts';
import { type Vat, type VatCategory, vatCategories } from '../src/papers/e-invoice.ts';
import type { ReadInvoice } from './read-e-invoice.ts';

type Rule = (invoice: ReadInvoice) => boolean;

const isSame = (a: Decimal, b: Decimal): boolean => compare(a, b) === 0;
const isGiven = (text: string | null | undefined): boolean => typeof text === 'string' && text.trim() !== '';
const number = (text: string | null): Decimal => decimal(text ?? '0');
const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

const positions = ({ lines, allowances, charges }: ReadInvoice): { readonly amount: string; readonly vat: Vat }[] => [
  ...lines,
  ...allowances,
  ...charges,
];
const inCategory = (invoice: ReadInvoice, category: VatCategory): boolean =>
  positions(invoice).some(({ vat }) => vat.category === category);

/** What BT-116 of a category and a rate must be. */
function baseOf({ lines, allowances, charges }: ReadInvoice, { category, rate }: Vat): Decimal {
  const part = (all: readonly { readonly amount: string; readonly vat: Vat }[]): Decimal =>
    sum(
      all.filter(({ vat }) => vat.category === category && vat.rate === rate),
      ({ amount }) => decimal(amount),
    );
  return plus(minus(part(lines), part(allowances)), part(charges));
}

/** BT-117. */
const isTaxRight = ({ type, vatBreakdown, totals }: ReadInvoice, category: VatCategory): boolean =>
  vatBreakdown.every((each) => {
    if (each.category !== category) return true;
    const places = totals.withVat.split('.')[1]?.length ?? 0; // The yen has no cents to round to.
    const exact = roundTo(times(decimal(each.base), times(number(each.rate), decimal('0.01'))), places, 'half-up');
    const difference = minus(decimal(each.tax), exact);
    const most = type === '381' && category === 'S' ? (places === 0 ? one : decimal('0.05')) : zero;
    return compare(difference, most) <= 0 && compare(negate(difference), most) <= 0;
  });

/** The published form of BR-CO-17: at two decimals, and less than one beside. */
const isTaxNear = ({ vatBreakdown }: ReadInvoice): boolean =>
  vatBreakdown.every(({ base, rate, tax }) => {
    const exact = roundTo(times(decimal(base), times(number(rate), decimal('0.01'))), 2, 'half-up');
    const difference = minus(decimal(tax), exact);
    return compare(difference, one) < 0 && compare(negate(difference), one) < 0;
  });

/** BR-S-*, BR-Z-* and so on: the same ten for each category, with what differs between them. */
function categoryRules(
  prefix: string,
  category: VatCategory,
  {
    isIdentified,
    isRate,
    hasReason,
  }: { readonly isIdentified: Rule; readonly isRate: (rate: string | null) => boolean; readonly hasReason: boolean },
): Record<string, Rule> {
  const own = ({ vatBreakdown }: ReadInvoice) => vatBreakdown.filter((each) => each.category === category);
  const mayRepeat = category === 'S';
  return {
    [`${prefix}-01`]: (invoice) =>
      inCategory(invoice, category)
        ? mayRepeat
          ? own(invoice).length > 0
          : own(invoice).length === 1
        : own(invoice).length === 0,
    [`${prefix}-02 to 04`]: (invoice) => !inCategory(invoice, category) || isIdentified(invoice),
    [`${prefix}-05 to 07`]: (invoice) =>
      positions(invoice).every(({ vat }) => vat.category !== category || isRate(vat.rate)),
    [`${prefix}-08`]: (invoice) => own(invoice).every((each) => isSame(decimal(each.base), baseOf(invoice, each))),
    [`${prefix}-09`]: (invoice) => isTaxRight(invoice, category),
    [`${prefix}-10`]: (invoice) =>
      own(invoice).every(({ reason, reasonCode }) => (isGiven(reason) || isGiven(reasonCode)) === hasReason),
  };
}

const hasSellerTax: Rule = ({ seller }) => isGiven(seller.vatId) || isGiven(seller.taxNumber);
const isZero = (rate: string | null): boolean => rate !== null && isSame(decimal(rate), zero);

const isVatId = (id: string | null): boolean =>
  id === null || isCountryCode(id.slice(0, 2)) || ['EL', 'XI', '1A'].includes(id.slice(0, 2));

const atMostTwoDecimals = (amounts: readonly (string | null)[]): boolean =>
  amounts.every((amount) => amount === null || /^-?\d+(\.\d{1,2})?$/.test(amount));

const rules: Readonly<Record<string, Rule>> = {
  'BR-01': ({ specification }) => specification === 'urn:cen.eu:en16931:2017',
  'BR-02': ({ number: id }) => isGiven(id),
  'BR-03': ({ issuedOn }) => isDay(issuedOn),
  'BR-04': ({ type }) => type === '380' || type === '381',
  'BR-05': ({ currency }) => /^[A-Z]{3}$/.test(currency),
  'BR-06': ({ seller }) => isGiven(seller.name),
  'BR-07': ({ buyer }) => isGiven(buyer.name),
  'BR-08, 09': ({ seller }) => isGiven(seller.address.country),
  'BR-10, 11': ({ buyer }) => isGiven(buyer.address.country),
  'BR-12 to 15': ({ totals }) =>
    [totals.lines, totals.withoutVat, totals.withVat, totals.due].every((each) => parseDecimal(each) !== undefined),
  'BR-16': ({ lines }) => lines.length > 0,
  'BR-21': ({ lineIds, lines }) => lineIds.every(isGiven) && new Set(lineIds).size === lines.length,
  'BR-22': ({ lines }) => lines.every(({ quantity }) => parseDecimal(quantity) !== undefined),
  'BR-23': ({ units, lines }) => units.length === lines.length && units.every(isGiven),
  'BR-24': ({ lines }) => lines.every(({ amount }) => parseDecimal(amount) !== undefined),
  'BR-25': ({ lines }) => lines.every(({ name }) => isGiven(name)),
  'BR-26, 27': ({ lines }) => lines.every(({ price }) => compare(decimal(price), zero) >= 0),
  'BR-31 to 38': ({ allowances, charges }) =>
    [...allowances, ...charges].every(({ amount, reason, vat }) => isGiven(amount) && isGiven(reason) && vat.category),
  'BR-45 to 48': ({ vatBreakdown }) =>
    vatBreakdown.every(
      ({ base, tax, category, rate }) => isGiven(base) && isGiven(tax) && (category === 'O' || isGiven(rate)),
    ),
  'BR-49': ({ paymentMeans, paymentMeansCode }) => paymentMeans === null || isGiven(paymentMeansCode),
  'BR-55': ({ preceding }) => preceding === null || (isGiven(preceding.number) && isDay(preceding.issuedOn)),
  'BR-61': ({ paymentMeansCode }) => !['30', '58', '31', '42'].includes(paymentMeansCode ?? ''), // There is no account.
  'BR-62, 63': ({ schemes, seller, buyer }) =>
    schemes.length === [seller.email, buyer.email].filter(isGiven).length && schemes.every(isGiven),
  'BR-CL-14': ({ seller, buyer, deliveredTo }) =>
    [seller.address.country, buyer.address.country, deliveredTo ?? 'DE'].every(
      (code) => (isCountryCode(code) && code !== 'XK') || code === '1A',
    ),
  'BR-CL-16': ({ paymentMeansCode }) => [null, '68'].includes(paymentMeansCode),
  'BR-CO-04': (invoice) => positions(invoice).every(({ vat }) => isGiven(vat.category)),
  'BR-CO-09': ({ seller, buyer }) => isVatId(seller.vatId) && isVatId(buyer.vatId),
  'BR-CO-10': ({ totals, lines }) =>
    isSame(
      decimal(totals.lines),
      sum(lines, ({ amount }) => decimal(amount)),
    ),
  'BR-CO-11': ({ totals, allowances }) =>
    (totals.allowances === null) === (allowances.length === 0) &&
    isSame(
      number(totals.allowances),
      sum(allowances, ({ amount }) => decimal(amount)),
    ),
  'BR-CO-12': ({ totals, charges }) =>
    (totals.charges === null) === (charges.length === 0) &&
    isSame(
      number(totals.charges),
      sum(charges, ({ amount }) => decimal(amount)),
    ),
  'BR-CO-13': ({ totals }) =>
    isSame(
      decimal(totals.withoutVat),
      plus(minus(decimal(totals.lines), number(totals.allowances)), number(totals.charges)),
    ),
  'BR-CO-14': ({ totals, vatBreakdown }) =>
    isSame(
      decimal(totals.vat),
      sum(vatBreakdown, ({ tax }) => decimal(tax)),
    ),
  'BR-CO-15': ({ totals }) => isSame(decimal(totals.withVat), plus(decimal(totals.withoutVat), decimal(totals.vat))),
  'BR-CO-16': ({ totals }) =>
    isSame(decimal(totals.due), plus(minus(decimal(totals.withVat), number(totals.paid)), number(totals.rounding))),
  'BR-CO-17': (invoice) => isTaxNear(invoice) && vatCategories.every((category) => isTaxRight(invoice, category)),
  'BR-CO-18': ({ vatBreakdown }) => vatBreakdown.length > 0,
  'BR-CO-25': ({ totals, paymentTerms }) => compare(decimal(totals.due), zero) <= 0 || isGiven(paymentTerms),
  'BR-CO-26': ({ seller }) => isGiven(seller.identifier) || isGiven(seller.vatId),
  'BR-DEC': (invoice) =>
    atMostTwoDecimals([
      ...Object.values(invoice.totals),
      ...positions(invoice).map(({ amount }) => amount),
      ...invoice.vatBreakdown.flatMap(({ base, tax }) => [base, tax]),
    ]),
  ...categoryRules('BR-S', 'S', {
    isIdentified: hasSellerTax,
    isRate: (rate) => rate !== null && compare(decimal(rate), zero) > 0,
    hasReason: false,
  }),
  ...categoryRules('BR-Z', 'Z', { isIdentified: hasSellerTax, isRate: isZero, hasReason: false }),
  ...categoryRules('BR-E', 'E', { isIdentified: hasSellerTax, isRate: isZero, hasReason: true }),
  ...categoryRules('BR-AE', 'AE', {
    isIdentified: (invoice) => hasSellerTax(invoice) && isGiven(invoice.buyer.vatId),
    isRate: isZero,
    hasReason: true,
  }),
  ...categoryRules('BR-G', 'G', {
    isIdentified: ({ seller }) => isGiven(seller.vatId),
    isRate: isZero,
    hasReason: true,
  }),
  ...categoryRules('BR-IC', 'K', {
    isIdentified: ({ seller, buyer }) => isGiven(seller.vatId) && isGiven(buyer.vatId),
    isRate: isZero,
    hasReason: true,
  }),
  'BR-IC-11, 12': (invoice) =>
    !inCategory(invoice, 'K') || (isGiven(invoice.deliveredOn) && isGiven(invoice.deliveredTo)),
  ...categoryRules('BR-O', 'O', {
    isIdentified: ({ seller, buyer }) => seller.vatId === null && buyer.vatId === null,
    isRate: (rate) => rate === null,
    hasReason: true,
  }),
  'BR-O-11 to 14': (invoice) =>
    !inCategory(invoice, 'O') || positions(invoice).every(({ vat }) => vat.category === 'O'),
};

/** The names of the rules that it breaks. */
export const brokenRules = (invoice: ReadInvoice): string[] =>
  Object.entries(rules).flatMap(([name, isKept]) => (isKept(invoice) ? [] : [name]));
