/**
 * Brings one event to the merchant's server: at least once, unless a newer event of the same subject was sent first;
 * never after a newer one; and never so that another subject must wait. No transaction is open while we wait for the
 * receiver's answer. If we die in that time, the attempt is made again with the same `webhook-id`, by which a receiver
 * recognises the repetition.
 */
import type { Db } from '../db/database.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { RunLater } from '../jobs/job-runner.ts';
import { addMs, type Clock } from '../lib/clock.ts';
import { FetchFailed, type GuardedFetch, type GuardedReply } from '../lib/guarded-fetch.ts';
import type { Log } from '../lib/log.ts';
import { deliveryOutcome } from './delivery-outcome.ts';
import { deliveryStates } from './delivery-state.ts';
import { takeTurn } from './delivery-turn-store.ts';
import { signWebhook, type WebhookSecrets } from './sign-webhook.ts';
import type { SlowReceivers } from './slow-receivers.ts';
import {
  type Attempt,
  abandonDelivery,
  recordAttempt,
  urlGone,
  type WaitingDelivery,
  waitingDelivery,
} from './webhook-store.ts';

export type DeliverWebhookDeps = {
  db: Db;
  clock: Clock;
  log: Log;
  fetch: GuardedFetch;
  slowReceivers: SlowReceivers;
  /** The secrets as they are now: a merchant who has rotated one checks with the new one. */
  secretsOf(merchantId: string, apiKey: string): Promise<WebhookSecrets & { isHttpsRequired: boolean }>;
  random?: () => number;
};

const failuresToOvertake = 3;
const lookAgainMs = 1_000;
/** After this long an attempt has ended, whatever became of its worker: the fetch has a shorter limit of its own. */
const attemptLimitMs = 20_000;
const excerptLength = 2_000;

export async function deliverWebhook(
  deps: DeliverWebhookDeps,
  { merchantId, deliveryId }: JobCatalog['webhook.deliver'],
  worker: number,
): Promise<void> {
  const { db, clock, log, slowReceivers } = deps;
  const random = deps.random ?? Math.random;
  if (!slowReceivers.hasPlaceFor(merchantId)) throw new RunLater(addMs(clock.now(), lookAgainMs * (2 + 8 * random())));
  const delivery = await waitingDelivery(db, merchantId, deliveryId, failuresToOvertake);
  if (delivery === null) return; // It was made before; only the end of this job was not stored.
  if (delivery.isUrlDisabled) return abandonDelivery(db, { merchantId, id: deliveryId, attemptLimitMs }, urlGone);

  const now = clock.now();
  if (delivery.nextAt > now) throw new RunLater(delivery.nextAt);
  if (delivery.waitsForOneDueAt !== null) {
    throw new RunLater(addMs(delivery.waitsForOneDueAt > now ? delivery.waitsForOneDueAt : now, lookAgainMs));
  }

  const turn = await takeTurn(db, { merchantId, deliveryId, worker, now, staleBefore: addMs(now, -attemptLimitMs) });
  if (turn === 'superseded') return log.info({ merchantId, deliveryId }, 'webhook superseded by a newer event');
  if (turn === 'taken') throw new RunLater(addMs(now, lookAgainMs));

  const attempt = await slowReceivers.watch(merchantId, () => tryOnce(deps, merchantId, delivery, now));
  const outcome = deliveryOutcome(attempt, delivery, clock.now(), random);
  const isRecorded = await recordAttempt(
    db,
    { merchantId, id: deliveryId, attemptsBefore: delivery.attempts, worker },
    attempt,
    outcome,
  );
  // Another worker believed that this job was dead, and was faster: look at what is left to do.
  if (!isRecorded) throw new RunLater(addMs(clock.now(), lookAgainMs));

  const fields = { merchantId, deliveryId, attempt: delivery.attempts + 1, status: attempt.responseStatus };
  if (outcome.move === 'giveUp') log.warn(fields, 'webhook given up');
  else log.info({ ...fields, state: deliveryStates.to(outcome.move) }, 'webhook attempted');
  if (outcome.move === 'retry') throw new RunLater(outcome.nextAt);
}

async function tryOnce(
  deps: DeliverWebhookDeps,
  merchantId: string,
  delivery: WaitingDelivery,
  at: Date,
): Promise<Attempt> {
  const { eventId, body, url, apiKey } = delivery;
  const secrets = await deps.secretsOf(merchantId, apiKey);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Quittance',
    ...signWebhook({ id: eventId, at, body }, secrets),
  };
  const startedAt = performance.now();
  const request = { url, method: 'POST' as const, headers, body, requireHttps: secrets.isHttpsRequired };
  const outcome = await deps.fetch(request).catch((error: unknown) => {
    if (error instanceof FetchFailed) return error;
    throw error;
  });
  const durationMs = Math.round(performance.now() - startedAt);
  const requestHeaders = forTheLog(headers);
  if (outcome instanceof FetchFailed) {
    const nothing = { responseStatus: null, responseHeaders: null, responseExcerpt: null };
    return { at, durationMs, requestHeaders, ...nothing, error: outcome.message };
  }
  return { at, durationMs, requestHeaders, ...replyForTheLog(outcome) };
}

/**
 * Enough of X-Webhook-Auth to compare, not enough to use: it does not expire, so whoever reads the log could send it
 * again together with the body. The other signature is bound to its time and is shown whole.
 */
function forTheLog(headers: Readonly<Record<string, string>>): Record<string, string> {
  return { ...headers, 'X-Webhook-Auth': `${headers['X-Webhook-Auth']?.slice(0, 8)}…` };
}

const tellingHeaders = ['content-type', 'content-length', 'date', 'location', 'retry-after', 'server'];

function replyForTheLog(reply: GuardedReply): Omit<Attempt, 'at' | 'durationMs' | 'requestHeaders'> {
  const headers = tellingHeaders.flatMap((name) => {
    const value = reply.headers[name];
    return value === undefined ? [] : [[name, value.slice(0, 500)] as const];
  });
  const isRedirect = reply.status >= 300 && reply.status < 400;
  return {
    responseStatus: reply.status,
    responseHeaders: Object.fromEntries(headers),
    responseExcerpt: reply.body.slice(0, excerptLength).replaceAll('\0', '\uFFFD'), // PostgreSQL text holds no NUL.
    error: isRedirect ? 'Redirects are not followed: the webhook must be the final URL.' : null,
  };
}
