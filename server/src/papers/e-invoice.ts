/**
 * An electronic invoice as EN 16931 means it, before it is written as XML. Each field is a business term of the standard, with
 * its number (BT) or that of its group (BG). Amounts are decimals in plain notation, with the decimals of the currency.
 *
 * Who makes one gives lines, allowances and charges; the sums follow from them by the rules of the standard (BR-CO-10 to 17) and
 * cannot be given. What was charged may differ from them by cents, since a checkout rounds once, and an invoice what is taxed
 * and each tax: the difference is the rounding amount, BT-114.
 */
import {
  compare,
  type Decimal,
  decimal,
  formatFixed,
  minus,
  plus,
  roundTo,
  sum,
  times,
  zero,
} from '../money/decimal.ts';

/** BT-118 and its like: standard rated, zero rated, exempt, reverse charge, export, intra-community supply, not subject to VAT. */
export const vatCategories = ['S', 'Z', 'E', 'AE', 'G', 'K', 'O'] as const;
export type VatCategory = (typeof vatCategories)[number];

/** How something is taxed. The rate is in percent; null, and only then, for what is not subject to VAT (BR-O-05). */
export type Vat = { readonly category: VatCategory; readonly rate: string | null };

export type EAddress = {
  readonly street: string | null; // BT-35, BT-50
  readonly more: string | null; // BT-36, BT-51
  readonly city: string | null; // BT-37, BT-52
  readonly postcode: string | null; // BT-38, BT-53
  readonly country: string; // BT-40, BT-55
};

type Party = {
  readonly name: string; // BT-27, BT-44
  readonly identifier: string | null; // BT-29, BT-46
  readonly vatId: string | null; // BT-31, BT-48
  readonly email: string | null; // BT-34, BT-49
  readonly address: EAddress; // BG-5, BG-8
};

export type ESeller = Party & {
  readonly tradingName: string | null; // BT-28
  readonly taxNumber: string | null; // BT-32
  readonly legalInfo: string | null; // BT-33
};

export type EBuyer = Party & { readonly contact: string | null }; // BT-56

export type ELine = {
  readonly name: string; // BT-153
  readonly productId: string | null; // BT-155
  readonly quantity: string; // BT-129
  readonly price: string; // BT-146
  readonly amount: string; // BT-131
  readonly vat: Vat; // BT-151, BT-152
};

/** BG-20 or BG-21. */
export type EAllowance = {
  readonly reason: string; // BT-97, BT-104
  readonly amount: string; // BT-92, BT-99
  readonly vat: Vat; // BT-95, BT-96, BT-102, BT-103
};

/** BG-23. */
export type VatBreakdown = Vat & {
  readonly base: string; // BT-116
  readonly tax: string; // BT-117
  readonly reason: string | null; // BT-120
  readonly reasonCode: string | null; // BT-121
};

/** BG-22. */
export type ETotals = {
  readonly lines: string; // BT-106
  readonly allowances: string | null; // BT-107
  readonly charges: string | null; // BT-108
  readonly withoutVat: string; // BT-109
  readonly vat: string; // BT-110
  readonly withVat: string; // BT-112
  readonly paid: string | null; // BT-113
  readonly rounding: string | null; // BT-114
  readonly due: string; // BT-115
};

export type EInvoice = {
  readonly type: '380' | '381'; // BT-3: an invoice, a credit note
  readonly number: string; // BT-1
  readonly issuedOn: string; // BT-2, as 2026-11-18
  readonly currency: string; // BT-5
  readonly notes: readonly string[]; // BT-22
  readonly orderReference: string | null; // BT-14: the seller's own number of the order
  readonly preceding: { readonly number: string; readonly issuedOn: string } | null; // BT-25, BT-26
  readonly seller: ESeller; // BG-4
  readonly buyer: EBuyer; // BG-7
  readonly deliveredOn: string | null; // BT-72
  readonly deliveredTo: string | null; // BT-80: a country
  readonly paymentMeans: string | null; // BT-82: in words
  readonly paymentTerms: string | null; // BT-20
  readonly allowances: readonly EAllowance[]; // BG-20
  readonly charges: readonly EAllowance[]; // BG-21
  readonly vatBreakdown: readonly VatBreakdown[]; // BG-23
  readonly totals: ETotals; // BG-22
  readonly lines: readonly ELine[]; // BG-25
};

/**
 * BT-81 as UNTDID 4461 numbers it: an online payment service. There is no code for coins. 1 (not defined) would say less, and 97
 * (clearing between partners) would say that no money moved.
 */
export const paymentMeansCode = '68';

/** BT-130: one piece, as UN/ECE Recommendation 20 calls it. */
export const pieces = 'C62';

/** BT-120 and BT-121, which some categories need (BR-E-10, BR-AE-10, BR-G-10, BR-IC-10, BR-O-10) and the others must not have. */
const exemptions: Readonly<Partial<Record<VatCategory, { readonly reason: string; readonly reasonCode: string }>>> = {
  AE: { reason: 'Reverse charge', reasonCode: 'VATEX-EU-AE' },
  G: { reason: 'Export outside the EU', reasonCode: 'VATEX-EU-G' },
  K: { reason: 'Intra-community supply', reasonCode: 'VATEX-EU-IC' },
  O: { reason: 'Not subject to VAT', reasonCode: 'VATEX-EU-O' },
};

export type EInvoiceDraft = Omit<EInvoice, 'vatBreakdown' | 'totals'> & {
  /** Of the currency; the standard allows at most two (BR-DEC). */
  readonly decimals: number;
  /** Why something is exempt (E), in the seller's words. */
  readonly exemptBecause: string | null;
  /** What was asked for in the end. */
  readonly charged: string;
  /**
   * The tax of what is standard rated, where the paper states one that may differ by cents from its rate of the base: what
   * credit notes take back in parts comes to the whole. Null: the rate of the base, rounded.
   */
  readonly statedTax: string | null;
  readonly paid: string;
};

export function createEInvoice(draft: EInvoiceDraft): EInvoice {
  const { decimals, exemptBecause, charged, statedTax, paid, ...rest } = draft;
  const written = (value: Decimal): string => formatFixed(value, decimals);
  const unlessZero = (value: Decimal): string | null => (compare(value, zero) === 0 ? null : written(value));
  const { lines } = draft;
  const amountOf = ({ amount }: { readonly amount: string }): Decimal => decimal(amount);
  const [sumOfLines, allowances, charges] = [lines, draft.allowances, draft.charges].map((all) => sum(all, amountOf));
  if (!sumOfLines || !allowances || !charges) throw new Error('three sums of three lists');
  const vatBreakdown = breakdownOf({ lines, allowances: draft.allowances, charges: draft.charges }, decimals).map(
    ({ vat, base, tax }): VatBreakdown => {
      const exemption = exemptions[vat.category];
      return {
        category: vat.category,
        rate: vat.rate,
        base: written(base),
        tax: vat.category === 'S' && statedTax !== null ? statedTax : written(tax),
        reason: vat.category === 'E' ? exemptBecause : (exemption?.reason ?? null),
        reasonCode: exemption?.reasonCode ?? null,
      };
    },
  );
  const withoutVat = plus(minus(sumOfLines, allowances), charges);
  const vat = sum(vatBreakdown, ({ tax }) => decimal(tax));
  const withVat = plus(withoutVat, vat);
  return {
    ...rest,
    vatBreakdown,
    totals: {
      lines: written(sumOfLines),
      allowances: draft.allowances.length === 0 ? null : written(allowances),
      charges: draft.charges.length === 0 ? null : written(charges),
      withoutVat: written(withoutVat),
      vat: written(vat),
      withVat: written(withVat),
      paid: unlessZero(decimal(paid)),
      rounding: unlessZero(minus(decimal(charged), withVat)),
      due: written(minus(decimal(charged), decimal(paid))),
    },
  };
}

type Taxed = { readonly amount: string; readonly vat: Vat };

type Positions = Readonly<Record<'lines' | 'allowances' | 'charges', readonly Taxed[]>>;

/** One for each category and rate, in the order in which they appear. */
function breakdownOf({ lines, allowances, charges }: Positions, decimals: number) {
  const bases = new Map<string, { readonly vat: Vat; readonly base: Decimal }>();
  const add = ({ amount, vat }: Taxed, isTakenOff: boolean): void => {
    const name = `${vat.category} ${vat.rate}`;
    const before = bases.get(name)?.base ?? zero;
    bases.set(name, { vat, base: (isTakenOff ? minus : plus)(before, decimal(amount)) });
  };
  for (const each of [...lines, ...charges]) add(each, false);
  for (const each of allowances) add(each, true);
  return [...bases.values()].map(({ vat, base }) => ({
    vat,
    base,
    tax: roundTo(times(base, times(decimal(vat.rate ?? '0'), decimal('0.01'))), decimals, 'half-up'),
  }));
}
