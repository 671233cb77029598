/** Events on their way to a merchant's server: a real receiver on loopback, real jobs, a clock that the test moves. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Db } from '../src/db/database.ts';
import { createJobRunner, type JobHandlers } from '../src/jobs/job-runner.ts';
import { addMs } from '../src/lib/clock.ts';
import { createGuardedFetch } from '../src/lib/guarded-fetch.ts';
import { newId } from '../src/lib/ids.ts';
import { createLog } from '../src/lib/log.ts';
import { Secret } from '../src/lib/secret.ts';
import { deliverWebhook } from '../src/webhooks/deliver-webhook.ts';
import { recordEvent } from '../src/webhooks/record-event.ts';
import { createSlowReceivers } from '../src/webhooks/slow-receivers.ts';
import { deliveriesOfSubject } from '../src/webhooks/webhook-log-store.ts';

const cleanUps: (() => void | Promise<void>)[] = [];

export const onCleanUp = (cleanUp: () => void | Promise<void>): void => void cleanUps.push(cleanUp);

export async function endWorlds(db: Db): Promise<void> {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  await db`truncate job, event, delivery, delivery_attempt, disabled_webhook, webhook_turn`;
}

export type Received = { path: string; headers: IncomingHttpHeaders; body: string };

export async function startReceiver(answer: (response: ServerResponse, received: Received) => void) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(one);
      answer(response, one);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanUp(() => {
    server.close();
    server.closeAllConnections();
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

export const status = (code: number) => (response: ServerResponse) =>
  void response.writeHead(code).end(`answer ${code}`);

export function startWorld(db: Db, options: { isHttpsRequired?: boolean; timeoutMs?: number } = {}) {
  const merchantId = newId();
  let now = new Date('2026-03-01T12:00:00Z');
  const clock = { now: () => now };
  const log = createLog('silent');
  const secrets = {
    apiSecret: new Secret('qx7k-2m4p-9d1s-zz0a-b3c4-e5f6'),
    webhookSecrets: [new Secret('whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=')],
    isHttpsRequired: options.isHttpsRequired ?? false,
  };
  const deps = {
    db,
    clock,
    log,
    fetch: createGuardedFetch({ allowLoopback: true, timeoutMs: options.timeoutMs ?? 60_000, replyBytesMax: 4_000 }),
    slowReceivers: createSlowReceivers(),
    secretsOf: async () => secrets,
    random: () => 0,
  };
  const handlers = {
    'webhook.deliver': (payload, { worker }) => deliverWebhook(deps, payload, worker),
    'checkout.advance': async () => undefined,
    'idempotency.forget': async () => undefined,
  } as Partial<JobHandlers> as JobHandlers;
  const runner = createJobRunner({ db, clock, log, handlers, concurrency: 4 });
  onCleanUp(() => runner.stop());
  return {
    merchantId,
    deps,
    secrets,
    runner,
    announce: (subject: string, type: string, webhook: string | null) =>
      db.begin((tx) =>
        recordEvent(tx, {
          merchantId,
          subject,
          type,
          data: { checkout: { id: subject } },
          webhook,
          apiKey: 'k',
          at: now,
        }),
      ),
    async pass(ms: number) {
      now = addMs(now, ms);
      await runner.runDue();
    },
    deliveries: (subject: string) => deliveriesOfSubject(db, merchantId, subject, 100),
  };
}
