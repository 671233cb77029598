/**
 * One text, everything in the house that it may mean: what the operator's search field asks. Of what belongs to accounts only
 * whose it is and what kind of thing: what is in it is seen by who looks at the account, which its people are told.
 */
import { networkIds } from '../checkouts/match-checkouts.ts';
import { searchForm } from '../checkouts/search-form.ts';
import type { Query } from '../db/database.ts';
import type { StaffPermission } from '../people/staff-roles.ts';
import {
  checkoutsOfAnybody,
  type HouseThing,
  type OwnThing,
  ownThingsWithIds,
  sentBy,
  sentTo,
  thingsPaidBy,
  thingsPaidTo,
  thingsWithIds,
  unmatchedPaidBy,
  unmatchedSaying,
} from './house-search-store.ts';
import { findMerchants, type ListedMerchant } from './merchant-search-store.ts';

export type HouseFound = {
  readonly merchants: readonly ListedMerchant[];
  readonly things: readonly HouseThing[];
  readonly own: readonly OwnThing[];
};

export type HouseSearcher = {
  readonly may: (permission: StaffPermission) => boolean;
  /** Of each of the three. */
  readonly limit: number;
};

export async function searchHouse(query: Query, text: string, searcher: HouseSearcher): Promise<HouseFound> {
  const { may, limit } = searcher;
  if (text.trim() === '') return { merchants: [], things: [], own: [] };
  const form = searchForm(text);
  const { transactions, addresses } = form;
  // What a transaction of ours carries, and what goes to an address, has an id of its own, whosever it is.
  const [carried, aimed] = await Promise.all([
    transactions.length === 0 ? [] : sentBy(query, networkIds, transactions, limit),
    addresses.length === 0 ? [] : sentTo(query, addresses, limit),
  ]);
  const ids = [...new Set([...(form.id === null ? [] : [form.id]), ...carried, ...aimed])];
  const [merchants, things, own] = await Promise.all([
    may('seeMerchants') ? findMerchants(query, text, { before: null, limit }) : [],
    may('lookAtMerchants') ? findThings() : [],
    findOwn(),
  ]);
  return { merchants, things: unique(things).slice(0, limit), own: unique(own).slice(0, limit) };

  async function findThings(): Promise<HouseThing[]> {
    const found = await Promise.all([
      ids.length === 0 ? [] : thingsWithIds(query, ids),
      transactions.length === 0 ? [] : thingsPaidBy(query, networkIds, transactions, limit),
      addresses.length === 0 ? [] : thingsPaidTo(query, addresses, limit), // On Lightning a payment is named by its invoice.
      form.term === '' ? [] : checkoutsOfAnybody(query, form.term, limit),
    ]);
    return found.flat();
  }

  async function findOwn(): Promise<OwnThing[]> {
    const written = text.trim();
    const found = await Promise.all([
      ids.length === 0 ? [] : ownThingsWithIds(query, ids),
      transactions.length === 0 ? [] : unmatchedPaidBy(query, networkIds, transactions, limit),
      unmatchedSaying(query, [...new Set([written, ...addresses])], limit),
    ]);
    const mayFind = { withdrawal: may('seeMoney'), unmatched: may('seeSuspense') };
    return found.flat().filter(({ kind }) => mayFind[kind]);
  }
}

const unique = <Thing extends { readonly kind: string; readonly id: string }>(things: readonly Thing[]): Thing[] => [
  ...new Map(things.map((thing) => [`${thing.kind} ${thing.id}`, thing])).values(),
];
