import type { CheckoutRecord } from '@quittance/contract/checkout';
import { endpoints } from '@quittance/contract/endpoints';
import { type Route, route } from '../http/route.ts';
import { formatTimestamp } from '../lib/clock.ts';
import { cancelCheckout } from './cancel-checkout.ts';
import { checkoutNotFound } from './checkout-errors.ts';
import { chargeProblems, checkoutProblems } from './checkout-problems.ts';
import {
  checkoutRecord,
  commitReply,
  hostedCheckoutUrl,
  metaOf,
  paymentMethods,
  type RecordDeps,
} from './checkout-record.ts';
import { findCheckout } from './checkout-store.ts';
import { type CommitDeps, commitCheckout } from './commit-checkout.ts';
import { createCheckout, validateCharge } from './create-checkout.ts';
import { listCheckouts } from './list-checkouts.ts';
import { findTimeline } from './timeline-store.ts';

export function checkoutRoutes(deps: CommitDeps & RecordDeps): Route[] {
  async function record(merchantId: string, id: string): Promise<CheckoutRecord> {
    const dossier = await deps.batches.show({ merchantId, id });
    if (!dossier) throw checkoutNotFound(id);
    return checkoutRecord(deps, dossier);
  }

  return [
    route({
      endpoint: endpoints.createCheckout,
      check: ({ merchant, body }) => checkoutProblems(deps, merchant, body),
      async handle({ merchant, apiKey, body, payload }) {
        const checkout = await createCheckout(deps, merchant, { body, payload, apiKey, type: 'API' });
        return { id: checkout.id, paymentMethods: paymentMethods(checkout), ...metaOf(checkout) };
      },
    }),
    route({
      endpoint: endpoints.createHostedCheckout,
      check: ({ merchant, body }) => checkoutProblems(deps, merchant, body),
      async handle({ merchant, apiKey, body, payload }) {
        const checkout = await createCheckout(deps, merchant, { body, payload, apiKey, type: 'HOSTED' });
        const { id } = checkout;
        return { id, checkoutId: id, url: hostedCheckoutUrl(deps, checkout), ...metaOf(checkout) };
      },
    }),
    route({
      endpoint: endpoints.commitCheckout,
      async handle({ merchant, body }) {
        return commitReply(await commitCheckout(deps, merchant, body));
      },
    }),
    route({
      endpoint: endpoints.cancelCheckout,
      async handle({ merchant, body }) {
        await cancelCheckout(deps, merchant, body.checkoutId);
        return { checkout: await record(merchant.id, body.checkoutId) };
      },
    }),
    route({
      endpoint: endpoints.validateCharge,
      check: ({ body }) => chargeProblems(body.charge),
      handle: ({ body }) => validateCharge(body),
    }),
    route({
      endpoint: endpoints.getCheckout,
      async handle({ merchant, query }) {
        return { checkout: await record(merchant.id, query.id) };
      },
    }),
    route({
      endpoint: endpoints.listCheckouts,
      async handle({ merchant, query }) {
        const { items, next } = await listCheckouts(deps.db, merchant, query);
        return { checkouts: items.map((dossier) => checkoutRecord(deps, dossier)), next };
      },
    }),
    route({
      endpoint: endpoints.checkoutTimeline,
      async handle({ merchant, query }) {
        const [checkout, timeline] = await Promise.all([
          findCheckout(deps.db, merchant.id, query.id),
          findTimeline(deps.db, merchant.id, query.id),
        ]);
        if (!checkout) throw checkoutNotFound(query.id);
        return { timeline: timeline.map(({ at, what, why }) => ({ at: formatTimestamp(at), what, why })) };
      },
    }),
  ];
}
