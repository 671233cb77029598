/**
 * The delivery log of webhooks: what was sent about a checkout, deposit, swap or transfer, what the shop answered, and
 * sending it again.
 */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { createdBetween, nextPage, pageQuery } from './page.ts';
import { idInput, idText, nullable, timestamp } from './text.ts';

export const deliveryStates = ['PENDING', 'DELIVERED', 'FAILED', 'SUPERSEDED'] as const;

const headers = (description: string) => Type.Record(Type.String(), Type.String(), { description });

export const webhookAttempt = Type.Object(
  {
    number: Type.Integer({ description: 'Counted from 1.' }),
    timestamp: timestamp('When it was sent.'),
    durationMs: Type.Integer({ description: 'How long the answer took, in milliseconds.' }),
    requestHeaders: headers('What was sent. Of X-Webhook-Auth only the first characters are kept.'),
    responseStatus: nullable(Type.Integer({ description: 'HTTP status of the answer; null when there was none.' })),
    responseHeaders: nullable(headers('The headers of the answer that help to find a fault.')),
    responseExcerpt: nullable(Type.String({ description: 'The beginning of the answer.' })),
    error: nullable(Type.String({ description: 'Why there was no usable answer, in one sentence.' })),
  },
  { title: 'WebhookAttempt', description: 'One attempt to deliver an event.' },
);

export const webhookDelivery = Type.Object(
  {
    id: idText('Id of the delivery.'),
    eventId: idText('Id of the event, sent as webhook-id. A redelivery carries the same one.'),
    eventType: Type.String({ description: 'For example CHECKOUT_COMPLETED.' }),
    url: Type.String({ description: 'Where the event is sent.' }),
    state: Type.Enum([...deliveryStates], {
      title: 'WebhookDeliveryState',
      description:
        'PENDING: will be tried again. DELIVERED: answered with a 2xx status. FAILED: given up after about four days ' +
        'or because the receiver answered 410. SUPERSEDED: it failed three times, a newer event of the same subject ' +
        'was sent, and an older one never follows a newer one. The newer one shows the record as it was then.',
    }),
    failure: nullable(Type.String({ description: 'Why it was given up or overtaken, in one sentence.' })),
    supersededBy: nullable(idText('Id of the newer event that overtook it.')),
    timestamp: timestamp('When the delivery was created.'),
    nextAttemptTime: nullable(timestamp('When it is tried next; null when it is not.')),
    deliveredTime: nullable(timestamp('When it was delivered.')),
    requestBody: Type.String({ description: 'The body exactly as it is sent and signed.' }),
    attempts: Type.Array(webhookAttempt, { description: 'Oldest first.' }),
  },
  { title: 'WebhookDelivery', description: 'An event on its way to a webhook.' },
);

export const webhookDeliveriesQuery = Type.Object({
  ...pageQuery,
  checkoutId: Type.Optional(
    idInput('Only of this checkout, deposit, swap or transfer: its newest 100, whatever else is asked for.', [
      'id',
      'depositId',
      'swapId',
      'transferId',
    ]),
  ),
  state: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: `Only deliveries in one of these states, with commas between them: ${deliveryStates.join(', ')}.`,
    }),
  ),
  ...createdBetween('deliveries'),
});

export const webhookDeliveriesReply = Type.Object(
  { deliveries: Type.Array(webhookDelivery, { description: 'Newest first.' }), next: nextPage },
  { title: 'WebhookDeliveryList', description: 'A page of the webhook log.' },
);

export const webhookRedeliverBody = Type.Object(
  { deliveryId: idInput('Id of the delivery to repeat.', ['id']) },
  { title: 'RedeliverWebhookRequest', description: 'What is to be sent again.' },
);

export const webhookRedeliverReply = Type.Object(
  { deliveryId: idText('Id of the new delivery.') },
  { title: 'RedeliverWebhookReply', description: 'The delivery that was made.' },
);

export type WebhookDeliveryRecord = Static<typeof webhookDelivery>;
