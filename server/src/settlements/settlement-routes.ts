import { endpoints } from '@quittance/contract/endpoints';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { checkoutRecord } from '../checkouts/checkout-record.ts';
import { type Route, route } from '../http/route.ts';
import { acceptExcess } from './accept-excess.ts';
import { acceptUnderpayment } from './accept-underpayment.ts';
import type { AdvanceDeps } from './advance-checkout.ts';

export const settlementRoutes = (deps: AdvanceDeps): Route[] => {
  const replyOf = (dossier: CheckoutDossier) => ({ checkout: checkoutRecord(deps, dossier) });
  return [
    route({
      endpoint: endpoints.acceptUnderpayment,
      handle: ({ merchant, actor, body, carryOut }) =>
        carryOut(
          ({ begin }) => acceptUnderpayment(deps, { merchantId: merchant.id, actor, begin }, body.checkoutId),
          replyOf,
        ),
    }),
    route({
      endpoint: endpoints.acceptExcess,
      handle: ({ merchant, actor, body, carryOut }) =>
        carryOut(
          ({ begin }) => acceptExcess(deps, { merchantId: merchant.id, actor, begin }, body.checkoutId),
          replyOf,
        ),
    }),
  ];
};
