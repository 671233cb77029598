/** What a paper says about its seller, and about what the seller does not tax. */
import { compare, decimal, zero } from '../money/decimal.ts';
import { type FactLine, isSameName, type PaperFacts, type Seller } from '../papers/paper-facts.ts';
import { isReverseCharge } from '../papers/reverse-charge.ts';
import { type AddressLine, addressText } from '../payment-page/buyer-lines.ts';
import type { PageLook } from '../web/page-layout.ts';

/**
 * First the business, then what its shop is called. The address as the business wrote it, without the name that it may begin
 * with, or else put together from its parts; likewise the tax id.
 */
export function sellerLines(look: PageLook, seller: Seller): string[] {
  const { name, tradingName = null, legalLine, postalAddress, taxId, email, data } = seller;
  const names = [name, ...(tradingName === null ? [] : [tradingName])];
  const address = postalAddress.filter((line) => !names.some((each) => isSameName(each, line)));
  const town = [data?.postcode, data?.city].filter(Boolean).join(' ');
  const parts: AddressLine[] = [data?.street ?? '', town, data?.country ? { country: data.country } : ''];
  const ids = taxId === null ? [data?.vatId, data?.taxNumber] : [taxId];
  const lines: AddressLine[] = [
    ...names,
    ...(address.length > 0 ? address : parts),
    legalLine ?? '',
    ...ids.map((id): AddressLine => (id ? { taxId: id } : '')),
    email ?? '',
  ];
  return lines.filter((line) => line !== '').map((line) => addressText(look, line));
}

const categoryWords = { AE: 'untaxed_AE', G: 'untaxed_G', K: 'untaxed_K', O: 'untaxed_O' } as const;

export type UntaxedWords = {
  readonly text: string;
  /** Others have a tax: so those that are meant are marked. */
  readonly isOfSome: boolean;
  readonly isMarked: (line: FactLine) => boolean;
};

/** The words that tax law asks for where something has no tax; null: there is no such thing, or no such words. */
export function untaxedWords(look: PageLook, facts: PaperFacts): UntaxedWords | null {
  const hasTax = facts.taxes.some(({ percent }) => compare(decimal(percent), zero) > 0);
  const counted = facts.lines.filter(({ amount }) => compare(decimal(amount), zero) !== 0);
  const untaxed = new Set(counted.filter(({ isTaxed }) => !(hasTax && isTaxed)));
  const text = untaxed.size === 0 ? null : categoryText(look, facts);
  const isOfSome = untaxed.size < counted.length;
  return text === null ? null : { text, isOfSome, isMarked: (line) => isOfSome && untaxed.has(line) };
}

function categoryText({ say }: PageLook, facts: PaperFacts): string | null {
  const { data } = facts.seller;
  const kind = data?.untaxedAs ?? null;
  if (kind === null || kind === 'Z' || (kind === 'AE' && !isReverseCharge(facts))) return null;
  return kind === 'E' ? (data?.exemptBecause ?? null) : say(categoryWords[kind]);
}
