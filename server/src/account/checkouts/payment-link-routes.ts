/** A person makes a payment link, with the rules and sentences by which shops make hosted checkouts. */
import { checkoutBody } from '@quittance/contract/checkout';
import { customerBody } from '@quittance/contract/customer';
import { findAsset } from '../../catalog/asset-catalog.ts';
import { billingCurrencies, findCurrency } from '../../catalog/currency-catalog.ts';
import { accountAssetGone, checkoutNotFound } from '../../checkouts/checkout-errors.ts';
import { checkoutProblems, isCreditedIn } from '../../checkouts/checkout-problems.ts';
import { hostedCheckoutUrl } from '../../checkouts/checkout-record.ts';
import { saveContact } from '../../checkouts/contact-store.ts';
import { type CreateDeps, createCheckout } from '../../checkouts/create-checkout.ts';
import { createCustomer } from '../../counterparties/create-customer.ts';
import { listCustomers } from '../../counterparties/list-customers.ts';
import { personActor } from '../../http/actor.ts';
import type { DemandRoom } from '../../http/demand-room.ts';
import { readInput } from '../../http/read-input.ts';
import type { PageReply } from '../../http/route.ts';
import { GatewayError, invalidRequest, told } from '../../lib/errors.ts';
import { isEmailAddress } from '../../lib/is-email-address.ts';
import { insertAudit } from '../../merchants/merchant-store.ts';
import { decimal } from '../../money/decimal.ts';
import { wantsReceipts } from '../../payment-page/page-setting.ts';
import { emailWrong } from '../../people/people-errors.ts';
import { accountReply } from '../frame/account-layout.ts';
import { type AccountRoute, createAccountRoutes, type MemberContext } from '../frame/account-route.ts';
import { orProblem, withPoint } from '../frame/money-words.ts';
import { findView } from './one-checkout-facts.ts';
import { type CheckoutPageDeps, idOf } from './one-checkout-replies.ts';
import { type LinkForm, linkFields, newLinkPage, newLinkPath, paymentLinkPage } from './payment-link-page.ts';

export type PaymentLinkDeps = CheckoutPageDeps & CreateDeps & { readonly demandRoom: DemandRoom };

export function paymentLinkRoutes(deps: PaymentLinkDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const { clock } = deps;
  const access = { may: 'charge' } as const;
  return [
    accountRoute({
      method: 'GET',
      path: newLinkPath,
      access,
      handle: (context) => {
        const { look, merchant, request } = context;
        const isFirst = request.query['first'] === 'yes';
        const first = { amount: '1', description: look.say('firstLinkFor') };
        const form = { ...emptyForm, currency: merchant.accountCurrency, ...(isFirst && first) };
        return formReply(context, form, isFirst, null);
      },
    }),
    accountRoute({
      method: 'POST',
      path: newLinkPath,
      access,
      isOnce: true,
      async handle(context) {
        const typed = typedIn(context);
        const made = await orProblem(() => makeLink(context, typed));
        return made instanceof GatewayError ? formReply(context, typed, false, made) : made;
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

  function formReply({ look }: MemberContext, form: LinkForm, isFirst: boolean, problem: GatewayError | null) {
    const page = newLinkPage(look, { currencies: billingCurrencies, form, isFirst, problem });
    return accountReply(problem?.httpStatus ?? 200, look, page, problem?.headers);
  }

  async function makeLink(context: MemberContext, typed: LinkForm): Promise<PageReply> {
    const { merchant, signedIn } = context;
    const { charge, email, ...rest } = readLink(typed);
    if (typed.description === '')
      throw invalidRequest([told('link_for_missing', 'The payment link must say what it is for.')]);
    if (email !== null && !isEmailAddress(email)) throw emailWrong();
    const { settlementAsset } = merchant;
    if (!isCreditedIn(deps.assets, merchant, settlementAsset))
      throw accountAssetGone(findAsset(deps.assets, settlementAsset)?.assetCode ?? settlementAsset);
    const problems = await checkoutProblems(deps, merchant, readInput(checkoutBody, { charge, ...rest }, named));
    if (problems.length > 0) throw invalidRequest(problems);
    await deps.demandRoom(merchant.id, Buffer.byteLength(JSON.stringify({ charge, ...rest })));
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
  }

  /** Somebody of the shop names a customer: who is known by the address is who is meant. */
  async function customerOf({ merchant, db: held }: MemberContext, email: string): Promise<string> {
    const { customer } = readInput(customerBody, { customer: { email } }, { name: 'The e-mail address' });
    const { customers } = await listCustomers(held, merchant.id, { limit: 1, email: customer.email });
    return customers[0]?.id ?? createCustomer({ begin: held.begin, clock }, merchant.id, customer);
  }
}

type Made = Awaited<ReturnType<typeof createCheckout>>;

/** What a payer leaves on the page; nothing of it yet. */
const noContact = { email: null, refundNetwork: null, refundAddress: null, language: null };

const named = { name: 'The payment link' };

const emptyForm: LinkForm = { amount: '', currency: '', description: '', reference: '', email: '' };

const typedIn = ({ form }: MemberContext): LinkForm =>
  Object.fromEntries(linkFields.map((name) => [name, form.get(name)?.trim() ?? ''])) as LinkForm;

/** As the API would be asked for it. */
function readLink({ amount, currency, description, reference, email }: LinkForm) {
  return {
    charge: {
      billingCurrency: currency,
      lineItems: [{ description, netAmount: priceIn(currency, amount) }],
    },
    ...(reference !== '' && { pageSettings: { orderReference: reference } }),
    email: email || null,
  };
}

/**
 * Programs may name more decimals than a currency has, and it is rounded; a person who writes 1,234 means more than one
 * and a bit.
 */
function priceIn(code: string, typed: string): string {
  const amount = withPoint(typed);
  const { digits, scale } = decimal(amount === '' ? '0' : amount);
  if (digits <= 0n) throw invalidRequest([told('amount_not_positive', 'The amount must be greater than zero.')]);
  const most = findCurrency(code)?.decimals;
  if (most !== undefined && scale > most)
    throw invalidRequest([
      told('amount_currency_decimals', `An amount in ${code} has at most ${most} decimals.`, {
        currency: code,
        most: String(most),
      }),
    ]);
  return amount;
}
