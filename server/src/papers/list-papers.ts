/**
 * Papers as lists show them, newest first: with what credit notes took back, and the mark that follows from it. Found by their
 * number, by the order, or by the customer.
 */
import { matchCheckouts } from '../checkouts/match-checkouts.ts';
import { searchForm } from '../checkouts/search-form.ts';
import type { Query } from '../db/database.ts';
import { listPage, type PageRange } from '../http/page-cursor.ts';
import { formatFixed } from '../money/decimal.ts';
import { creditedOf, notesOn } from './credit-note.ts';
import { paperNotFound } from './paper-errors.ts';
import {
  findPapers,
  listAllPapers,
  listPapersAmong,
  listPapersOfCustomer,
  listPapersOfKind,
  type PaperFits,
  type PaperMatches,
  papersNaming,
  papersNumbered,
  papersOfCheckouts,
  refundedCheckouts,
} from './paper-list-store.ts';
import { type PaperMark, paperMark } from './paper-mark.ts';
import { findPaper, papersOfCheckout, type StoredPaper } from './paper-store.ts';

export type ListedPaper = {
  readonly paper: StoredPaper;
  /** What credit notes took back of it, in its currency. */
  readonly credited: string;
  /** Null: of a credit note. */
  readonly mark: PaperMark | null;
};

export type PaperFilter = PaperFits & {
  /** What a search has found; null: nothing is searched for. */
  readonly matches: PaperMatches | null;
};

export const anyPaper: PaperFilter = { kind: null, customerId: null, checkoutId: null, matches: null };

export type PaperPage = {
  readonly limit: number;
  readonly cursor?: string;
  readonly from?: string;
  readonly to?: string;
};

export function listPapers(
  query: Query,
  merchantId: string,
  filter: PaperFilter,
  page: PaperPage,
): Promise<{ items: ListedPaper[]; next: string | null }> {
  return listPage(
    page,
    (cut) => keysOf(query, merchantId, filter, cut),
    async (keys) => {
      const ids = keys.map(({ id }) => id);
      const found = await findPapers(query, merchantId, ids);
      return withMarks(
        query,
        merchantId,
        found.filter((paper) => paper !== undefined),
      );
    },
  );
}

function keysOf(query: Query, merchantId: string, filter: PaperFilter, cut: PageRange) {
  const { kind, customerId, checkoutId } = filter;
  const matches = filter.matches ?? (checkoutId === null ? null : { ids: [], checkoutIds: [checkoutId] });
  if (matches) return listPapersAmong(query, merchantId, matches, filter, cut);
  if (customerId !== null) return listPapersOfCustomer(query, merchantId, { customerId, kind }, cut);
  return kind === null ? listAllPapers(query, merchantId, cut) : listPapersOfKind(query, merchantId, kind, cut);
}

async function withMarks(query: Query, merchantId: string, found: readonly StoredPaper[]): Promise<ListedPaper[]> {
  const checkoutIds = [...new Set(found.map(({ checkoutId }) => checkoutId))];
  const [papers, refunded] = await Promise.all([
    papersOfCheckouts(query, merchantId, checkoutIds),
    refundedCheckouts(query, merchantId, checkoutIds),
  ]);
  const all = Map.groupBy(papers, ({ checkoutId }) => checkoutId);
  return found.map((paper) => {
    const { checkoutId } = paper;
    return listed(all.get(checkoutId) ?? [], paper, refunded.includes(checkoutId));
  });
}

/** `papers`: all of its checkout. `isRefunded`: all of it went back. */
export const listed = (papers: readonly StoredPaper[], paper: StoredPaper, isRefunded: boolean): ListedPaper => ({
  paper,
  credited: formatFixed(creditedOf(papers, paper), paper.facts.decimals),
  mark: paperMark(papers, paper, isRefunded),
});

export type ShownPaper = ListedPaper & {
  /** What corrects it, in the order in which they were issued. */
  readonly notes: readonly StoredPaper[];
  /** All of its checkout. */
  readonly papers: readonly StoredPaper[];
};

export async function showPaper(query: Query, merchantId: string, id: string): Promise<ShownPaper> {
  const paper = await findPaper(query, merchantId, id);
  if (!paper) throw paperNotFound(id);
  const { checkoutId } = paper;
  const [papers, refunded] = await Promise.all([
    papersOfCheckout(query, { merchantId, id: checkoutId }),
    refundedCheckouts(query, merchantId, [checkoutId]),
  ]);
  const { credited, mark } = listed(papers, paper, refunded.length > 0);
  return { paper, credited, mark, notes: notesOn(papers, paper), papers };
}

/** What fits more than this is shown only in part. */
export const paperMatchesMax = 500;

/**
 * By the beginning of the number; by the order, its checkout or a transaction of it; by the customer as the paper names them,
 * whom nobody learns of who may not read customers. `most`: so many of each at most.
 */
export async function matchPapers(
  query: Query,
  merchantId: string,
  search: string,
  { mayReadCustomers, most = paperMatchesMax }: { readonly mayReadCustomers: boolean; readonly most?: number },
): Promise<PaperMatches & { readonly isCut: boolean }> {
  const text = search.trim();
  const below = { from: null, to: null, before: null, limit: most };
  const isPage = most === paperMatchesMax;
  const [numbered, naming, checkouts] = await Promise.all([
    papersNumbered(query, merchantId, text.toLowerCase(), most),
    mayReadCustomers ? papersNaming(query, merchantId, wordsIn(text), most) : [],
    // Not by the customer of today: the order may have another one on its papers.
    matchCheckouts(query, merchantId, searchForm(text), { mayReadCustomers: false, ...(!isPage && { below }) }),
  ]);
  return {
    ids: [...numbered, ...naming],
    checkoutIds: checkouts.ids,
    isCut: checkouts.isCut || numbered.length >= most || naming.length >= most,
  };
}

const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '');
