/** Whom the account knows: found, changed, deleted. */
import { customerChangeBody } from '@quittance/contract/customer';
import { findDossiers } from '../../checkouts/checkout-store.ts';
import { anyCheckout, findReadablePage } from '../../checkouts/list-checkouts.ts';
import { changeCustomer } from '../../counterparties/change-customer.ts';
import { customerNotFound } from '../../counterparties/customer-errors.ts';
import { customerFieldNames } from '../../counterparties/customer-fields.ts';
import {
  type Customer,
  deletedCustomers,
  findCustomer,
  findDeletedCustomer,
} from '../../counterparties/customer-store.ts';
import { deleteCustomer } from '../../counterparties/delete-customer.ts';
import { listCustomers, searchCustomers } from '../../counterparties/list-customers.ts';
import { findMailAddress, saveFailure } from '../../counterparties/mail-address-store.ts';
import { addressHash } from '../../counterparties/mail-token.ts';
import { readInput } from '../../http/read-input.ts';
import { GatewayError } from '../../lib/errors.ts';
import { waitedForByErasing } from '../../papers/erase-customer.ts';
import type { CheckoutPageDeps } from '../checkouts/one-checkout-replies.ts';
import { accountReply } from '../frame/account-layout.ts';
import { redirect } from '../frame/account-request.ts';
import { type AccountRoute, createAccountRoutes, type MemberContext } from '../frame/account-route.ts';
import { audited } from '../frame/audited.ts';
import { askedText, orProblem } from '../frame/money-words.ts';
import { customersPage, customersPath, oneCustomerPage, type TypedCustomer } from './customers-page.ts';
import { deletedCustomerPage } from './deleted-customer-page.ts';

const pageSize = 50;
const checkoutsShown = 20;
const deletedShown = 20;
const idOf = ({ request }: MemberContext): string => request.params['id'] ?? '';

const mailAddressOf = (merchantId: string, email: string) => ({ merchantId, addressHash: addressHash(email) });

export function customersRoutes(deps: CheckoutPageDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const { db, clock } = deps;
  const access = { may: 'seeCustomers' } as const;
  return [
    accountRoute({
      method: 'GET',
      path: customersPath,
      access,
      async handle({ look, merchant, request }) {
        const search = askedText(request, 'search').slice(0, 200);
        const cursor = askedText(request, 'cursor');
        const { customers, next } =
          search === ''
            ? await listCustomers(db, merchant.id, { limit: pageSize, cursor: cursor || undefined })
            : { customers: await searchCustomers(db, merchant.id, search, pageSize), next: null };
        const isCut = search !== '' && customers.length >= pageSize;
        const isDeletedNow = request.query['did'] === 'deleted';
        const isFirst = cursor === '';
        const deleted = isFirst && search === '' ? await deletedCustomers(db, merchant.id, deletedShown) : [];
        const page = customersPage(look, { customers, next, isFirst, search, isCut, isDeletedNow, deleted });
        return accountReply(200, look, page);
      },
    }),
    accountRoute({
      method: 'GET',
      path: `${customersPath}/:id`,
      access,
      async handle(context) {
        const { look, merchant } = context;
        const deleted = await findDeletedCustomer(db, merchant.id, idOf(context));
        if (!deleted) return customerReply(context, await found(context), null);
        const orders = await waitedForByErasing(deps, { merchantId: merchant.id, customerId: deleted.id });
        return accountReply(200, look, deletedCustomerPage(look, deleted, orders));
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${customersPath}/:id`,
      access: { may: 'changeCustomers' },
      async handle(context) {
        const { merchant, form } = context;
        const { id } = await found(context);
        const names = ['email', ...customerFieldNames].filter((name) => form.has(name));
        const begin = audited(deps, context, 'customer.changed', { id, fields: names });
        const saved = await orProblem(async () => {
          const given = Object.fromEntries(names.map((name) => [name, form.get(name) ?? '']));
          const body = readInput(customerChangeBody, { customer: { ...given, id } }, { name: 'The customer' });
          return changeCustomer({ begin, clock }, merchant.id, body.customer);
        });
        if (!(saved instanceof GatewayError)) return redirect(`${customersPath}/${id}?did=saved`);
        return customerReply(context, await found(context), { typed: form, problem: saved });
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${customersPath}/:id/mails`,
      access: { may: 'changeCustomers' },
      async handle(context) {
        const { id, email } = await found(context);
        const begin = audited(deps, context, 'customer.mails_again', { id });
        await begin((tx) => saveFailure(tx, mailAddressOf(context.merchant.id, email), null));
        return redirect(`${customersPath}/${id}`);
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${customersPath}/:id/delete`,
      access: { may: 'changeCustomers' },
      async handle(context) {
        const begin = audited(deps, context, 'customer.deleted', { id: idOf(context) });
        await deleteCustomer({ begin, clock }, context.merchant.id, idOf(context));
        return redirect(`${customersPath}?did=deleted`);
      },
    }),
  ];

  async function found(context: MemberContext): Promise<Customer> {
    const customer = await findCustomer(db, context.merchant.id, idOf(context));
    if (!customer) throw customerNotFound(idOf(context));
    return customer;
  }

  async function customerReply({ look, merchant, request }: MemberContext, customer: Customer, refused: TypedCustomer) {
    const filter = { ...anyCheckout, customerId: customer.id };
    const cut = { from: null, to: null, before: null, limit: checkoutsShown };
    const { keys, next } = await findReadablePage(db, merchant.id, filter, cut);
    const checkouts = await findDossiers(db, keys, { hasQuotes: false });
    const page = oneCustomerPage(look, {
      customer,
      checkouts: checkouts.filter((dossier) => dossier !== undefined),
      hasMore: next !== null,
      origin: deps.originFor(merchant.id),
      mails: await findMailAddress(db, mailAddressOf(merchant.id, customer.email)),
      isSavedNow: request.query['did'] === 'saved',
      refused,
    });
    return accountReply(refused?.problem.httpStatus ?? 200, look, page);
  }
}
