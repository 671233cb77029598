import type { WebhookDeliveryRecord } from '@quittance/contract/webhook';
import { formatTimestamp } from '../lib/clock.ts';
import type { DeliveryRow } from './webhook-log-store.ts';

const orNull = (date: Date | null): string | null => (date === null ? null : formatTimestamp(date));

export function toDeliveryRecord(delivery: DeliveryRow): WebhookDeliveryRecord {
  const { id, eventId, eventType, url, state, failure, supersededBy, body, attempts } = delivery;
  return {
    id,
    eventId,
    eventType,
    url,
    state,
    failure,
    supersededBy,
    timestamp: formatTimestamp(delivery.createdAt),
    nextAttemptTime: orNull(delivery.nextAt),
    deliveredTime: orNull(delivery.deliveredAt),
    requestBody: body,
    attempts: attempts.map(({ at, ...attempt }) => ({
      number: attempt.number,
      timestamp: formatTimestamp(at),
      durationMs: attempt.durationMs,
      requestHeaders: attempt.requestHeaders,
      responseStatus: attempt.responseStatus,
      responseHeaders: attempt.responseHeaders,
      responseExcerpt: attempt.responseExcerpt,
      error: attempt.error,
    })),
  };
}
