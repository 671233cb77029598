/** Telling the merchant: once, in order, signed, and as long as it takes. */
import type { Saboteur } from './saboteur.ts';

const deliveries = 'server/src/webhooks/webhooks.test.ts';
const hazards = 'server/src/webhooks/webhook-hazards.test.ts';
const turns = 'server/src/webhooks/delivery-turn-store.test.ts';
const signing = 'server/src/webhooks/sign-webhook.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'webhooks/delivery-turn-store.ts',
    fault: 'what was overtaken stays to be sent',
    find: 'and older.sequence < mine.sequence',
    replace: 'and older.sequence < 0',
    noticedBy: deliveries,
  },
  {
    file: 'webhooks/delivery-turn-store.ts',
    fault: 'an event overtakes those of other subjects',
    find: 'older.merchant_id = mine.merchant_id and older.subject = mine.subject and',
    replace: 'older.merchant_id = mine.merchant_id and',
    noticedBy: deliveries,
  },
  {
    file: 'webhooks/webhook-store.ts',
    fault: 'an event does not wait for an earlier one of its subject',
    find: 'and earlier.sequence < delivery.sequence and earlier.attempts < ${failuresToOvertake}',
    replace: 'and earlier.sequence < 0 and earlier.attempts < ${failuresToOvertake}',
    noticedBy: deliveries,
  },
  {
    file: 'webhooks/webhook-store.ts',
    fault: 'an event that always fails holds up the later ones for four days',
    find: 'earlier.attempts < ${failuresToOvertake}',
    replace: 'earlier.attempts < 10 * ${failuresToOvertake}',
    noticedBy: deliveries,
  },
  {
    file: 'webhooks/webhook-store.ts',
    fault: 'an event waits for those of other subjects',
    find: 'earlier.merchant_id = delivery.merchant_id and earlier.subject = delivery.subject',
    replace: 'earlier.merchant_id = delivery.merchant_id',
    noticedBy: deliveries,
  },
  {
    file: 'webhooks/webhook-store.ts',
    fault: 'an attempt is written down over one of another worker',
    find: 'and attempts = ${delivery.attemptsBefore}',
    replace: 'and attempts >= ${delivery.attemptsBefore}',
    noticedBy: hazards,
  },
  {
    file: 'webhooks/webhook-store.ts',
    fault: 'the turn of an attempt never ends',
    find: 'update webhook_turn set worker = null',
    replace: 'update webhook_turn set worker = webhook_turn.worker',
    noticedBy: hazards,
  },
  {
    file: 'webhooks/webhook-store.ts',
    fault: 'an event is announced to a URL that another merchant had switched off, as given up',
    find: 'left join disabled_webhook off on off.merchant_id = wanted.merchant_id and off.url = wanted.url',
    replace: 'left join disabled_webhook off on off.url = wanted.url',
    noticedBy: hazards,
  },
  {
    file: 'webhooks/webhook-store.ts',
    fault: 'an event for a URL that is off leaves no trace that could be asked for',
    find: 'where wanted.url is not null\n',
    replace: 'where wanted.url is not null and off.url is null\n',
    noticedBy: hazards,
  },
  {
    file: 'webhooks/webhook-store.ts',
    fault: 'asking for an event again leaves its URL switched off',
    find: 'where off.merchant_id = new_delivery.merchant_id and off.url = new_delivery.url',
    replace: 'where off.merchant_id = new_delivery.merchant_id and off.url <> new_delivery.url',
    noticedBy: hazards,
  },
  {
    file: 'webhooks/redeliver-webhook.ts',
    fault: 'an old event is sent again after a newer one',
    find: 'if (newer) throw eventFollowed(newer);',
    replace: 'if (newer && clock === undefined) throw eventFollowed(newer);',
    noticedBy: deliveries,
  },
  {
    file: 'webhooks/delivery-outcome.ts',
    fault: 'a redirect counts as delivered',
    find: 'status >= 200 && status < 300) return',
    replace: 'status >= 200 && status < 400) return',
    noticedBy: deliveries,
  },
  {
    file: 'webhooks/delivery-outcome.ts',
    fault: '410 is tried for four days',
    find: 'if (status === 410) return',
    replace: 'if (status === 418) return',
    noticedBy: hazards,
  },
  {
    file: 'webhooks/deliver-webhook.ts',
    fault: 'the log shows the whole of a signature that does not expire',
    find: `headers['X-Webhook-Auth']?.slice(0, 8)`,
    replace: `headers['X-Webhook-Auth']?.slice(0)`,
    noticedBy: deliveries,
  },
  {
    file: 'webhooks/deliver-webhook.ts',
    fault: 'https is asked for and not insisted on',
    find: 'requireHttps: secrets.isHttpsRequired',
    replace: 'requireHttps: secrets.isHttpsRequired && url === undefined',
    noticedBy: hazards,
  },
  {
    file: 'webhooks/deliver-webhook.ts',
    fault: 'the time of an attempt is not that of its signature',
    find: '...signWebhook({ id: eventId, at, body }, secrets)',
    replace: '...signWebhook({ id: eventId, at: addMs(at, -3_600_000), body }, secrets)',
    noticedBy: deliveries,
  },
  {
    file: 'webhooks/sign-webhook.ts',
    fault: 'the signature leaves out when it was made',
    find: '`${id}.${timestamp}.${body}`',
    replace: '`${id}.${body}`',
    noticedBy: signing,
  },
  {
    file: 'webhooks/slow-receivers.ts',
    fault: 'a merchant with slow servers has all places of a worker',
    find: '!isSlow(merchantId) || (underWay.get(merchantId) ?? 0) < placesWhenSlow',
    replace: '!isSlow(merchantId) || (underWay.get(merchantId) ?? 0) < 100 * placesWhenSlow',
    noticedBy: 'server/src/webhooks/slow-receivers.test.ts',
  },
  {
    file: 'webhooks/delivery-turn-store.ts',
    fault: 'an older event takes the turn after a newer one',
    find: 'where held.newest <= excluded.newest',
    replace: 'where true',
    noticedBy: turns,
  },
  {
    file: 'webhooks/delivery-turn-store.ts',
    fault: 'a turn is taken from a worker that is alive',
    find: `         and (held.worker is null
              or (held.worker = excluded.worker and held.delivery_id = excluded.delivery_id)
              or not exists`,
    replace: `         and (true
              or (held.worker = excluded.worker and held.delivery_id = excluded.delivery_id)
              or not exists`,
    noticedBy: turns,
  },
  {
    file: 'webhooks/delivery-turn-store.ts',
    fault: 'a newer event does not wait until the attempt of a dead worker must be over',
    find: 'and (held.worker is null or held.begun_at <= ${staleBefore})',
    replace: 'and (held.worker is null or ${staleBefore}::timestamptz is not null)',
    noticedBy: turns,
  },
  {
    file: 'webhooks/delivery-turn-store.ts',
    fault: 'a turn that was taken over forgets the attempt that may still be under way',
    find: `else greatest(held.quiet_until, held.begun_at + \${attemptLimit}::interval) end`,
    replace: `else coalesce(held.quiet_until, null) + \${attemptLimit}::interval * 0 end`,
    noticedBy: turns,
  },
  {
    file: 'webhooks/webhook-store.ts',
    fault: 'the turn of a delivery that was given up is free while its attempt may be under way',
    find: `           quiet_until = greatest(turn.quiet_until, turn.begun_at + \${\`\${attemptLimitMs} milliseconds\`}::interval)`,
    replace: `           quiet_until = turn.quiet_until + \${\`\${attemptLimitMs} milliseconds\`}::interval * 0`,
    noticedBy: turns,
  },
  {
    file: 'webhooks/webhook-store.ts',
    fault: 'a URL that said 410 is off for every merchant',
    find: 'where off.merchant_id = delivery.merchant_id and off.url = delivery.url) as is_url_disabled',
    replace: 'where off.url = delivery.url) as is_url_disabled',
    noticedBy: hazards,
  },
  {
    file: 'webhooks/deliver-webhook.ts',
    fault: 'an attempt is made before its time',
    find: 'if (delivery.nextAt > now) throw new RunLater(delivery.nextAt);',
    replace: '',
    noticedBy: hazards,
  },
  {
    file: 'webhooks/delivery-schedule.ts',
    fault: 'what failed together comes back together',
    find: 'gap + Math.floor((gap / 10) * random())',
    replace: 'gap + 0 * random()',
    noticedBy: signing,
  },
  {
    file: 'webhooks/deliver-webhook.ts',
    fault: 'slow servers are known and waited for all the same',
    find: 'if (!slowReceivers.hasPlaceFor(merchantId)) throw',
    replace: 'if (random() > 1 && !slowReceivers.hasPlaceFor(merchantId)) throw',
    noticedBy: hazards,
  },
];
