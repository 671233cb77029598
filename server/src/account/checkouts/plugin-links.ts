/**
 * Links that existing plugins put beside an order in the shop's own administration. They lead into the account, through
 * the sign-in where need be; whether there is such a thing is said there, in the account of who asks.
 */
import { findDossier } from '../../checkouts/checkout-store.ts';
import { findRefund } from '../../checkouts/refund-store.ts';
import { type PageContext, pageRoute, type Route } from '../../http/route.ts';
import { isId } from '../../lib/ids.ts';
import { redirect } from '../frame/account-request.ts';
import { type AccountRoute, createAccountRoutes } from '../frame/account-route.ts';
import type { CheckoutPageDeps } from './one-checkout-replies.ts';

/** What is no id is nowhere: the list is as near as it gets. */
const placeOf = ({ params }: PageContext, rest = ''): string => {
  const id = params['id'] ?? '';
  return isId(id) ? `/account/checkouts/${id}${rest}` : '/account/checkouts';
};

export const pluginLinks = ({ accountUrl }: { readonly accountUrl: string }): Route[] => {
  const lead = (path: string, to: (request: PageContext) => string): Route =>
    pageRoute({ methods: ['GET'], path, handle: (request) => redirect(`${accountUrl}${to(request)}`) });
  return [
    lead('/:lang/payment/checkout-id/:id', (request) => placeOf(request)),
    lead('/:lang/unresolved-charge/checkout-id/:id', (request) => placeOf(request, '/decision')),
    lead('/:lang/refund/:id', ({ params }) => {
      const id = params['id'] ?? '';
      return isId(id) ? `/account/refunds/${id}` : '/account/checkouts';
    }),
  ];
};

/** Of a refund's id, or of a checkout's: plugins have used both. */
export const refundLinkRoute = (deps: CheckoutPageDeps): AccountRoute =>
  createAccountRoutes(deps)({
    method: 'GET',
    path: '/account/refunds/:id',
    access: { may: 'seeCheckouts' },
    async handle({ request, merchant }) {
      const id = request.params['id'] ?? '';
      const refund = await findRefund(deps.db, merchant.id, id);
      if (refund) return redirect(`/account/checkouts/${refund.checkoutId}`);
      const checkout = await findDossier(deps.db, merchant.id, id);
      return redirect(`/account/checkouts/${encodeURIComponent(checkout ? checkout.checkout.id : id)}`);
    },
  });
