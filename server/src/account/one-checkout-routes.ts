/** One checkout, and what a person decides about it. */
import type { RefundBody } from '@quittance/contract/refund';
import { refundBody } from '@quittance/contract/refund';
import { cancelCheckout } from '../checkouts/cancel-checkout.ts';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { personActor } from '../http/actor.ts';
import { readInput } from '../http/read-input.ts';
import type { Grant } from '../people/roles.ts';
import { type RequestedRefund, requestRefund } from '../refunds/request-refund.ts';
import { acceptExcess } from '../settlements/accept-excess.ts';
import { acceptUnderpayment } from '../settlements/accept-underpayment.ts';
import { demandSmallAcceptance, demandSmallExcess } from '../settlements/support-limit.ts';
import { redeliverWebhook } from '../webhooks/redeliver-webhook.ts';
import { accountReply } from './account-layout.ts';
import { redirect } from './account-request.ts';
import { type AccountRoute, createAccountRoutes, type MemberContext } from './account-route.ts';
import { audited } from './audited.ts';
import { findView, networksWaitedFor } from './one-checkout-facts.ts';
import { deeds, oneCheckoutPage } from './one-checkout-page.ts';
import { backTo, type CheckoutPageDeps, claimReply, idOf, pathBackTo } from './one-checkout-replies.ts';
import { refundApprovalRoutes } from './refund-approval-routes.ts';

const here = '/account/checkouts/:id';

export function oneCheckoutRoutes(deps: CheckoutPageDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const callerOf = ({ merchant, signedIn }: MemberContext) => ({
    merchantId: merchant.id,
    actor: personActor(signedIn.person.id),
    begin: deps.db.begin,
  });
  /** Where a role decides only small amounts, the account's limit says which are. */
  const demandOf = ({ grant, merchant }: MemberContext, within: typeof demandSmallExcess) =>
    isSmallOnly(grant) ? { demand: (dossier: CheckoutDossier) => within(deps, merchant, dossier) } : {};
  return [
    accountRoute({
      method: 'GET',
      path: here,
      access: { may: 'seeCheckouts' },
      async handle(context) {
        const { look, merchant, request } = context;
        const newsFor = await deps.news.checkoutNews(merchant.id, idOf(context));
        const view = await findView(deps, look, merchant.id, idOf(context));
        const did = deeds.find((each) => each === request.query['did']) ?? null;
        const news = newsFor(networksWaitedFor(view));
        return accountReply(200, look, oneCheckoutPage(deps, look, view, { did, news }));
      },
    }),
    // A fragment gets lost in the sign-in, a path does not.
    accountRoute({
      method: 'GET',
      path: `${here}/decision`,
      access: { may: 'seeCheckouts' },
      handle: (context) => redirect(`/account/checkouts/${encodeURIComponent(idOf(context))}#decision`),
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/accept`,
      access: { may: 'decideCheckouts' },
      async handle(context) {
        const demand = demandOf(context, demandSmallAcceptance);
        await acceptUnderpayment(deps, { ...callerOf(context), ...demand }, idOf(context));
        return backTo(context, 'Accept');
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/keep`,
      access: { may: 'decideCheckouts' },
      async handle(context) {
        const demand = demandOf(context, demandSmallExcess);
        await acceptExcess(deps, { ...callerOf(context), ...demand }, idOf(context));
        return backTo(context, 'Keep');
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/refund`,
      access: { may: 'refund' },
      isOnce: true,
      order: orderOfRefund,
      // Only below the limit for approvals: see `approvalFor`.
      codeSuffices: () => true,
      async handle(context) {
        const { grant, merchant } = context;
        const isSmall = isSmallOnly(grant);
        const caller = { merchant, actor: personActor(context.signedIn.person.id), ...approvalFor(context), isSmall };
        const wanted = readRefund(context);
        return context.once<RequestedRefund>(
          ({ begin }) => requestRefund(deps, { ...caller, begin }, wanted),
          ({ refund }) => pathBackTo(context, refund.state === 'AWAITING_APPROVAL' ? 'Ask' : undefined),
          (made) => (made.claimToken === null ? null : claimReply(deps, context, made)),
        );
      },
    }),
    ...refundApprovalRoutes(deps),
    accountRoute({
      method: 'POST',
      path: `${here}/cancel`,
      access: { may: 'charge' },
      async handle(context) {
        await cancelCheckout({ ...callerOf(context), clock: deps.clock }, context.merchant, idOf(context));
        return backTo(context, 'Cancel');
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/resend`,
      access: { may: 'webhooks' },
      async handle(context) {
        const deliveryId = context.form.get('delivery') ?? '';
        const begin = audited(deps, context, 'webhook.redelivered', { deliveryId });
        await redeliverWebhook({ ...deps, begin }, context.merchant.id, deliveryId);
        return backTo(context, 'Resend');
      },
    }),
  ];
}

/** As it was filled in; what of it makes no sense is told by the same sentences as in the API. */
function readRefund(context: MemberContext): RefundBody {
  const text = (name: string): string | undefined => context.form.get(name)?.trim() || undefined;
  const given = {
    checkoutId: idOf(context),
    context: text('context'),
    amount: text('amount')?.replace(',', '.'),
    asset: text('asset'),
    network: text('network'),
    address: text('address'),
    feePaidBy: text('fee'),
  };
  const filled = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return readInput(refundBody, filled, { name: 'The refund' });
}

/** The words that the passkey signs: from the form alone, so that what is signed is what is done. */
function orderOfRefund(context: MemberContext): string {
  const { form } = context;
  const given = (name: string): string => form.get(name)?.trim() ?? '';
  const to = given('address') === '' ? 'whoever has the link to claim it' : given('address');
  return (
    `refund ${given('amount')} ${given('asset')} of checkout ${idOf(context)} (${given('context')}) ` +
    `on ${given('network')} to ${to}, fee paid by the ${given('fee')}`
  );
}

/** Some roles only prepare a refund. A code of an app, which signs nothing, asks for none that others must approve. */
function approvalFor({ grant, signedIn }: MemberContext): { readonly approval?: 'always' | 'never' } {
  if (grant === 'prepare') return { approval: 'always' };
  return signedIn.person.passkeys > 0 ? {} : { approval: 'never' };
}

const isSmallOnly = (grant: Grant): boolean => grant === 'small' || grant === 'smallProof';
