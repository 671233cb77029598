/** One checkout, and what a person decides about it. */
import type { RefundBody } from '@quittance/contract/refund';
import { refundBody } from '@quittance/contract/refund';
import { findNetwork } from '../../catalog/network-catalog.ts';
import { cancelCheckout } from '../../checkouts/cancel-checkout.ts';
import type { CheckoutDossier } from '../../checkouts/checkout.ts';
import { checkoutNotFound, noReceiptToSend } from '../../checkouts/checkout-errors.ts';
import { findDossier } from '../../checkouts/checkout-store.ts';
import { sendReceiptAgain } from '../../checkouts/send-receipt-again.ts';
import type { Tx } from '../../db/database.ts';
import { personActor } from '../../http/actor.ts';
import { readInput } from '../../http/read-input.ts';
import { GatewayError, invalidRequest, told } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { createBuyerKey } from '../../merchants/buyer-key.ts';
import { goesBackToPayer } from '../../networks/port/definition.ts';
import type { Grant } from '../../people/roles.ts';
import { estimateRefund, lookAtRefund, type RefundDeps } from '../../refunds/estimate-refund.ts';
import { type RequestedRefund, requestRefund } from '../../refunds/request-refund.ts';
import { acceptExcess } from '../../settlements/accept-excess.ts';
import { acceptUnderpayment } from '../../settlements/accept-underpayment.ts';
import { demandLikelySmallRefund, demandSmallAcceptance, demandSmallExcess } from '../../settlements/support-limit.ts';
import { paperPath } from '../../web/paper-path.ts';
import { redeliverWebhook } from '../../webhooks/redeliver-webhook.ts';
import { accountReply } from '../frame/account-layout.ts';
import { onlyLooking, redirect } from '../frame/account-request.ts';
import { type AccountRoute, createAccountRoutes, type MemberContext } from '../frame/account-route.ts';
import { audited } from '../frame/audited.ts';
import { inSession } from '../frame/in-session.ts';
import { askedText, orProblem, withPoint } from '../frame/money-words.ts';
import { goalWords } from '../money/order-words.ts';
import { findView, networksWaitedFor } from './one-checkout-facts.ts';
import { deeds, oneCheckoutPage } from './one-checkout-page.ts';
import { refundFields, refundReviewPage } from './one-checkout-refund.ts';
import { backTo, type CheckoutPageDeps, claimReply, idOf, pathBackTo } from './one-checkout-replies.ts';
import { refundApprovalRoutes } from './refund-approval-routes.ts';

const here = '/account/checkouts/:id';

export function oneCheckoutRoutes(deps: CheckoutPageDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const callerOf = ({ merchant, signedIn }: MemberContext) => ({
    merchantId: merchant.id,
    actor: personActor(signedIn.person.id),
    begin: inSession(deps.db, signedIn),
  });
  /** Where a role decides only small amounts, the account's limit says which are. */
  const smallOnly = (context: MemberContext, demand: typeof demandSmallAcceptance) =>
    isSmallOnly(context.grant) && {
      demand: (tx: Tx, dossier: CheckoutDossier) => demand(deps, tx, callerOf(context), dossier),
    };
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
        const isRefundOpen = request.query['refund'] === 'open';
        return accountReply(200, look, oneCheckoutPage(deps, look, view, { did, news, isRefundOpen }));
      },
    }),
    // A fragment gets lost in the sign-in, a path does not.
    accountRoute({
      method: 'GET',
      path: `${here}/decision`,
      access: { may: 'seeCheckouts' },
      handle: (context) => redirect(`/account/checkouts/${encodeURIComponent(idOf(context))}#decision`),
    }),
    // The whole invoice: the link is made when it is followed, so that it is on no page that is open or kept.
    accountRoute({
      method: 'GET',
      path: `${here}/invoice`,
      access: { may: 'seeCustomers' },
      async handle({ merchant, look, request, signedIn }) {
        if (signedIn.isLooking) throw onlyLooking(); // The link would be good when the look is long over.
        const id = request.params['id'] ?? '';
        if (!(await findDossier(deps.db, merchant.id, id))) throw checkoutNotFound(id);
        const buyerKey = createBuyerKey(deps.encryption, id);
        return redirect(`${deps.originFor(merchant.id)}${paperPath(look.language, { kind: 'invoice', id, buyerKey })}`);
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/accept`,
      access: { may: 'decideCheckouts' },
      async handle(context) {
        const caller = { ...callerOf(context), ...smallOnly(context, demandSmallAcceptance) };
        await acceptUnderpayment(deps, caller, idOf(context));
        return backTo(context, 'Accept');
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/keep`,
      access: { may: 'decideCheckouts' },
      async handle(context) {
        const caller = { ...callerOf(context), ...smallOnly(context, demandSmallExcess) };
        await acceptExcess(deps, caller, idOf(context));
        return backTo(context, 'Keep');
      },
    }),
    accountRoute({
      method: 'GET',
      path: `${here}/refund`,
      access: { may: 'refund' },
      async handle(context) {
        const { look, merchant, request, grant, signedIn } = context;
        const asked = Object.fromEntries(Object.keys(refundFields).map((name) => [name, askedText(request, name)]));
        const found = await orProblem(async () => {
          const body = readRefund(context, (name) => asked[name] ?? '');
          const estimate = await estimateRefund(deps, merchant.id, body, { isBalanceTold: look.may('seeBalances') });
          // Nobody signs what is refused afterwards.
          if (isSmallOnly(grant))
            await demandLikelySmallRefund(deps, deps.db, merchant, personActor(signedIn.person.id), estimate);
          return estimate;
        });
        const problem = found instanceof GatewayError ? found : null;
        const reviewed = { asked, estimate: found instanceof GatewayError ? null : found, problem };
        return accountReply(problem?.httpStatus ?? 200, look, refundReviewPage(deps, look, idOf(context), reviewed));
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/refund`,
      access: { may: 'refund' },
      isOnce: true,
      order: (context) => orderOfRefund(deps, context),
      // Only below the limit for approvals: see `approvalFor`.
      codeSuffices: () => true,
      async handle(context) {
        const { grant, merchant } = context;
        const isSmall = isSmallOnly(grant);
        const caller = { merchant, actor: personActor(context.signedIn.person.id), ...approvalFor(context), isSmall };
        const wanted = readRefund(context, (name) => context.form.get(name) ?? '');
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
      path: `${here}/receipt`,
      access: { may: 'charge' },
      isOnce: true,
      async handle(context) {
        if (!deps.sendsEmail) throw noReceiptToSend();
        const { merchant, signedIn } = context;
        const actor = personActor(signedIn.person.id);
        return context.once<void>(
          ({ begin }) => sendReceiptAgain({ begin, clock: deps.clock, actor }, merchant.id, idOf(context)),
          () => pathBackTo(context, 'Receipt'),
        );
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
function readRefund(context: MemberContext, asked: (name: string) => string): RefundBody {
  const filled = Object.entries(refundFields).flatMap(([name, field]) => {
    const text = asked(name).trim();
    return text === '' ? [] : [[field, name === 'amount' ? withPoint(text) : text] as const];
  });
  // What is left out would be chosen later, and nobody could have signed it. Only where to may be open: by a link.
  for (const name of ['context', 'amount', 'asset', 'network', 'fee'] as const)
    if (!filled.some(([field]) => field === refundFields[name]))
      throw invalidRequest([told('input_missing', `${name} is missing.`, { field: name })]);
  return readInput(refundBody, { checkoutId: idOf(context), ...Object.fromEntries(filled) }, { name: 'The refund' });
}

/**
 * The words that the passkey signs: from the form alone, so that what is signed is what is done. Only where it goes back to
 * the account that it came from, the network has said which one that is.
 */
async function orderOfRefund(deps: RefundDeps, context: MemberContext): Promise<string> {
  const { form, merchant } = context;
  const given = (name: string): string => form.get(name)?.trim() ?? '';
  const network = given('network');
  const toPayer = goesBackToPayer(findNetwork(network));
  const looked = toPayer
    ? await orProblem(() => lookAtRefund(deps, merchant.id, readRefund(context, given), newId()))
    : null;
  if (looked instanceof GatewayError) return 'a refund that cannot be made'; // Why not is said to whoever has proven who it is.
  const address = { address: given('address') || null, memo: null, memoType: null, holder: null };
  const goal = { network, ...(looked?.destination ?? address) };
  return (
    `refund ${given('amount')} ${given('asset')} of checkout ${idOf(context)} (${given('context')}) ` +
    `${goalWords(goal)}, fee paid by the ${given('fee')}`
  );
}

/** Some roles only prepare a refund. A code of an app, which signs nothing, asks for none that others must approve. */
function approvalFor({ grant, signedIn }: MemberContext): { readonly approval?: 'always' | 'never' } {
  if (grant === 'prepare') return { approval: 'always' };
  return signedIn.person.passkeys > 0 ? {} : { approval: 'never' };
}

const isSmallOnly = (grant: Grant): boolean => grant === 'small' || grant === 'smallProof';
