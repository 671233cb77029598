import { endpoints } from '@quittance/contract/endpoints';
import { checkoutNotFound } from '../checkouts/checkout-errors.ts';
import { refundRecord } from '../checkouts/checkout-record.ts';
import { findDossiers } from '../checkouts/checkout-store.ts';
import { type Route, route } from '../http/route.ts';
import type { AdvanceDeps } from './advance-checkout.ts';
import { cancelRefund } from './advance-refund.ts';
import { approveRefund } from './approve-refund.ts';
import { refundNotFound } from './refund-errors.ts';
import { findRefund } from './refund-store.ts';
import { requestRefund } from './request-refund.ts';

export const refundRoutes = (deps: AdvanceDeps): Route[] => [
  route({
    endpoint: endpoints.createRefund,
    async handle({ merchant, apiKey, idempotencyKey, body, useSignature }) {
      const caller = { merchant, apiKey, idempotencyKey, useSignature };
      const { refund, claimToken, ...approval } = await requestRefund(deps, caller, body);
      return {
        refund: refundRecord(deps, body.checkoutId, refund),
        ...approval,
        ...(claimToken !== null && { claimUrl: claimUrl(deps.originFor(merchant.id), body.checkoutId, claimToken) }),
      };
    },
  }),
  route({
    endpoint: endpoints.approveRefund,
    async handle({ merchant, apiKey, body, useSignature }) {
      const caller = { merchantId: merchant.id, apiKey, useSignature };
      const { checkoutId, refund, claimToken } = await approveRefund(deps, caller, body.id);
      return {
        refund: refundRecord(deps, checkoutId, refund),
        ...(claimToken !== null && { claimUrl: claimUrl(deps.originFor(merchant.id), checkoutId, claimToken) }),
      };
    },
  }),
  route({
    endpoint: endpoints.cancelRefund,
    async handle({ merchant, apiKey, body }) {
      const { checkoutId, refund } = await cancelRefund(deps, { merchantId: merchant.id, apiKey }, body.id);
      return { refund: refundRecord(deps, checkoutId, refund) };
    },
  }),
  route({
    endpoint: endpoints.getRefund,
    async handle({ merchant, query }) {
      const found = await findRefund(deps.db, merchant.id, query.id);
      if (!found) throw refundNotFound(query.id);
      return { refund: refundRecord(deps, found.checkoutId, found.refund) };
    },
  }),
  route({
    endpoint: endpoints.listRefunds,
    async handle({ merchant, query }) {
      const key = { merchantId: merchant.id, id: query.checkoutId };
      const [dossier] = await findDossiers(deps.db, [key], { hasQuotes: false });
      if (!dossier) throw checkoutNotFound(query.checkoutId);
      return { refunds: dossier.refunds.map((refund) => refundRecord(deps, query.checkoutId, refund)) };
    },
  }),
];

/** English in the path means that the browser decides, as on the payment page. */
const claimUrl = (origin: string, checkoutId: string, token: string): string =>
  `${origin}/en/checkout/${checkoutId}/refund?token=${token}`;
