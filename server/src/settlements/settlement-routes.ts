import { endpoints } from '@quittance/contract/endpoints';
import { checkoutRecord } from '../checkouts/checkout-record.ts';
import { type Route, route } from '../http/route.ts';
import { acceptExcess } from './accept-excess.ts';
import { acceptUnderpayment } from './accept-underpayment.ts';
import type { AdvanceDeps } from './advance-checkout.ts';

export const settlementRoutes = (deps: AdvanceDeps): Route[] => [
  route({
    endpoint: endpoints.acceptUnderpayment,
    async handle({ merchant, apiKey, body }) {
      const caller = { merchantId: merchant.id, apiKey };
      return { checkout: checkoutRecord(deps, await acceptUnderpayment(deps, caller, body.checkoutId)) };
    },
  }),
  route({
    endpoint: endpoints.acceptExcess,
    async handle({ merchant, apiKey, body }) {
      const caller = { merchantId: merchant.id, apiKey };
      return { checkout: checkoutRecord(deps, await acceptExcess(deps, caller, body.checkoutId)) };
    },
  }),
];
