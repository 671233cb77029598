/** A small real server on a database of its own, one merchant, a clock we move, and a client that signs like shops do. */
import { createHmac, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { scopes } from '@quittance/contract/permissions';
import { authRoutes } from '../src/auth/auth-routes.ts';
import { createAuthenticate } from '../src/auth/authenticate.ts';
import { createUsedKeys } from '../src/auth/used-keys.ts';
import { createHttpServer, type HttpServerOptions } from '../src/http/http-server.ts';
import { createMetrics } from '../src/http/metrics.ts';
import type { Route } from '../src/http/route.ts';
import { createSharedRateLimiter } from '../src/http/shared-rate-limit.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { createLog } from '../src/lib/log.ts';
import { createMerchant } from '../src/merchants/create-merchant.ts';
import { stopwatchOf } from './stopwatch-of.ts';
import { createTestDatabase } from './test-database.ts';

export type TestReply = { status: number; headers: Record<string, string>; text: string; json: unknown };

export type Sent = {
  method?: string;
  path: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
  /** What is signed, when it differs from what is sent. */
  signed?: { path?: string; body?: string | Buffer; timestamp?: number | string; method?: string };
};

export async function startTestApi(routes: readonly Route[] = [], options: Partial<HttpServerOptions> = {}) {
  const database = await createTestDatabase();
  const { db } = database;
  let now = new Date('2026-03-01T12:00:00.500Z');
  const clock = { now: () => now };
  const log = createLog('silent');
  const encryption = createEncryption(randomBytes(32));
  const metrics = createMetrics();
  const merchantDeps = { db, clock, encryption };
  const account = await createMerchant(merchantDeps, { name: 'Shop', scopes }, 'operator');
  /** A process of its own, as far as that is possible: nothing is shared but the database. */
  async function startProcess() {
    const server = createHttpServer({
      routes: [...authRoutes({ clock }), ...routes],
      encryption,
      authenticate: createAuthenticate({ db, clock, encryption, usedKeys: createUsedKeys() }, stopwatchOf(clock)),
      rateLimiter: createSharedRateLimiter({ db, log }),
      db,
      clock,
      log,
      metrics,
      ...options,
    });
    return { url: await server.listen({ host: '127.0.0.1', port: 0 }), close: () => server.close() };
  }
  const server = await startProcess();
  const { url } = server;

  const send = (sent: Sent): Promise<TestReply> => sendTo(url, sent);
  const sendSigned = (
    sent: Sent,
    credentials: Pick<typeof account, 'apiKey' | 'apiSecret'> = account,
    base = url,
  ): Promise<TestReply> => {
    const { signed = {} } = sent;
    const timestamp = String(signed.timestamp ?? Math.floor(now.getTime() / 1000));
    const method = signed.method ?? sent.method ?? 'GET';
    const path = signed.path ?? sent.path.replace(/\?.*$/, '');
    const signature = createHmac('sha256', credentials.apiSecret.reveal())
      .update(`${path}${timestamp}${method}`)
      .update(signed.body ?? sent.body ?? '')
      .digest('hex');
    const headers = {
      'X-Digest-Key': credentials.apiKey,
      'X-Digest-Signature': signature,
      'X-Digest-Timestamp': timestamp,
    };
    return sendTo(base, { ...sent, path: `/api/v1${sent.path}`, headers: { ...headers, ...sent.headers } });
  };

  return {
    url,
    db,
    clock,
    account,
    metrics,
    merchantDeps,
    send,
    sendSigned,
    async startAnother() {
      const another = await startProcess();
      return { ...another, send: (sent: Sent) => sendTo(another.url, sent) };
    },
    advanceMs: (ms: number) => {
      now = new Date(now.getTime() + ms);
    },
    async close() {
      await server.close();
      await database.drop();
    },
  };
}

export type TestApi = Awaited<ReturnType<typeof startTestApi>>;

/** Plain node:http: fetch refuses a GET with a body and much else that real clients send. */
function sendTo(base: string, { method = 'GET', path, body, headers = {} }: Sent): Promise<TestReply> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const outgoing = request(base + path, { method, headers: { ...length, ...headers } }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = incoming.headers['content-type']?.startsWith('application/json') && text !== '';
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers as Record<string, string>,
          text,
          json: isJson ? JSON.parse(text) : undefined,
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
