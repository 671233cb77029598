import type { CheckoutBody, CheckoutRecord } from '@quittance/contract/checkout';
import { endpoints } from '@quittance/contract/endpoints';
import { type Asker, isPersonActor, signingKeyOf } from '../http/actor.ts';
import type { Remember } from '../http/effect.ts';
import { type PartlyRead, type Route, routeFor } from '../http/route.ts';
import { formatTimestamp } from '../lib/clock.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { type WebhookRule, webhookUrlProblems } from '../webhooks/webhook-url-problems.ts';
import { cancelCheckout } from './cancel-checkout.ts';
import type { Checkout, CheckoutDossier } from './checkout.ts';
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
import { type CommitDeps, type CommitOutcome, commitCheckout } from './commit-checkout.ts';
import { createCheckout, validateCharge } from './create-checkout.ts';
import { listCheckouts } from './list-checkouts.ts';
import { readCheckoutFilter } from './read-checkout-filter.ts';
import { findTimeline } from './timeline-store.ts';

const route = routeFor<Merchant>();

/** A key stands in the checkout itself. What a person makes is in the audit log, as in the account. */
const madeBy = (actor: Asker, remember: Remember<Checkout> | null) => ({
  apiKey: signingKeyOf(actor),
  remember: isPersonActor(actor) ? withAudit(actor, remember) : remember,
});

const posted = (body: CheckoutBody, payload: unknown, rawBody: Buffer) => ({ body, payload, bytes: rawBody.length });

const withAudit =
  (actor: Asker, remember: Remember<Checkout> | null): Remember<Checkout> =>
  async (tx, made) => {
    const { merchantId, id: checkoutId, createdAt: at } = made;
    await insertAudit(tx, { merchantId, at, actor, action: 'checkout.created', detail: { checkoutId } });
    await remember?.(tx, made);
  };

export function checkoutRoutes(deps: CommitDeps & RecordDeps & WebhookRule): Route<Merchant>[] {
  async function record(merchantId: string, id: string): Promise<CheckoutRecord> {
    const dossier = await deps.batches.show({ merchantId, id });
    if (!dossier) throw checkoutNotFound(id);
    return checkoutRecord(deps, dossier);
  }

  const check = async ({ merchant, body }: { merchant: Merchant; body: PartlyRead<CheckoutBody> }) => [
    ...(await checkoutProblems(deps, merchant, body)),
    ...webhookUrlProblems(deps, merchant, body.webhook),
  ];

  return [
    route({
      endpoint: endpoints.createCheckout,
      check,
      handle: ({ merchant, actor, body, payload, rawBody, carryOut }) =>
        carryOut(
          ({ remember }) =>
            createCheckout(deps, merchant, {
              ...posted(body, payload, rawBody),
              type: 'API',
              ...madeBy(actor, remember),
            }),
          (checkout: Checkout) => ({
            id: checkout.id,
            paymentMethods: paymentMethods(checkout),
            ...metaOf(checkout),
          }),
        ),
    }),
    route({
      endpoint: endpoints.createHostedCheckout,
      check,
      handle: ({ merchant, actor, body, payload, rawBody, carryOut }) =>
        carryOut(
          ({ remember }) =>
            createCheckout(deps, merchant, {
              ...posted(body, payload, rawBody),
              type: 'HOSTED',
              ...madeBy(actor, remember),
            }),
          (checkout: Checkout) => {
            const { id } = checkout;
            return { id, checkoutId: id, url: hostedCheckoutUrl(deps, checkout), ...metaOf(checkout) };
          },
        ),
    }),
    route({
      endpoint: endpoints.commitCheckout,
      handle: ({ merchant, body, carryOut }) =>
        carryOut(
          ({ remember }) => commitCheckout(deps, merchant, { ...body, remember }),
          (outcome: CommitOutcome) => commitReply(deps.connectors, outcome),
        ),
    }),
    route({
      endpoint: endpoints.cancelCheckout,
      handle: ({ merchant, actor, body, carryOut }) =>
        carryOut(
          ({ begin }) => cancelCheckout({ ...deps, begin, actor }, merchant, body.checkoutId),
          (dossier: CheckoutDossier) => ({ checkout: checkoutRecord(deps, dossier) }),
        ),
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
      async handle({ merchant, may, query }) {
        const permissions = { mayReadCustomers: may('readCustomers') };
        const filter = await readCheckoutFilter(deps, merchant.id, query, permissions);
        const { items, next } = await listCheckouts(deps.db, merchant, filter, query);
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
