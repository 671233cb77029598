/**
 * Which parts of a file are pages of one statement. Banks number pages in their own way, or not so that it could be used; their
 * balances say it better: a page opens with what the one before closed with, and what begins with an opening balance of
 * a statement and ends with its closing one is whole, whatever number it has.
 */
import { quoted, refused } from './bank-file-refused.ts';
import type { Balance, Page } from './bank-statement.ts';
import type { CountedPart } from './counted-part.ts';
import { closingOf, currencyOf, openingOf } from './part-balances.ts';

export type PageGroup = {
  /** In the order of the pages. */
  readonly parts: readonly CountedPart[];
  /** None: nobody counts them, or balances show that nothing is missing. */
  readonly pages: readonly Page[];
  /** By what pages of it are known in other files; null: it has none. */
  readonly pagesOf: string | null;
};

type Paged = { readonly each: CountedPart; readonly page: Page };

/** In the order in which each begins in the file. */
export function groupPages(parts: readonly CountedPart[]): readonly PageGroup[] {
  const groups: PageGroup[] = [];
  const numbered = new Map<string, Paged[]>();
  const counted: PageGroup[] = [];
  const unnumbered: CountedPart[] = [];
  const continued = new Set(parts.filter((each) => each.message.page && !begins(each)).map(pagesKey));
  for (const each of parts) {
    const page = pageOf(each, continued);
    if (page) addTo(numbered, pagesKey(each), { each, page });
    else if (each.kind === 'mt940' && isPageOfMt940(each)) unnumbered.push(each);
    else groups.push(alone(each));
  }
  for (const [key, group] of numbered) {
    if (group[0]?.each.kind !== 'mt940') groups.push(...camtGroup(key, group));
    else if (isCountable(group)) counted.push(mt940Group(key, group));
    else unnumbered.push(...group.map(({ each }) => each));
  }
  // Where numbers cannot be trusted, those of pages that need another one cannot either.
  const isLoose = (group: PageGroup): boolean => unnumbered.length > 0 && !isComplete(group.parts);
  const [loose, firm] = [counted.filter(isLoose), counted.filter((group) => !isLoose(group))];
  unnumbered.push(...loose.flatMap((group) => group.parts));
  groups.push(...firm);
  const places = new Map(parts.map((each, place) => [each, place]));
  const placeOf = (each: CountedPart | undefined): number => (each && places.get(each)) ?? 0;
  groups.push(...chains(unnumbered.toSorted((a, b) => placeOf(a) - placeOf(b))));
  return groups.toSorted((a, b) => placeOf(a.parts[0]) - placeOf(b.parts[0]));
}

function addTo<T>(groups: Map<string, T[]>, key: string, one: T): void {
  const group = groups.get(key);
  if (group) group.push(one);
  else groups.set(key, [one]);
}

const alone = (each: CountedPart): PageGroup => ({ parts: [each], pages: [], pagesOf: null });

/**
 * Null: all of its statement, as far as its number says. Page 1 of 1 is, though others have the same number, or none, and the same id.
 * `continued`: statements of which a page begins within them; then a balance on the way is no end of a report.
 */
function pageOf(each: CountedPart, continued: ReadonlySet<string>): Page | null {
  const { part, message } = each;
  const page = part.page ?? message.page;
  if (page === null || (page.number === 1 && page.isLast)) return null;
  // A message may be a page of several, and the statement in it whole.
  return part.page === null && isWhole(each) && !(continued.has(pagesKey(each)) && !isEnd(each)) ? null : page;
}

const isOfMessage = ({ each }: Paged): boolean => each.part.page === null;

/** It has both balances of a statement, and they are those of its bookings. */
function isWhole(each: CountedPart): boolean {
  const [opening, closing] = balancesOf(each);
  if (!opening || !closing || opening.isInterim || !ends(each, closing)) return false;
  const { booked, reversed } = each.sums;
  return [booked + reversed, booked - reversed].some((sum) => opening.units + sum === closing.units);
}

/** A report within the day ends with the balance that it has come to. */
const ends = ({ kind }: CountedPart, closing: Balance | null): boolean =>
  closing !== null && (!closing.isInterim || (kind === 'camt.052' && closing.code === 'ITBD'));

const isWholeBalance = (balance: Balance | null): boolean => balance !== null && !balance.isInterim;
const begins = (each: CountedPart): boolean => isWholeBalance(balancesOf(each)[0]);
const isEnd = (each: CountedPart): boolean => isWholeBalance(balancesOf(each)[1]);

function balancesOf(each: CountedPart) {
  const currency = currencyOf([each]);
  return [openingOf(each, currency), closingOf(each, currency)] as const;
}

/** Pages have the number of their statement in common, which starts anew each year; where there is none, its id. */
function pagesKey({ kind, part }: CountedPart): string {
  const { account, electronicSequence, legalSequence, period, createdAt } = part;
  const year = (period.to ?? period.from ?? createdAt ?? '').slice(0, 4);
  return [kind, account.iban ?? account.other, electronicSequence ?? legalSequence ?? part.id, year].join(' ');
}

const byPage = (a: Paged, b: Paged): number => a.page.number - b.page.number;
const inOrder = (group: readonly Paged[]): [Paged, ...Paged[]] => group.toSorted(byPage) as [Paged, ...Paged[]];

function camtGroup(key: string, group: readonly Paged[]): readonly PageGroup[] {
  const ordered = inOrder(group);
  const parts = ordered.map(({ each }) => each);
  const pages = ordered.map(({ page }) => page);
  const [{ each: first }] = ordered;
  const last = ordered.at(-1)?.each ?? first;
  if (!ordered.every(isOfMessage)) return [{ parts, pages, pagesOf: key }];
  const isNotice = first.kind === 'camt.054';
  if (isNotice && ordered.length === 1) {
    if (first.message.hasOthers) return [alone(first)];
    // The pages of a message may be of notices each under an id of its own.
    const { account } = first.part;
    return [
      { parts, pages, pagesOf: [first.kind, account.iban ?? account.other, 'message', first.message.day].join(' ') },
    ];
  }
  // Counted over all statements of a message, so where this one begins and ends is said by its balances.
  const hasOthers = ordered.some(({ each }) => each.message.hasOthers);
  const isEnded = isNotice ? hasOthers : ends(last, balancesOf(last)[1]);
  const counted = (isNotice ? hasOthers : begins(first)) ? fromOne(pages) : pages;
  const ended = counted.map(
    (page, place): Page => (place === pages.length - 1 ? { ...page, isLast: page.isLast || isEnded } : page),
  );
  return [{ parts, pages: ended, pagesOf: key }];
}

function fromOne(pages: readonly Page[]): readonly Page[] {
  const first = pages[0]?.number ?? 1;
  return pages.map(({ number, isLast }) => ({ number: number - first + 1, isLast }));
}

const isPageOfMt940 = ({ part }: CountedPart): boolean => part.balances.some(({ isInterim }) => isInterim);

/** No two have a number, and where they begin and end their balances agree with it. */
function isCountable(group: readonly Paged[]): boolean {
  const ordered = inOrder(group);
  return ordered.every(({ each, page }, place) => {
    const next = ordered[place + 1];
    const isWellBegun = begins(each) ? place === 0 : page.number > 1;
    return isWellBegun && (!next || (next.page.number !== page.number && !isEnd(each)));
  });
}

function isComplete(pages: readonly CountedPart[]): boolean {
  const [first, last] = [pages[0], pages.at(-1)];
  return first !== undefined && last !== undefined && begins(first) && isEnd(last);
}

function mt940Group(key: string, group: readonly Paged[]): PageGroup {
  const ordered = inOrder(group);
  const pages = ordered.map(({ page }) => page);
  return {
    parts: ordered.map(({ each }) => each),
    pages: begins(ordered[0].each) ? fromOne(pages) : pages,
    pagesOf: key,
  };
}

/** In the order of the file: each goes on from the page before it, where that ended within a statement with the same balance. */
function chains(parts: readonly CountedPart[]): readonly PageGroup[] {
  const runs: Run[] = [];
  const open = new Map<string, Run>();
  for (const each of parts) {
    const account = [each.part.account.iban ?? each.part.account.other, currencyOf([each])].join(' ');
    const [opening, closing] = balancesOf(each);
    const run = open.get(account);
    if (run && opening?.isInterim && run.left?.isInterim && run.left.units === opening.units) {
      demandOther(run, each, opening);
      run.parts.push(each);
      run.left = closing;
    } else {
      const begun: Run = { parts: [each], left: closing, told: new Set() };
      if (opening) demandOther(begun, each, opening);
      runs.push(begun);
      open.set(account, begun);
    }
  }
  return runs.map((run) => ({ parts: run.parts, pages: [], pagesOf: null }));
}

type Run = { readonly parts: CountedPart[]; left: Balance | null; readonly told: Set<string> };

/** Where as much left as came, a page that is there twice goes on from itself. */
function demandOther({ told }: Run, { part, sums }: CountedPart, opening: Balance): void {
  if (sums.entryCount === 0) return;
  const all = `${opening.units} ${sums.told.copy().digest('hex')}`;
  if (told.has(all))
    throw refused('bank_page_twice', `A page of the statement ${quoted(part.id)} is there twice: leave one out.`, {
      page: part.id,
    });
  told.add(all);
}
