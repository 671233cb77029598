/** What is answered to whoever has done something about a checkout. */
import type { PageReply } from '../../http/route.ts';
import type { Encryption } from '../../lib/encryption.ts';
import { claimUrl } from '../../refunds/refund-routes.ts';
import type { RequestedRefund, RequestRefundDeps } from '../../refunds/request-refund.ts';
import { accountReply } from '../frame/account-layout.ts';
import { redirect } from '../frame/account-request.ts';
import type { AccountDeps, MemberContext } from '../frame/account-route.ts';
import { unitsText } from './checkout-words.ts';
import { findView } from './one-checkout-facts.ts';
import { claimPage, type Deed } from './one-checkout-page.ts';

export type CheckoutPageDeps = AccountDeps & RequestRefundDeps & { readonly encryption: Encryption };

export const idOf = ({ request }: MemberContext): string => request.params['id'] ?? '';

export const pathBackTo = (context: MemberContext, did?: Deed): string =>
  `/account/checkouts/${encodeURIComponent(idOf(context))}${did === undefined ? '' : `?did=${did}`}`;

export const backTo = (context: MemberContext, did?: Deed): PageReply => redirect(pathBackTo(context, did));

/** The link at which the customer claims a refund. */
export async function claimReply(
  deps: CheckoutPageDeps,
  { look, merchant }: MemberContext,
  { checkoutId, claimToken, refund }: RequestedRefund,
): Promise<PageReply> {
  const { customer } = await findView(deps, look, merchant.id, checkoutId);
  const url = claimUrl(deps.originFor(merchant.id), checkoutId, claimToken ?? '');
  const amount = unitsText(deps, look, refund);
  return accountReply(200, look, claimPage(look, { checkoutId, url, amount, email: customer?.email ?? null }));
}
