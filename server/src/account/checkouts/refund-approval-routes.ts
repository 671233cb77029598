/** A refund that waits for somebody else: approved by who may, refused, or taken back by who asked. And one that has not left. */
import { findAsset } from '../../catalog/asset-catalog.ts';
import { askersOfRefunds, type FoundRefund, findRefund } from '../../checkouts/refund-store.ts';
import { personActor } from '../../http/actor.ts';
import { formatUnits } from '../../money/amount.ts';
import { notYours } from '../../people/people-errors.ts';
import { cancelRefund, refuseRefund } from '../../refunds/advance-refund.ts';
import { approveRefund } from '../../refunds/approve-refund.ts';
import { cannotCancelRefund, refundNotFound } from '../../refunds/refund-errors.ts';
import { type AccountRoute, createAccountRoutes, type MemberContext } from '../frame/account-route.ts';
import { inSession } from '../frame/in-session.ts';
import { goalWords } from '../money/order-words.ts';
import { backTo, type CheckoutPageDeps, claimReply, idOf } from './one-checkout-replies.ts';

const here = '/account/checkouts/:id/refunds/:refund';
const refundIdOf = ({ request }: MemberContext): string => request.params['refund'] ?? '';

export function refundApprovalRoutes(deps: CheckoutPageDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const callerOf = ({ merchant, signedIn }: MemberContext) => ({
    merchantId: merchant.id,
    actor: personActor(signedIn.person.id),
    begin: inSession(deps.db, signedIn),
  });

  async function find(context: MemberContext): Promise<FoundRefund | undefined> {
    const found = await findRefund(deps.db, context.merchant.id, refundIdOf(context));
    return found?.checkoutId === idOf(context) ? found : undefined;
  }
  /** Whether it still waits is decided under the lock. */
  async function demandOfThis(context: MemberContext): Promise<void> {
    if (!(await find(context))) throw refundNotFound(refundIdOf(context));
  }
  /** As it is stored: while it waits, nothing about it changes. */
  async function orderOfApproval(context: MemberContext): Promise<string> {
    const found = await find(context);
    if (!found) return `approve refund ${refundIdOf(context)}`;
    const { id, asset, units, feePaidBy } = found.refund;
    const amount = formatUnits(units, findAsset(deps.assets, asset)?.ledgerScale ?? 0);
    const asker = (await askersOfRefunds(deps.db, context.merchant.id, [id])).get(id) ?? 'payer';
    return (
      `approve refund ${id}: ${amount} ${asset} of checkout ${found.checkoutId} ${goalWords(found.refund)}, ` +
      `fee paid by the ${feePaidBy}, asked for by ${asker}`
    );
  }

  return [
    accountRoute({
      method: 'POST',
      path: `${here}/approve`,
      access: { may: 'approve' },
      order: orderOfApproval,
      async handle(context) {
        await demandOfThis(context);
        const approved = await approveRefund(deps, callerOf(context), refundIdOf(context));
        return approved.claimToken === null ? backTo(context, 'Approve') : claimReply(deps, context, approved);
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/refuse`,
      access: { may: 'refund' },
      isProtective: true,
      async handle(context) {
        await demandOfThis(context);
        const { merchantId, actor } = callerOf(context);
        const id = refundIdOf(context);
        const isOwn = (await askersOfRefunds(deps.db, merchantId, [id])).get(id) === actor;
        if (!isOwn && context.signedIn.grant('approve') === 'no') throw notYours();
        await refuseRefund(deps, callerOf(context), id);
        return backTo(context, 'Refuse');
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/cancel`,
      access: { may: 'refund' },
      isProtective: true,
      async handle(context) {
        const found = await find(context);
        if (!found) throw refundNotFound(refundIdOf(context));
        // That is refused, by who may approve it. No refund ever comes to wait for approval later.
        if (found.refund.state === 'AWAITING_APPROVAL') throw cannotCancelRefund(found.refund.state);
        await cancelRefund(deps, callerOf(context), found.refund.id);
        return backTo(context, 'Refuse');
      },
    }),
  ];
}
