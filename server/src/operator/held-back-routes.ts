/** What waits to leave a suspended account is taken back by the operator, one order at a time. */
import { redirect } from '../account/frame/account-request.ts';
import { type CancelHeldBackDeps, cancelHeldBack } from '../refunds/cancel-held-back.ts';
import { merchantsPath } from './merchants-page.ts';
import { createOperatorRoutes, type OperatorRoute, type StaffDeps } from './operator-route.ts';

export type HeldBackDeps = StaffDeps & CancelHeldBackDeps;

export function heldBackRoutes(deps: HeldBackDeps): OperatorRoute[] {
  const operatorRoute = createOperatorRoutes(deps);
  return [
    operatorRoute({
      method: 'POST',
      path: `${merchantsPath}/:id/cancel`,
      access: { may: 'merchants' },
      async handle({ request, form, audited }) {
        const merchant = request.params['id'] ?? '';
        const order = form.get('order') ?? '';
        await cancelHeldBack(deps, merchant, order, (work) =>
          audited('merchant.order_canceled', { merchant, order }, work),
        );
        return redirect(`${merchantsPath}/${merchant}?did=canceled`);
      },
    }),
  ];
}
