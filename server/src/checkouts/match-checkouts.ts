/** The checkouts that a text may mean: by their id, money that came or went, whom they are for, the price, or a word. */
import { knownNetworks } from '../catalog/known-networks.ts';
import { customersAfter, findCustomer } from '../counterparties/customer-store.ts';
import type { Query } from '../db/database.ts';
import { ownersOfTargets } from '../deposits/deposit-target-store.ts';
import { type Decimal, formatDecimal } from '../money/decimal.ts';
import { ownersPaidBy } from '../payments/transaction-search-store.ts';
import { payoutsSentBy } from '../sending/payout-search-store.ts';
import { listOfCustomer } from './checkout-list-store.ts';
import { findCheckout } from './checkout-store.ts';
import { anyCheckout, findPage } from './list-checkouts.ts';
import { findRefund } from './refund-store.ts';
import type { SearchForm } from './search-form.ts';
import { checkoutsWithBeginning, checkoutsWithTerm } from './term-store.ts';

/** What fits more than this is found only in part: the newest, or of words that begin so the first ones. */
const matchesMax = 500;

const newest = { from: null, to: null, before: null, limit: matchesMax };

export const networkIds = knownNetworks.map(({ id }) => id);

/** Ids. `mayReadCustomers`: without it nobody learns what belongs to an e-mail address or to a customer. */
export async function matchCheckouts(
  query: Query,
  merchantId: string,
  form: SearchForm,
  { mayReadCustomers }: { readonly mayReadCustomers: boolean },
): Promise<string[]> {
  const found = await Promise.all([
    form.id === null ? [] : matchId(query, merchantId, form.id),
    form.transactions.length === 0 ? [] : matchTransactions(query, merchantId, form.transactions),
    form.addresses.length === 0 ? [] : matchTargets(query, merchantId, form.addresses),
    mayReadCustomers ? matchCustomers(query, merchantId, form) : [],
    ...form.prices.map((price) => matchPrice(query, merchantId, price, form.currency)),
    ...(form.term === '' ? [] : [checkoutsWithTerm, checkoutsWithBeginning]).map((find) =>
      find(query, merchantId, form.term, matchesMax),
    ),
  ]);
  return [...new Set(found.flat())];
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

async function matchCustomers(query: Query, merchantId: string, { id, email }: SearchForm): Promise<string[]> {
  const [byEmail, byId] = await Promise.all([
    email === null ? [] : customersAfter(query, merchantId, { position: null, email, limit: 1 }),
    id === null ? null : findCustomer(query, merchantId, id),
  ]);
  const customers = [...byEmail, ...(byId ? [byId] : [])];
  const lists = await Promise.all(customers.map((customer) => listOfCustomer(query, merchantId, customer.id, newest)));
  return lists.flat().map(({ id: checkoutId }) => checkoutId);
}

async function matchPrice(
  query: Query,
  merchantId: string,
  price: Decimal,
  currency: string | null,
): Promise<string[]> {
  const filter = { ...anyCheckout, price: formatDecimal(price), currency };
  const { keys } = await findPage(query, merchantId, filter, newest);
  return keys.map(({ id }) => id);
}
