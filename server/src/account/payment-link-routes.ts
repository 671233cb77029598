/** A person makes a payment link, with the rules and sentences by which shops make hosted checkouts. */
import { checkoutBody } from '@quittance/contract/checkout';
import { customerBody } from '@quittance/contract/customer';
import { findAsset } from '../catalog/asset-catalog.ts';
import { billingCurrencies } from '../catalog/currency-catalog.ts';
import { accountAssetGone, checkoutNotFound } from '../checkouts/checkout-errors.ts';
import { checkoutProblems, isCreditedIn } from '../checkouts/checkout-problems.ts';
import { hostedCheckoutUrl } from '../checkouts/checkout-record.ts';
import { saveContact } from '../checkouts/contact-store.ts';
import { type CreateDeps, createCheckout } from '../checkouts/create-checkout.ts';
import { createCustomer } from '../counterparties/create-customer.ts';
import { personActor } from '../http/actor.ts';
import { readInput } from '../http/read-input.ts';
import { invalidRequest } from '../lib/errors.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { wantsReceipts } from '../payment-page/page-setting.ts';
import { accountReply } from './account-layout.ts';
import { type AccountRoute, createAccountRoutes, type MemberContext } from './account-route.ts';
import { findView } from './one-checkout-facts.ts';
import { type CheckoutPageDeps, idOf } from './one-checkout-replies.ts';
import { newLinkPage, newLinkPath, paymentLinkPage } from './payment-link-page.ts';

export type PaymentLinkDeps = CheckoutPageDeps & CreateDeps;

export function paymentLinkRoutes(deps: PaymentLinkDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const { clock } = deps;
  const access = { may: 'charge' } as const;
  return [
    accountRoute({
      method: 'GET',
      path: newLinkPath,
      access,
      handle: ({ look, merchant, request }) => {
        const isFirst = request.query['first'] === 'yes';
        const facts = { currencies: billingCurrencies, chosen: merchant.accountCurrency, isFirst };
        return accountReply(200, look, newLinkPage(look, facts));
      },
    }),
    accountRoute({
      method: 'POST',
      path: newLinkPath,
      access,
      isOnce: true,
      async handle(context) {
        const { merchant, signedIn } = context;
        const { charge, email, ...rest } = readLink(context);
        const { settlementAsset } = merchant;
        if (!isCreditedIn(deps.assets, merchant, settlementAsset))
          throw accountAssetGone(findAsset(deps.assets, settlementAsset)?.assetCode ?? settlementAsset);
        const problems = await checkoutProblems(deps, merchant, readInput(checkoutBody, { charge, ...rest }, named));
        if (problems.length > 0) throw invalidRequest(problems);
        const customer = email === null ? {} : { customerId: await customerOf(context, email) };
        const payload = { charge: { ...charge, ...customer }, ...rest };
        const actor = personActor(signedIn.person.id);
        return context.once<Made>(
          ({ remember }) =>
            createCheckout(deps, merchant, {
              body: readInput(checkoutBody, payload, named),
              payload,
              apiKey: null,
              type: 'HOSTED',
              async remember(tx, made) {
                const detail = { checkoutId: made.id };
                const at = made.createdAt;
                await insertAudit(tx, { merchantId: merchant.id, at, actor, action: 'checkout.created', detail });
                if (email !== null && deps.sendsEmail && wantsReceipts(merchant))
                  await saveContact(tx, made, { ...noContact, email }, at);
                await remember(tx, made);
              },
            }),
          ({ id }) => `/account/checkouts/${id}/link`,
        );
      },
    }),
    accountRoute({
      method: 'GET',
      path: '/account/checkouts/:id/link',
      access,
      async handle(context) {
        const { look, merchant } = context;
        const { dossier, customer } = await findView(deps, look, merchant.id, idOf(context));
        const { checkout } = dossier;
        const url = hostedCheckoutUrl(deps, checkout);
        if (checkout.type !== 'HOSTED' || url === null) throw checkoutNotFound(checkout.id);
        return accountReply(200, look, paymentLinkPage(look, { checkout, url, email: customer?.email ?? null }));
      },
    }),
  ];

  function customerOf({ merchant, db: held }: MemberContext, email: string): Promise<string> {
    const { customer } = readInput(customerBody, { customer: { email } }, { name: 'The e-mail address' });
    return createCustomer({ begin: held.begin, clock }, merchant.id, customer);
  }
}

type Made = Awaited<ReturnType<typeof createCheckout>>;

/** What a payer leaves on the page; nothing of it yet. */
const noContact = { email: null, refundNetwork: null, refundAddress: null, language: null };

const named = { name: 'The payment link' };

/** As the API would be asked for it. */
function readLink({ form }: MemberContext) {
  const text = (name: string): string => form.get(name)?.trim() ?? '';
  const reference = text('reference');
  return {
    charge: {
      billingCurrency: text('currency'),
      lineItems: [{ description: text('description'), netAmount: text('amount').replace(',', '.') }],
    },
    ...(reference !== '' && { pageSettings: { orderReference: reference } }),
    email: text('email') || null,
  };
}
