/**
 * An issued paper as an electronic invoice, or what keeps it from being one. Nothing is guessed: what the standard cannot say, or
 * what nobody told us, makes that there is no e-invoice, and the account says why.
 */
import { findCurrency } from '../catalog/currency-catalog.ts';
import { dayOf } from '../lib/local-day.ts';
import { vatIdOf } from '../lib/vat-number.ts';
import type { SellerData } from '../merchants/seller-data.ts';
import { compare, decimal, formatDecimal, minus, negate, one, roundTo, times, zero } from '../money/decimal.ts';
import { paidName, sentName } from '../payment-page/transaction-name.ts';
import { coinText, rateText } from '../web/number-text.ts';
import { sayIn } from '../web/texts/page-texts.ts';
import {
  createEInvoice,
  type EAllowance,
  type EBuyer,
  type EInvoice,
  type EInvoiceDraft,
  type ESeller,
  type Vat,
} from './e-invoice.ts';
import { lineText } from './line-words.ts';
import type { FactLine, PaperFacts } from './paper-facts.ts';
import type { StoredPaper } from './paper-store.ts';
import { isReverseCharge } from './reverse-charge.ts';

export const eInvoiceLacks = [
  'seller_country',
  'seller_tax',
  'seller_vat_id',
  'seller_tax_number',
  'buyer_name',
  'buyer_country',
  'buyer_vat_id',
  'buyer_abroad',
  'untaxed',
  'mixed',
  'several_taxes',
  'currency',
  'decimals',
  'negative',
  'lines',
  'rounding',
] as const;
export type EInvoiceLack = (typeof eInvoiceLacks)[number];

export type EInvoiceOutcome = { readonly invoice: EInvoice | null; readonly lacks: readonly EInvoiceLack[] };

type Issued = Pick<StoredPaper, 'number' | 'issuedAt' | 'facts'>;

/** Replaced in its country, so that the list of ISO 4217 has it no more; some shops still bill in it. */
const withdrawnCurrencies = ['VEF'];

export function eInvoiceOf(paper: Issued): EInvoiceOutcome {
  const { facts } = paper;
  const positions = positionsOf(facts);
  const lacks = lacksOf(facts, positions);
  return lacks.length > 0
    ? { invoice: null, lacks }
    : { invoice: createEInvoice(draftOf(paper, positions)), lacks: [] };
}

type Position = { readonly line: FactLine; readonly vat: Vat | null };

/** With how each is taxed; null: nobody said. What costs nothing and is no item, such as shipping for a file, is left out. */
function positionsOf({ lines, taxes, seller }: PaperFacts): Position[] {
  const [tax] = taxes.filter(isCharged);
  const kind = seller.data?.untaxedAs ?? null;
  const untaxed: Vat | null = kind && { category: kind, rate: kind === 'O' ? null : '0' };
  return lines
    .filter((line) => line.kind === 'item' || compare(decimal(line.amount), zero) !== 0)
    .map((line) => ({ line, vat: line.isTaxed && tax ? { category: 'S', rate: tax.percent } : untaxed }));
}

const isCharged = ({ percent }: PaperFacts['taxes'][number]): boolean => compare(decimal(percent), zero) > 0;

/** BR-CO-17, as it is published. A part of an invoice in a currency without decimals can be further away. */
function isNearItsRate({ base, percent, amount }: PaperFacts['taxes'][number]): boolean {
  const exact = roundTo(times(decimal(base), times(decimal(percent), decimal('0.01'))), 2, 'half-up');
  const difference = minus(decimal(amount), exact);
  return compare(difference, one) < 0 && compare(negate(difference), one) < 0;
}

const isTakenOff = ({ kind }: FactLine): boolean => kind === 'discount' || kind === 'accepted';

function lacksOf(facts: PaperFacts, positions: readonly Position[]): EInvoiceLack[] {
  const { seller, buyer, currency, decimals } = facts;
  const { country = null, vatId = null, taxNumber = null }: Partial<SellerData> = seller.data ?? {};
  const has = (...categories: Vat['category'][]): boolean =>
    positions.some(({ vat }) => vat !== null && categories.includes(vat.category));
  const isNegative = ({ line }: Position): boolean => {
    const amount = decimal(line.amount);
    const isPriceNegative = line.unitPrice !== null && compare(decimal(line.unitPrice), zero) < 0;
    return isPriceNegative || compare(isTakenOff(line) ? negate(amount) : amount, zero) < 0;
  };
  const isIso = findCurrency(currency)?.type === 'FIAT' && !withdrawnCurrencies.includes(currency);
  const isLacking: Readonly<Record<EInvoiceLack, boolean>> = {
    seller_country: country === null,
    seller_tax: !has('O', 'G', 'K') && vatId === null && taxNumber === null,
    seller_vat_id: has('G', 'K') && vatId === null,
    seller_tax_number: has('O') && taxNumber === null,
    buyer_name: buyer === null || buyerName(buyer.fields) === null,
    buyer_country: !buyer?.fields.countrycode,
    buyer_vat_id: has('AE', 'K') && vatIdOf(buyer?.fields.taxid ?? '') === null,
    buyer_abroad:
      has('AE') && country !== null && vatIdOf(buyer?.fields.taxid ?? '') !== null && !isReverseCharge(facts),
    untaxed: positions.some(({ vat }) => vat === null),
    mixed: has('O') && positions.some(({ vat }) => vat?.category !== 'O'),
    several_taxes: facts.taxes.filter(isCharged).length > 1,
    currency: !isIso,
    decimals: decimals > 2,
    negative: positions.some(isNegative),
    lines: !positions.some(({ line }) => line.kind === 'item' || line.kind === 'part'),
    rounding: facts.taxes.some((tax) => isCharged(tax) && !isNearItsRate(tax)),
  };
  return eInvoiceLacks.filter((lack) => isLacking[lack]);
}

function draftOf({ number, issuedAt, facts }: Issued, positions: readonly Position[]): EInvoiceDraft {
  const say = sayIn(facts.language);
  const given = positions.flatMap(({ line, vat }) => (vat === null ? [] : [{ line, vat }]));
  const isOutside = given.some(({ vat }) => vat.category === 'O');
  const isInsideUnion = given.some(({ vat }) => vat.category === 'K');
  const { corrects, payments } = facts;
  const buyer = buyerOf(facts, isOutside);
  const isByHand = corrects?.reason.kind === 'hand';
  const allowances = (isIt: (line: FactLine) => boolean): EAllowance[] =>
    given
      .filter(({ line }) => isIt(line))
      .map(({ line, vat }) => ({ reason: lineText(say, line), amount: line.amount.replace('-', ''), vat }));
  return {
    type: facts.kind === 'creditNote' ? '381' : '380',
    number,
    issuedOn: dayOf(facts.timeZone, issuedAt),
    currency: facts.currency,
    decimals: facts.decimals,
    notes: notesOf(facts),
    orderReference: facts.orderReference ?? facts.checkoutId,
    preceding: corrects && { number: corrects.number, issuedOn: corrects.day },
    seller: sellerOf(facts, isOutside),
    buyer,
    // The rules ask for both; the account says where it is chosen that these are taken for them.
    deliveredOn: isInsideUnion ? (facts.suppliedOn ?? dayOf(facts.timeZone, new Date(facts.paidAt))) : null,
    deliveredTo: isInsideUnion ? buyer.address.country : null,
    paymentMeans: [...new Set(payments.map(({ networkName }) => networkName))].join(', ') || null,
    paymentTerms: isByHand ? say('creditMovesNoMoney') : null,
    lines: given
      .filter(({ line }) => line.kind === 'item' || line.kind === 'part')
      .map(({ line, vat }) => ({
        name: lineText(say, line),
        productId: null,
        quantity: formatDecimal(decimal(line.quantity)),
        price: formatDecimal(decimal(line.unitPrice ?? line.amount)),
        amount: line.amount,
        vat,
      })),
    allowances: allowances(isTakenOff),
    charges: allowances(({ kind }) => kind === 'shipping'),
    exemptBecause: facts.seller.data?.exemptBecause ?? null,
    charged: facts.total,
    statedTax: facts.taxes.find(isCharged)?.amount ?? null,
    paid: isByHand ? '0' : facts.total,
  };
}

/** Kosovo, which shops call XK, is 1A there. */
const countryCode = (code: string): string => (code.toUpperCase() === 'XK' ? '1A' : code.toUpperCase());

/** Who invoices what is outside the scope of VAT names no VAT id (BR-O-02); without one the tax number identifies the seller. */
function sellerOf({ seller }: PaperFacts, isOutside: boolean): ESeller {
  const { data } = seller;
  const vatId = isOutside ? null : (data?.vatId ?? null);
  const taxNumber = data?.taxNumber ?? null;
  return {
    name: seller.name,
    tradingName: seller.tradingName ?? null,
    legalInfo: seller.legalLine,
    identifier: vatId === null ? taxNumber : null,
    vatId,
    taxNumber,
    email: seller.email,
    address: {
      street: data?.street ?? null,
      more: null,
      city: data?.city ?? null,
      postcode: data?.postcode ?? null,
      country: countryCode(data?.country ?? ''),
    },
  };
}

type BuyerFields = NonNullable<PaperFacts['buyer']>['fields'];

const personName = ({ firstname, lastname }: BuyerFields): string | null =>
  [firstname, lastname].filter(Boolean).join(' ') || null;

const buyerName = (fields: BuyerFields): string | null => fields.company || personName(fields);

function buyerOf({ buyer }: PaperFacts, isOutside: boolean): EBuyer {
  const fields = buyer?.fields ?? {};
  const vatId = vatIdOf(fields.taxid ?? '');
  return {
    name: buyerName(fields) ?? '',
    contact: fields.company ? personName(fields) : null,
    identifier: vatId === null || isOutside ? fields.taxid || null : null,
    vatId: isOutside ? null : vatId,
    email: buyer?.email ?? null,
    address: {
      street: fields.adr1 || null,
      more: fields.adr2 || null,
      city: fields.city || null,
      postcode: fields.zip || null,
      country: countryCode(fields.countrycode ?? ''),
    },
  };
}

/** With which coins it was paid, at which rate and where on the chain; and what a person wrote about a credit note. */
function notesOf({ kind, language, payments, corrects, isSandbox }: PaperFacts): string[] {
  const say = sayIn(language);
  const nameOf = kind === 'creditNote' ? sentName : paidName;
  const paid = payments.map(({ amount, assetCode, network, networkName, rate, txHash }) =>
    [
      `${networkName}: ${coinText(language, amount, assetCode)}`,
      ...(rate === null ? [] : [`${say('rate')}: ${rateText(language, rate)}`]),
      ...(txHash === '' ? [] : [`${nameOf({ say, language }, network)}: ${txHash}`]),
    ].join('; '),
  );
  const reason = corrects?.reason.text ?? null;
  return [...(isSandbox ? [say('sandbox')] : []), ...(reason === null ? [] : [reason]), ...paid];
}
