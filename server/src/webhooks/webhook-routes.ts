import { endpoints } from '@quittance/contract/endpoints';
import type { Db } from '../db/database.ts';
import { type Route, route } from '../http/route.ts';
import type { Clock } from '../lib/clock.ts';
import { redeliverWebhook } from './redeliver-webhook.ts';
import { deliveriesOfSubject } from './webhook-log-store.ts';
import { toDeliveryRecord } from './webhook-record.ts';

const deliveriesMax = 100;

export const webhookRoutes = (deps: { db: Db; clock: Clock }): Route[] => [
  route({
    endpoint: endpoints.listWebhookDeliveries,
    async handle({ merchant, query }) {
      const deliveries = await deliveriesOfSubject(deps.db, merchant.id, query.checkoutId, deliveriesMax);
      return { deliveries: deliveries.map(toDeliveryRecord) };
    },
  }),
  route({
    endpoint: endpoints.redeliverWebhook,
    handle: ({ merchant, body, carryOut }) =>
      carryOut(
        ({ begin }) => redeliverWebhook({ ...deps, begin }, merchant.id, body.deliveryId),
        (again: { readonly deliveryId: string }) => again,
      ),
  }),
];
