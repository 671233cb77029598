import { endpoints } from '@quittance/contract/endpoints';
import type { Permission } from '@quittance/contract/permissions';
import { deliveryStates } from '@quittance/contract/webhook';
import type { Db } from '../db/database.ts';
import { idsOf, listPage, readWords, withBytes } from '../http/page-cursor.ts';
import { type Route, route } from '../http/route.ts';
import type { Clock } from '../lib/clock.ts';
import { bytesOfDeliveries, newestOfStates } from './delivery-list-store.ts';
import { redeliverWebhook } from './redeliver-webhook.ts';
import { type DeliveryRow, deliveriesOfSubject, findDeliveries } from './webhook-log-store.ts';
import { toDeliveryRecord } from './webhook-record.ts';

const deliveriesMax = 100;

/** An event carries the record that it is about: the log shows it to those who may read it elsewhere. */
function permissionToRead(eventType: string): Permission {
  if (eventType.startsWith('TRANSFER_')) return 'readOrders';
  return eventType.startsWith('SWAP_') ? 'readBalances' : 'readWebhooks';
}

type DeliveryPage = { readonly items: readonly DeliveryRow[]; readonly next: string | null };

const pageOfDeliveries = (
  db: Db,
  merchantId: string,
  states: readonly string[],
  query: { readonly limit: number; readonly cursor?: string; readonly from?: string; readonly to?: string },
): Promise<DeliveryPage> =>
  listPage(
    query,
    async (range) => {
      const keys = await newestOfStates(db, merchantId, states, range);
      return withBytes(keys, await bytesOfDeliveries(db, merchantId, idsOf(keys)));
    },
    (keys) => findDeliveries(db, merchantId, idsOf(keys)),
  );

async function allAbout(db: Db, merchantId: string, subject: string, states: readonly string[]): Promise<DeliveryPage> {
  const deliveries = await deliveriesOfSubject(db, merchantId, subject, deliveriesMax);
  return { items: deliveries.filter(({ state }) => states.includes(state)), next: null };
}

export const webhookRoutes = (deps: { db: Db; clock: Clock }): Route[] => [
  route({
    endpoint: endpoints.listWebhookDeliveries,
    async handle({ merchant, may, query }) {
      const states = query.state === undefined ? deliveryStates : readWords('state', query.state, deliveryStates);
      const { items, next } = await (query.checkoutId === undefined
        ? pageOfDeliveries(deps.db, merchant.id, states, query)
        : allAbout(deps.db, merchant.id, query.checkoutId, states));
      const readable = items.filter(({ eventType }) => may(permissionToRead(eventType)));
      return { deliveries: readable.map(toDeliveryRecord), next };
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
