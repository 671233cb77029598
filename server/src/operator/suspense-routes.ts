/** Money that named no checkout: assigned, taken as the operator's own or sent back, as `npx quittance suspense` does it. */
import { accountReply } from '../account/frame/account-layout.ts';
import { redirect } from '../account/frame/account-request.ts';
import { inSession } from '../account/frame/in-session.ts';
import { goalWords } from '../account/money/order-words.ts';
import { numberOf } from '../account/settings/settings-parts.ts';
import { findToldBooking } from '../bank-files/document-list-store.ts';
import { findAsset } from '../catalog/asset-catalog.ts';
import { type Actor, personActor } from '../http/actor.ts';
import type { PageReply } from '../http/route.ts';
import { GatewayError, invalidRequest, notFound } from '../lib/errors.ts';
import { findMerchant } from '../merchants/merchant-store.ts';
import { formatUnits } from '../money/amount.ts';
import { parseDecimal, toUnits } from '../money/decimal.ts';
import { listOpenMovements } from '../payments/movement-store.ts';
import { areTwoNeeded } from '../people/staff-approvers.ts';
import { approveReturn, refuseReturn } from '../watching/approve-return.ts';
import { assignUnmatched } from '../watching/assign-unmatched.ts';
import { crumbAdoptionOf, waitingCrumbAdoptions } from '../watching/crumb-adoption-store.ts';
import type { ReturnableDeps } from '../watching/demand-returnable.ts';
import { findLikelyCheckouts } from '../watching/find-likely-checkouts.ts';
import { returnUnmatched, waitsToBeOwn, waitsToReturn, whyNotFree } from '../watching/return-unmatched.ts';
import { findApprovedAdoption, findWaitingAdoption, waitingAdoptions } from '../watching/unmatched-adoption-store.ts';
import { unmatchedCrumbs } from '../watching/unmatched-crumb-store.ts';
import {
  findReturn,
  findWaitingReturn,
  type UnmatchedReturn,
  waitingReturns,
} from '../watching/unmatched-return-store.ts';
import {
  findUnmatched,
  listUnmatched,
  targetOfCheckout,
  type UnmatchedPayment,
  unmatchedShown,
} from '../watching/unmatched-store.ts';
import { adoptionRoutes } from './adoption-routes.ts';
import { crumbRoutes, waitingWords } from './crumb-routes.ts';
import { readHandWords } from './hand-words.ts';
import { createOperatorRoutes, type OperatorRoute, type StaffContext, type StaffDeps } from './operator-route.ts';
import { type ReadReturnDeps, type ReturnWish, readGoal, readReturn } from './read-return.ts';
import { problemNote } from './staff-form.ts';
import { memoTypes, returnsPath, suspensePage, suspensePath, unmatchedPage } from './suspense-page.ts';

export type SuspenseDeps = StaffDeps & ReadReturnDeps & ReturnableDeps;

const here = `${suspensePath}/:id`;
const checkoutOf = ({ form }: StaffContext): string => (form.get('checkout') ?? '').trim();
/** One that is suggested is put into the form by a link. */
const chosenIn = ({ request }: StaffContext): URLSearchParams =>
  new URLSearchParams({ checkout: String(request.query['checkout'] ?? '') });
const idOf = ({ request }: StaffContext): string => request.params['id'] ?? '';

export function suspenseRoutes(deps: SuspenseDeps): OperatorRoute[] {
  const operatorRoute = createOperatorRoutes(deps);
  const { db } = deps;

  return [
    operatorRoute({
      method: 'GET',
      path: suspensePath,
      access: { may: 'seeSuspense' },
      async handle({ look, request, signedIn }) {
        const cursor = String(request.query['cursor'] ?? '') || null;
        const [payments, crumbs, crumbAdoptions, returns, adoptions, movements] = await Promise.all([
          listUnmatched(db, cursor),
          unmatchedCrumbs(db),
          waitingCrumbAdoptions(db),
          waitingReturns(db),
          waitingAdoptions(db),
          listOpenMovements(db),
        ]);
        const returning = new Set([...returns, ...adoptions].map(({ unmatchedId }) => unmatchedId));
        const next = payments.length === unmatchedShown ? (payments.at(-1)?.id ?? null) : null;
        const did = String(request.query['did'] ?? '') || null;
        const crumbOrders = await waitingWords(db, signedIn.person.id, crumbAdoptions);
        const facts = { payments, crumbs, crumbOrders, returning, next, did, movements };
        return accountReply(200, look, suspensePage(deps, look, facts));
      },
    }),
    operatorRoute({
      method: 'GET',
      path: here,
      access: { may: 'seeSuspense' },
      handle: (context) => pageOf({ ...context, form: chosenIn(context) }, idOf(context), null),
    }),
    operatorRoute({
      method: 'POST',
      path: `${here}/assign`,
      access: { may: 'suspense' },
      order: orderOfAssignment,
      handle: (context) =>
        withPage(context, async () => {
          const checkoutId = checkoutOf(context);
          await assignUnmatched(deps, idOf(context), checkoutId, {
            actor: personActor(context.signedIn.person.id),
            // The account has a row of its own.
            begin: (work) => context.audited('unmatched.assigned', { id: idOf(context), checkoutId }, work),
          });
          return redirect(`${suspensePath}?did=assigned`);
        }),
    }),
    operatorRoute({
      method: 'POST',
      path: `${here}/return`,
      access: { may: 'suspense' },
      order: orderOfReturn,
      handle: (context) =>
        withPage(context, async () => {
          const payment = await demandUnmatched(context);
          const order = await readReturn(deps, payment, wishOf(payment, context.form));
          const by = { actor: personActor(context.signedIn.person.id), begin: inSession(db, context.signedIn) };
          const { returnId } = await returnUnmatched(deps, payment.id, order, by);
          return redirect(`${suspensePath}?did=${returnId === null ? 'waiting' : 'returned'}`);
        }),
    }),
    operatorRoute({
      method: 'POST',
      path: `${returnsPath}/:id/approve`,
      access: { may: 'suspense' },
      order: orderOfApproval,
      handle: (context) =>
        decided(context, 'returned', async (order, by) => {
          const payment = await findUnmatched(db, order.unmatchedId);
          if (!payment) throw notFound('return', order.id);
          const { holdFee } = await readReturn(deps, payment, order);
          await approveReturn(deps, order.id, { actor: by.actor, begin: by.begin, holdFee });
        }),
    }),
    operatorRoute({
      method: 'POST',
      path: `${returnsPath}/:id/refuse`,
      access: { may: 'suspense' },
      handle: (context) => decided(context, 'refused', (order, by) => refuseReturn(deps, order.id, by)),
    }),
    ...adoptionRoutes(deps, pageOf),
    ...crumbRoutes(deps),
  ];

  async function decided(
    context: StaffContext,
    did: string,
    decide: (order: UnmatchedReturn, by: Parameters<typeof refuseReturn>[2]) => Promise<void>,
  ): Promise<PageReply> {
    const { signedIn } = context;
    const order = await findReturn(db, idOf(context));
    if (!order) throw notFound('return', idOf(context));
    try {
      const by = { actor: personActor(signedIn.person.id), begin: inSession(db, signedIn) };
      await decide(order, by);
      return redirect(`${suspensePath}?did=${did}`);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code === 'not_found') throw error;
      return pageOf(context, order.unmatchedId, error);
    }
  }

  /** As it is stored: while it waits, nothing about it changes. */
  async function orderOfApproval(context: StaffContext): Promise<string> {
    const order = await findReturn(db, idOf(context));
    const payment = order && (await findUnmatched(db, order.unmatchedId));
    if (!payment) return `approve return ${idOf(context)}`;
    const { id, unmatchedId, units, requestedBy } = order;
    const { network, asset } = payment;
    const amount = formatUnits(units, findAsset(deps.assets, asset)?.ledgerScale ?? 0);
    const goal = goalWords({ network, ...order });
    return `approve return ${id} of payment ${unmatchedId}: ${amount} ${asset} ${goal}, asked for by ${requestedBy}`;
  }

  async function demandUnmatched(context: StaffContext): Promise<UnmatchedPayment> {
    const payment = await findUnmatched(db, idOf(context));
    if (!payment) throw notFound('unmatched payment', idOf(context));
    return payment;
  }

  /** How much is credited to whom, and for what. */
  async function orderOfAssignment(context: StaffContext): Promise<string> {
    const [payment, checkoutId] = [await findUnmatched(db, idOf(context)), checkoutOf(context)];
    const target = payment && (await targetOfCheckout(db, payment.network, checkoutId));
    if (!target) return 'an assignment that cannot be made'; // Why not is said to whoever has proven who it is.
    const { id, asset, units } = payment;
    const amount = formatUnits(units, findAsset(deps.assets, asset)?.ledgerScale ?? 0);
    const name = (await findMerchant(db, target.merchantId))?.name ?? '';
    return `assign payment ${id}: ${amount} ${asset} to ${target.purpose} ${checkoutId} of ${name} (${target.merchantId})`;
  }

  /** What is signed is read as what is done is read: how much goes where. */
  async function orderOfReturn(context: StaffContext): Promise<string> {
    try {
      const payment = await demandUnmatched(context);
      const { destination, feeUnits } = await readGoal(deps, payment, wishOf(payment, context.form));
      const { id, network, asset: assetId, units } = payment;
      const amount = formatUnits(units - feeUnits, findAsset(deps.assets, assetId)?.ledgerScale ?? 0);
      return `send back payment ${id}: ${amount} ${assetId} ${goalWords({ network, ...destination })}`;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return 'a return that cannot be made'; // Why not is said to whoever has proven who it is.
    }
  }

  /** An empty address is that of the sender. A memo belongs to whichever it is: who forgets it there loses the money. */
  function wishOf(payment: UnmatchedPayment, form: URLSearchParams): ReturnWish {
    const asset = findAsset(deps.assets, payment.asset);
    const fee = parseDecimal(numberOf(form, 'fee') || '0');
    if (!fee || !asset) throw invalidRequest('What is kept back must be an amount, such as 0 or 0.01.');
    const memo = (form.get('memo') ?? '').trim() || null;
    return {
      address: (form.get('address') ?? '').trim() || null,
      memo,
      memoType: memo === null ? null : (memoTypes.find((type) => type === form.get('memo-type')) ?? 'text'),
      feeUnits: toUnits(fee, asset.ledgerScale, 'up'),
    };
  }

  async function pageOf(context: StaffContext, id: string, error: GatewayError | null): Promise<PageReply> {
    const { look, form, signedIn } = context;
    const [payment, waiting, waitingAdoption, adoption, withOthers] = await Promise.all([
      findUnmatched(db, id),
      findWaitingReturn(db, id),
      findWaitingAdoption(db, id),
      findApprovedAdoption(db, id),
      crumbAdoptionOf(db, id),
    ]);
    if (!payment) throw notFound('unmatched payment', id);
    const askers = [waiting, waitingAdoption].flatMap((order) => order?.requestedBy ?? []);
    const hands = await readHandWords(db, askers);
    const asked = <Order extends { readonly requestedBy: Actor }>(order: Order) => ({
      ...order,
      asker: hands.askerOf(order.requestedBy),
      isOwn: order.requestedBy === personActor(signedIn.person.id),
    });
    const problem =
      whyNotFree(payment) ?? (waiting ? waitsToReturn(id) : null) ?? (waitingAdoption ? waitsToBeOwn(id) : null);
    const canAssign = problem === null && look.staffMay('suspense');
    const facts = {
      payment,
      waiting: waiting ? asked(waiting) : null,
      waitingAdoption: waitingAdoption ? asked(waitingAdoption) : null,
      adoption: adoption ?? withOthers ?? null,
      told: await findToldBooking(db, payment.network, payment.txHash),
      likely: canAssign ? await findLikelyCheckouts(db, payment) : [],
      problem,
      areTwoNeeded: await areTwoNeeded(db, context.now),
      form,
      refusal: problemNote(look, error),
    };
    return accountReply(error?.httpStatus ?? 200, look, unmatchedPage(deps, look, facts));
  }

  function withPage(context: StaffContext, act: () => Promise<PageReply>): Promise<PageReply> {
    return act().catch((error: unknown) => {
      if (!(error instanceof GatewayError) || error.code === 'not_found') throw error;
      return pageOf(context, idOf(context), error);
    });
  }
}
