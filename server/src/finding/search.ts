/** One text, everything of a merchant that it may mean: what a search field asks. */
import { endpoints } from '@quittance/contract/endpoints';
import type { Permission } from '@quittance/contract/permissions';
import { anyCheckout, findPage } from '../checkouts/list-checkouts.ts';
import { matchCheckouts, networkIds } from '../checkouts/match-checkouts.ts';
import { findRefund } from '../checkouts/refund-store.ts';
import { type SearchForm, searchForm } from '../checkouts/search-form.ts';
import { findBeneficiary } from '../counterparties/beneficiary-store.ts';
import { customersAfter, findCustomer } from '../counterparties/customer-store.ts';
import { findTargetAccount } from '../counterparties/target-account-store.ts';
import type { Query } from '../db/database.ts';
import { findDeposit } from '../deposits/custom-deposit-store.ts';
import { ownersOfTargets } from '../deposits/deposit-target-store.ts';
import { ownersPaidBy } from '../payments/transaction-search-store.ts';
import { payoutsSentBy } from '../sending/payout-search-store.ts';
import { findSwap } from '../wallets/swap-store.ts';
import { findTransfer } from '../wallets/transfer-store.ts';

export type HitKind =
  | ('checkout' | 'refund' | 'transfer' | 'deposit')
  | ('swap' | 'customer' | 'beneficiary' | 'targetAccount');

/** `checkoutId`: of a refund, where it is shown. */
export type Hit = { readonly kind: HitKind; readonly id: string; readonly checkoutId?: string };

/** Whoever may not read a thing does not find it: the endpoint that shows it says who may. */
const permissionFor = {
  checkout: endpoints.getCheckout.access,
  refund: endpoints.getRefund.access,
  transfer: endpoints.getTransfer.access,
  deposit: endpoints.getDeposit.access,
  swap: endpoints.getSwap.access,
  customer: endpoints.getCustomer.access,
  beneficiary: endpoints.getBeneficiary.access,
  targetAccount: endpoints.getTargetAccount.access,
} as const satisfies Record<HitKind, Permission>;

export type Searcher = { readonly may: (permission: Permission) => boolean; readonly limit: number };

/** What was named exactly comes first; then checkouts, newest first, `limit` at most. Empty: nothing was found. */
export async function search(query: Query, merchantId: string, text: string, { may, limit }: Searcher): Promise<Hit[]> {
  const form = searchForm(text);
  const mayFind = (kind: HitKind): boolean => may(permissionFor[kind]);
  const [named, checkouts] = await Promise.all([
    Promise.all([
      form.id === null ? [] : findById(query, merchantId, form.id),
      form.transactions.length === 0 ? [] : findByTransaction(query, merchantId, form.transactions),
      form.addresses.length === 0 ? [] : findByTarget(query, merchantId, form.addresses),
      form.email === null ? [] : findByEmail(query, merchantId, form.email),
    ]),
    mayFind('checkout') ? findCheckouts(query, merchantId, form, mayFind('customer'), limit) : [],
  ]);
  const hits = [...named.flat().filter(({ kind }) => mayFind(kind)), ...checkouts];
  return [...new Map(hits.map((hit) => [`${hit.kind} ${hit.id}`, hit])).values()];
}

async function findCheckouts(
  query: Query,
  merchantId: string,
  form: SearchForm,
  mayReadCustomers: boolean,
  limit: number,
): Promise<Hit[]> {
  const { ids } = await matchCheckouts(query, merchantId, form, { mayReadCustomers });
  const cut = { from: null, to: null, before: null, limit };
  const { keys } = await findPage(query, merchantId, { ...anyCheckout, ids }, cut);
  return keys.map(({ id }) => ({ kind: 'checkout', id }));
}

async function findById(query: Query, merchantId: string, id: string): Promise<Hit[]> {
  const [refund, ...others] = await Promise.all([
    findRefund(query, merchantId, id),
    findTransfer(query, merchantId, id).then((found) => found && hit('transfer', found)),
    findDeposit(query, merchantId, id).then((found) => found && hit('deposit', found.deposit)),
    findSwap(query, merchantId, id).then((found) => found && hit('swap', found)),
    findCustomer(query, merchantId, id).then((found) => found && hit('customer', found)),
    findBeneficiary(query, merchantId, id).then((found) => found && hit('beneficiary', found)),
    findTargetAccount(query, merchantId, { id }).then((found) => found && hit('targetAccount', found)),
  ]);
  const refunds: Hit[] = refund ? [{ kind: 'refund', id, checkoutId: refund.checkoutId }] : [];
  return [...refunds, ...others.filter((found) => found !== null && found !== undefined)];
}

const hit = (kind: HitKind, { id }: { readonly id: string }): Hit => ({ kind, id });

async function findByTransaction(query: Query, merchantId: string, hashes: readonly string[]): Promise<Hit[]> {
  const [paid, sent] = await Promise.all([
    ownersPaidBy(query, merchantId, networkIds, hashes),
    payoutsSentBy(query, merchantId, networkIds, hashes),
  ]);
  const orders = await Promise.all(sent.map(({ id }) => findById(query, merchantId, id)));
  return [...depositsOf(paid), ...orders.flat()];
}

const findByTarget = async (query: Query, merchantId: string, keys: readonly string[]): Promise<Hit[]> =>
  depositsOf(await ownersOfTargets(query, merchantId, keys));

const depositsOf = (owners: readonly { readonly ownerId: string; readonly purpose: string }[]): Hit[] =>
  owners.filter(({ purpose }) => purpose === 'deposit').map(({ ownerId }) => ({ kind: 'deposit', id: ownerId }));

async function findByEmail(query: Query, merchantId: string, email: string): Promise<Hit[]> {
  const found = await customersAfter(query, merchantId, { position: null, email, limit: 1 });
  return found.map((customer) => hit('customer', customer));
}
