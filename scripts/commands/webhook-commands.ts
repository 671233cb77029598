import { systemClock as clock, formatTimestamp } from '@quittance/server/lib/clock';
import { notFound } from '@quittance/server/lib/errors';
import { listKeys } from '@quittance/server/merchants/api-key-store';
import { listFailedRequests } from '@quittance/server/merchants/failed-request-store';
import type { Merchant } from '@quittance/server/merchants/merchant';
import { findMerchant } from '@quittance/server/merchants/merchant-store';
import { rotateWebhookSecret } from '@quittance/server/merchants/rotate-webhook-secret';
import { deliveryFilters, listDeliveries } from '@quittance/server/webhooks/delivery-list-store';
import { redeliverFailed } from '@quittance/server/webhooks/redeliver-failed';
import { redeliverWebhook } from '@quittance/server/webhooks/redeliver-webhook';
import { sendTestEvent } from '@quittance/server/webhooks/send-test-event';
import { merchantOfDelivery } from '@quittance/server/webhooks/webhook-log-store';
import { deliveriesTable, loadReport } from '../checkout-report.ts';
import { type Command, command, UsageError } from '../command-line.ts';
import type { Installation } from '../installation.ts';
import { factList, textTable } from '../text-table.ts';

/** The name under which the audit log has these commands. */
const actor = 'operator';
const rowsMax = 100;

type Db = Parameters<Parameters<Installation['withDatabase']>[0]>[0];

async function knownMerchant(db: Db, merchantId: string): Promise<Merchant> {
  const merchant = await findMerchant(db, merchantId);
  if (!merchant) throw notFound('merchant', merchantId);
  return merchant;
}

function readMoment(text: string | undefined): Date {
  const moment = text === undefined ? new Date(0) : new Date(text);
  if (Number.isNaN(moment.getTime()))
    throw new UsageError(`--since must be a time such as 2026-01-31T12:00:00Z, but is ${JSON.stringify(text)}.`);
  return moment;
}

export const webhookCommands: readonly Command[] = [
  command({
    name: 'webhook list',
    summary: 'List the webhook deliveries about a checkout.',
    arguments: ['checkoutId'],
    examples: ['webhook list 8fk2m1x0c3ab'],
    async run({ withDatabase }, { checkoutId }) {
      const { deliveries } = await withDatabase((db) => loadReport(db, checkoutId));
      return { data: deliveries, text: deliveriesTable(deliveries) };
    },
  }),
  command({
    name: 'webhook deliveries',
    summary: "List a merchant's newest webhook deliveries.",
    details: 'failed: given up, and not made good since. waiting: will be tried again.',
    arguments: ['merchantId'],
    options: { state: { value: 'state', meaning: `One of ${deliveryFilters.join(', ')} (all).` } },
    examples: ['webhook deliveries 4cq0zr1lbdk9 --state failed'],
    run: ({ withDatabase }, { merchantId }, { state = 'all' }) =>
      withDatabase(async (db) => {
        const filter = deliveryFilters.find((each) => each === state);
        if (!filter) throw new UsageError(`--state must be one of ${deliveryFilters.join(', ')}.`);
        await knownMerchant(db, merchantId);
        const deliveries = await listDeliveries(db, merchantId, filter, { before: null, limit: rowsMax });
        const rows = deliveries.map((each) => [
          each.id,
          each.eventType,
          each.isReplaced ? `${each.state}, made good` : each.state,
          String(each.attempts),
          each.lastStatus === null ? '' : String(each.lastStatus),
          formatTimestamp(each.createdAt),
          each.url,
        ]);
        const heads = ['DELIVERY', 'EVENT', 'STATE', 'ATTEMPTS', 'ANSWER', 'TIME', 'URL'];
        return { data: deliveries, text: textTable(heads, rows) };
      }),
  }),
  command({
    name: 'webhook redeliver',
    summary: 'Send an event once more, with the same webhook-id.',
    arguments: ['deliveryId'],
    examples: ['webhook redeliver c81k2mz09qal'],
    run: ({ withDatabase }, { deliveryId }) =>
      withDatabase(async (db) => {
        const merchantId = await merchantOfDelivery(db, deliveryId);
        if (merchantId === undefined) throw notFound('webhook delivery', deliveryId);
        const again = await redeliverWebhook({ db, clock }, merchantId, deliveryId);
        return { data: again, text: `The event is sent again as delivery ${again.deliveryId}.` };
      }),
  }),
  command({
    name: 'webhook redeliver-failed',
    summary: 'Send everything again that was given up.',
    details: 'Of every checkout only the newest event, and nothing where a newer one has arrived.',
    arguments: ['merchantId'],
    options: { since: { value: 'time', meaning: 'Only what was announced since then (all).' } },
    examples: ['webhook redeliver-failed 4cq0zr1lbdk9 --since 2026-01-31T12:00:00Z'],
    run: ({ withDatabase }, { merchantId }, { since }) =>
      withDatabase(async (db) => {
        await knownMerchant(db, merchantId);
        const data = await redeliverFailed({ db, clock }, merchantId, readMoment(since));
        return { data, text: `Sent again: ${data.sent}.` };
      }),
  }),
  command({
    name: 'webhook test',
    summary: 'Send a test event to a URL, once, signed like all others.',
    details: 'It is signed with the secret of --key, or else of the oldest key in use.',
    arguments: ['merchantId', 'url'],
    options: { key: { value: 'apiKey', meaning: 'The key whose secret signs.' } },
    examples: ['webhook test 4cq0zr1lbdk9 https://shop.example/webhook'],
    run: ({ withDatabase }, { merchantId, url }, { key }) =>
      withDatabase(async (db) => {
        const merchant = await knownMerchant(db, merchantId);
        const inUse = (await listKeys(db, merchantId)).filter(({ revokedAt }) => revokedAt === null);
        const signer = inUse.find(({ apiKey }) => key === undefined || apiKey === key);
        if (!signer) throw notFound('API key', key ?? '');
        const data = await sendTestEvent({ db, clock }, merchant, { url, apiKey: signer.apiKey });
        return { data, text: `The test event is sent as delivery ${data.deliveryId}.` };
      }),
  }),
  command({
    name: 'webhook secret',
    summary: 'Give a merchant a new webhook secret; prints it, once.',
    details:
      'For 24 hours webhooks carry two signatures, with the new secret and the former one; with --at-once the former one ' +
      'ends now.',
    arguments: ['merchantId'],
    options: { 'at-once': { meaning: 'End the former secret now, because somebody else knows it.' } },
    examples: ['webhook secret 4cq0zr1lbdk9', 'webhook secret 4cq0zr1lbdk9 --at-once'],
    async run({ withDatabase, openEncryption }, { merchantId }, { 'at-once': isAtOnce }) {
      const encryption = await openEncryption();
      const { webhookSecret, formerUntil } = await withDatabase((db) =>
        rotateWebhookSecret({ db, clock, encryption }, merchantId, actor, { isAtOnce }),
      );
      const data = { webhookSecret: webhookSecret.reveal(), formerUntil: formerUntil && formatTimestamp(formerUntil) };
      const text = factList({
        'webhook secret': data.webhookSecret,
        'the former one signs until': data.formerUntil ?? 'now',
      });
      return { data, text: `${text}\nKeep it now: it is not shown again.` };
    },
  }),
  command({
    name: 'request failed',
    summary: "List a merchant's requests of the last seven days that were answered with an error.",
    arguments: ['merchantId'],
    examples: ['request failed 4cq0zr1lbdk9'],
    run: ({ withDatabase }, { merchantId }) =>
      withDatabase(async (db) => {
        await knownMerchant(db, merchantId);
        const failed = await listFailedRequests(db, merchantId, { before: null, limit: rowsMax });
        const rows = failed.map((each) => [
          formatTimestamp(each.createdAt),
          `${each.method} ${each.path}`,
          String(each.status),
          each.apiKey,
          each.requestId,
          each.sentence,
        ]);
        return {
          data: failed,
          text: textTable(['TIME', 'REQUEST', 'STATUS', 'API KEY', 'REQUEST ID', 'ANSWER'], rows),
        };
      }),
  }),
];
