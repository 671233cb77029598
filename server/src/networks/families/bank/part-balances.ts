/** With which balances a statement, or a page of one, opens and closes, of all that a bank writes into it. */
import { refused } from './bank-file-refused.ts';
import type { Balance } from './bank-statement.ts';
import type { CountedPart } from './counted-part.ts';

/** The account's; a bank that does not say it has one in its balances, or bookings. */
export function currencyOf(parts: readonly CountedPart[]): string | null {
  const [first] = parts;
  const balance = parts.flatMap(({ part }) => part.balances)[0];
  return first?.part.account.currency ?? balance?.currency ?? [...(first?.sums.currencies ?? [])][0] ?? null;
}

/** Rather that of the statement than that of a page. */
export const openingOf = ({ kind, part: { balances } }: CountedPart, currency: string | null): Balance | null =>
  pick(balances, currency, { codes: ['OPBD', 'PRCD'], isInterim: false, which: 'earliest' }) ??
  pick(balances, currency, { codes: ['OPBD', 'PRCD'], isInterim: true, which: 'earliest' }) ??
  (kind === 'camt.053' ? interim(balances, currency).opening : null);

export function closingOf({ kind, part: { balances } }: CountedPart, currency: string | null): Balance | null {
  const whole = pick(balances, currency, { codes: ['CLBD'], isInterim: false, which: 'latest' });
  if (whole || kind === 'camt.054') return whole;
  const page = pick(balances, currency, { codes: ['CLBD'], isInterim: true, which: 'latest' });
  // A report of a day that is not over has no closing balance, but the one that its bookings have come to.
  return (
    page ??
    (kind === 'camt.052' ? of(balances, currency, ['ITBD']).at(-1) : interim(balances, currency).closing) ??
    null
  );
}

const of = (balances: readonly Balance[], currency: string | null, codes: readonly string[]): readonly Balance[] =>
  balances.filter((each) => codes.includes(each.code) && each.currency === currency);

/** Of several of a page the first is where it begins; of one, the other balance says where it stands. */
function interim(balances: readonly Balance[], currency: string | null) {
  const found = of(balances, currency, ['ITBD']);
  const [first = null] = found;
  const hasClosing = of(balances, currency, ['CLBD']).length > 0;
  const last = found.at(-1) ?? null;
  return found.length > 1 || hasClosing ? { opening: first, closing: last } : { opening: null, closing: last };
}

/** A statement over several days may have balances of each of them. */
function pick(
  balances: readonly Balance[],
  currency: string | null,
  {
    codes,
    isInterim,
    which,
  }: { readonly codes: readonly string[]; readonly isInterim: boolean; readonly which: 'earliest' | 'latest' },
): Balance | null {
  for (const code of codes) {
    const found = of(balances, currency, [code])
      .filter((each) => each.isInterim === isInterim)
      .toSorted((a, b) => ((a.day ?? '') < (b.day ?? '') ? -1 : (a.day ?? '') > (b.day ?? '') ? 1 : 0));
    const chosen = found.at(which === 'earliest' ? 0 : -1);
    if (!chosen) continue;
    if (found.some(({ day, units }) => day === chosen.day && units !== chosen.units))
      throw refused(
        'bank_balance_twice',
        `A statement of the file has two balances ${code} of one day, and they differ: get it from the bank again.`,
        { code },
      );
    return chosen;
  }
  return null;
}
