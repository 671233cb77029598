/** The checkouts that a text may mean: by their id, money that came or went, whom they are for, the price, or a word. */
import { knownNetworks } from '../catalog/known-networks.ts';
import { customersAfter, findCustomer } from '../counterparties/customer-store.ts';
import type { Query } from '../db/database.ts';
import { ownersOfTargets } from '../deposits/deposit-target-store.ts';
import { type Decimal, formatDecimal } from '../money/decimal.ts';
import { ownersPaidBy } from '../payments/transaction-search-store.ts';
import { payoutsSentBy } from '../sending/payout-search-store.ts';
import { type ListCut, listOfCustomer } from './checkout-list-store.ts';
import { findCheckout } from './checkout-store.ts';
import { anyCheckout, findPage } from './list-checkouts.ts';
import { findRefund } from './refund-store.ts';
import type { SearchForm } from './search-form.ts';
import { checkoutsWithBeginning, checkoutsWithTerm, newestWithBeginning } from './term-store.ts';

/** What fits more than this is shown only in part: the newest, or of words that begin so the first ones. */
export const matchesMax = 500;

const newest: ListCut = { from: null, to: null, before: null, limit: matchesMax };

export const networkIds = knownNetworks.map(({ id }) => id);

/** `isCut`: more may fit than these. */
export type Matches = { readonly ids: readonly string[]; readonly isCut: boolean };

/**
 * `mayReadCustomers`: without it nobody learns what belongs to an e-mail address or to a customer. `below`: for who goes
 * through all that fit, part by part: at least the newest of this cut. Words that begin so are then sorted for each part,
 * which is too slow for a page and good enough for a file.
 */
export async function matchCheckouts(
  query: Query,
  merchantId: string,
  form: SearchForm,
  { mayReadCustomers, below }: { readonly mayReadCustomers: boolean; readonly below?: ListCut },
): Promise<Matches> {
  const cut = below ?? newest;
  const priced = form.prices.map((price) => matchPrice(query, merchantId, { price, currency: form.currency, cut }));
  const found = await Promise.all([
    form.id === null ? [] : matchId(query, merchantId, form.id),
    form.transactions.length === 0 ? [] : matchTransactions(query, merchantId, form.transactions),
    form.addresses.length === 0 ? [] : matchTargets(query, merchantId, form.addresses),
    mayReadCustomers ? matchCustomers(query, merchantId, form, cut) : [],
    form.term === '' ? [] : checkoutsWithTerm(query, merchantId, form.term, cut),
    form.term === '' ? [] : matchBeginning(query, merchantId, form.term, below),
  ]);
  const parts = [...found.map((ids) => ({ ids, isCut: ids.length >= cut.limit })), ...(await Promise.all(priced))];
  return { ids: [...new Set(parts.flatMap(({ ids }) => ids))], isCut: parts.some(({ isCut }) => isCut) };
}

/** Its own, or that of a refund of it. */
async function matchId(query: Query, merchantId: string, id: string): Promise<string[]> {
  const [checkout, refund] = await Promise.all([
    findCheckout(query, merchantId, id),
    findRefund(query, merchantId, id),
  ]);
  return [...(checkout ? [checkout.id] : []), ...(refund ? [refund.checkoutId] : [])];
}

async function matchTransactions(query: Query, merchantId: string, hashes: readonly string[]): Promise<string[]> {
  const [paid, sent] = await Promise.all([
    ownersPaidBy(query, merchantId, networkIds, hashes),
    payoutsSentBy(query, merchantId, networkIds, hashes),
  ]);
  const refunds = await Promise.all(sent.map(({ id }) => findRefund(query, merchantId, id)));
  const targets = await matchTargets(query, merchantId, hashes); // On Lightning a payment is named by its invoice.
  const refunded = refunds.flatMap((refund) => (refund ? [refund.checkoutId] : []));
  return [...paid.map(({ ownerId }) => ownerId), ...refunded, ...targets];
}

const matchTargets = async (query: Query, merchantId: string, keys: readonly string[]): Promise<string[]> =>
  (await ownersOfTargets(query, merchantId, keys)).map(({ ownerId }) => ownerId);

const matchBeginning = (query: Query, merchantId: string, term: string, below?: ListCut): Promise<string[]> =>
  below
    ? newestWithBeginning(query, merchantId, term, below)
    : checkoutsWithBeginning(query, merchantId, term, matchesMax);

async function matchCustomers(
  query: Query,
  merchantId: string,
  { id, email }: SearchForm,
  cut: ListCut,
): Promise<string[]> {
  const [byEmail, byId] = await Promise.all([
    email === null ? [] : customersAfter(query, merchantId, { position: null, email, limit: 1 }),
    id === null ? null : findCustomer(query, merchantId, id),
  ]);
  const customers = [...byEmail, ...(byId ? [byId] : [])];
  const lists = await Promise.all(customers.map((customer) => listOfCustomer(query, merchantId, customer.id, cut)));
  return lists.flat().map(({ id: checkoutId }) => checkoutId);
}

/** A page may be short and have a next one: of a currency there may be few among all of a price. */
async function matchPrice(
  query: Query,
  merchantId: string,
  { price, currency, cut }: { readonly price: Decimal; readonly currency: string | null; readonly cut: ListCut },
): Promise<Matches> {
  const filter = { ...anyCheckout, price: formatDecimal(price), currency };
  const ids: string[] = [];
  for (let { before } = cut; ; ) {
    const { keys, next } = await findPage(query, merchantId, filter, { ...cut, before });
    ids.push(...keys.map(({ id }) => id));
    if (next === null || ids.length >= cut.limit || cut === newest) return { ids, isCut: next !== null };
    before = next;
  }
}
