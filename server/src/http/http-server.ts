/**
 * The HTTP server: Node's own and a router. No framework, because the clients of this API rely on details that one would
 * decide otherwise: bodies are bytes that are signed, are JSON under any Content-Type, and come with GET and DELETE too.
 * See docs/decisions/0012.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Db } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import { GatewayError } from '../lib/errors.ts';
import { isId, newId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { apiKeyOf } from './actor.ts';
import { type AnswerDeps, type ApiRequest, answerRequest } from './answer-request.ts';
import type { Authenticate, CallingMerchant } from './caller.ts';
import { clientHops, countedAddress, isUnnamedProxy, parseRange } from './client-address.ts';
import { compressed } from './compress-page.ts';
import { createFairTurns } from './fair-turns.ts';
import { createKeyLocks, type KeyLocks } from './key-locks.ts';
import { type Metrics, requestSecondsBounds } from './metrics.ts';
import { demandStorableQuery } from './parse-json.ts';
import { defaultRateLimits, type RateLimiter, type RateLimits } from './rate-limit.ts';
import { readBody } from './read-body.ts';
import { type Answer, errorAnswer, renderError } from './render-error.ts';
import type { ApiRoute, PageContext, PageReply, PageRoute, Route } from './route.ts';
import { createRouter } from './router.ts';
import { workInTurn } from './work-in-turn.ts';

export type HttpServerOptions<M extends CallingMerchant = CallingMerchant> = {
  readonly routes: readonly Route<M>[];
  readonly authenticate: Authenticate<M>;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Metrics;
  readonly rateLimits?: RateLimits;
  /** Null: no limits. */
  readonly rateLimiter: RateLimiter | null;
  /** Ended with the server. */
  readonly keyLocks?: KeyLocks;
  /** See `AnswerDeps`. */
  readonly demandRoom?: AnswerDeps['demandRoom'];
  /** Seals the answers that are kept. */
  readonly encryption: Encryption;
  /** Addresses or CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[];
  /** Answers everything outside the API that nothing else answers. */
  readonly notFoundPage?: (context: PageContext) => Promise<PageReply> | PageReply;
  /** Answers in place of a page that has to wait: of too much at once, or for a thread. Left out: JSON, as the API does. */
  readonly busyPage?: (
    route: Pick<PageRoute, 'methods' | 'cost'>,
    context: PageContext,
    error: GatewayError,
  ) => PageReply;
  /** Told of every request of the API that names a key and was answered with an error. Must not throw, nor take long. */
  readonly onRefused?: (request: RefusedRequest) => void;
};

export type RefusedRequest = {
  readonly method: string;
  /** As received, without its query string. */
  readonly path: string;
  readonly status: number;
  readonly problems: readonly string[];
  /** Which the request names. */
  readonly apiKey: string;
  /** Whether it was signed with that key. Whoever knows the id of a key can name it. */
  readonly isSigned: boolean;
  readonly requestId: string;
};

export type HttpServer = {
  /** Returns the URL it listens on. */
  listen(at: { host: string; port: number }): Promise<string>;
  /** Lets running requests finish, for ten seconds at most. */
  close(): Promise<void>;
};

const prefix = '/api/v1';
const closeGraceMs = 10_000;

/** How many customers we expect behind a proxy that we cannot believe. */
const unnamedProxyCrowd = 50;

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};
const apiHeaders = {
  ...securityHeaders,
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
};

const unreadable = errorAnswer(400, ['The request could not be read.']);

/** A page is drawn of many small parts: for each of its bytes we work as long as for so many of JSON. */
const pageWeight = 4;

const weightOfPage = ({ body }: PageReply): number => {
  if (typeof body === 'string') return body.length * pageWeight;
  return Buffer.isBuffer(body) ? body.length : 0;
};

/** What becomes possible by itself when some time has passed. */
const isToWait = (error: unknown): error is GatewayError =>
  error instanceof GatewayError &&
  (error.httpStatus === 429 || error.httpStatus === 503) &&
  error.headers['retry-after'] !== undefined;

/** One request on its way through the server. */
type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly method: string;
  /** As received. */
  readonly path: string;
  readonly search: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Learned while it is answered, for the log. */
  merchantId?: string;
  apiKey?: string;
};

type Serve = (exchange: Exchange, rawBody: Buffer) => Promise<void> | void;
type Served = { readonly serve: Serve; readonly bodyBytesMax?: PageRoute['bodyBytesMax'] | undefined };

export function createHttpServer<M extends CallingMerchant>(options: HttpServerOptions<M>): HttpServer {
  const { log } = options;
  const trustedProxies = (options.trustedProxies ?? []).map(parseRange);
  const { db, clock, encryption, authenticate, rateLimiter, rateLimits = defaultRateLimits } = options;
  const { keyLocks = createKeyLocks(db) } = options;
  const limits = rateLimiter && { ...rateLimits, limiter: rateLimiter };
  const turns = createFairTurns();
  const { demandRoom } = options;
  const answerDeps = { turns, db, clock, log, authenticate, encryption, keyLocks, limits, demandRoom };
  const requestSeconds = options.metrics?.histogram(
    'http_request_duration_seconds',
    'How long requests took to answer.',
    requestSecondsBounds,
  );
  options.metrics?.gauge('http_requests_waiting', 'Requests that wait for their turn.', () => turns.waiting().requests);
  options.metrics?.gauge(
    'http_parties_waiting',
    'Merchants and addresses whose requests wait for their turn.',
    () => turns.waiting().parties,
  );
  const closing = new AbortController();

  let isProxyMentioned = false;
  function comingFrom(request: IncomingMessage): { address: string; toldHops: string[]; crowd: number } {
    const forwarded = request.headers['x-forwarded-for'];
    const { address, toldHops } = clientHops(request.socket.remoteAddress, forwarded, trustedProxies);
    if (!isUnnamedProxy(request.socket.remoteAddress, forwarded, trustedProxies))
      return { address, toldHops, crowd: 1 };
    if (!isProxyMentioned && rateLimiter && request.headers['x-ws-branding-key'] === undefined) {
      isProxyMentioned = true;
      log.warn(
        { address },
        'requests come through a proxy that TRUSTED_PROXIES does not name: all count as one address',
      );
    }
    return { address, toldHops, crowd: unnamedProxyCrowd };
  }

  function reply(exchange: Exchange, answer: Answer): void {
    send(exchange, answer);
    if (answer.status < 400 || !options.onRefused) return;
    const { request, method, path, requestId } = exchange;
    const apiKey = exchange.apiKey ?? request.headers['x-digest-key'];
    if (typeof apiKey !== 'string' || !isId(apiKey)) return;
    const { errors }: { errors: string[] } = JSON.parse(answer.body);
    const isSigned = exchange.apiKey !== undefined;
    options.onRefused({ method, path, status: answer.status, problems: errors, apiKey, isSigned, requestId });
  }

  const serveApi =
    (route: ApiRoute<M>): Serve =>
    async (exchange, rawBody) => {
      const { request, requestId, method, path, search, query } = exchange;
      const apiRequest: ApiRequest = {
        method,
        path: path.slice(prefix.length),
        search,
        query,
        headers: request.headers,
        rawBody,
        ...comingFrom(request),
        requestId,
      };
      const answer = await answerRequest(answerDeps, route, apiRequest, (caller) => {
        exchange.merchantId = caller.merchant.id;
        exchange.apiKey = apiKeyOf(caller.actor);
      });
      reply(exchange, answer);
    };

  const servePage =
    (route: Pick<PageRoute, 'methods' | 'cost' | 'handle'>): Serve =>
    async (exchange, rawBody) => {
      const { request, requestId, method, path, params, query } = exchange;
      demandStorableQuery(query);
      const from = comingFrom(request);
      const context: PageContext = {
        method,
        path,
        params,
        query: query as PageContext['query'],
        headers: request.headers,
        rawBody,
        ...from,
        requestId,
        log: log.child({ requestId }),
        closing: closing.signal,
      };
      const asked = { party: `address ${countedAddress(from.address)}`, bytes: rawBody.length };
      const page = await orBusyPage(route, context, () =>
        // What a supervisor asks must be answered, whatever else there is to do.
        route.cost === 'free'
          ? route.handle(context)
          : workInTurn(turns, asked, () => route.handle(context), weightOfPage),
      );
      const packed = await compressed(page, request.headers['accept-encoding']);
      const all = { ...securityHeaders, 'x-request-id': requestId, ...page.headers, ...packed.headers };
      const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
      sendPage(exchange, { status: page.status, headers, body: packed.body });
    };

  async function orBusyPage(
    route: Pick<PageRoute, 'methods' | 'cost'>,
    context: PageContext,
    make: () => Promise<PageReply> | PageReply,
  ): Promise<PageReply> {
    try {
      return await make();
    } catch (error) {
      const { cost } = route;
      const isForPrograms = cost === 'free' || context.path.startsWith('/api/');
      if (!options.busyPage || !isToWait(error) || isForPrograms) throw error;
      return options.busyPage(route, context, error);
    }
  }

  const router = createRouter<Served>(
    options.routes.map((route) =>
      route.kind === 'api'
        ? {
            path: `${prefix}${route.endpoint.path}`,
            methods: [route.endpoint.method],
            value: { serve: serveApi(route) },
          }
        : {
            path: route.path,
            methods: route.methods,
            value: { serve: servePage(route), bodyBytesMax: route.bodyBytesMax },
          },
    ),
    { unknown: { serve: serveNothing }, unreadable: { serve: (exchange) => reply(exchange, unreadable) } },
  );

  async function serveNothing(exchange: Exchange, rawBody: Buffer): Promise<void> {
    const { method, path } = exchange;
    const methods = router.methodsOf(path);
    if (methods && !methods.has(method)) {
      const allow = [...methods].join(', ');
      return reply(exchange, errorAnswer(405, [`This endpoint answers to ${allow} only.`], { allow }));
    }
    if (options.notFoundPage && !path.toLowerCase().startsWith('/api/'))
      return servePage({ methods: ['GET'], handle: options.notFoundPage })(exchange, rawBody);
    const shortPath = path.length > 60 ? `${path.slice(0, 59)}…` : path;
    return reply(exchange, errorAnswer(404, [`There is no endpoint ${method} ${shortPath}.`]));
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const { method = 'GET', url = '/' } = request;
    const { pattern, params, query, value } = router.find(method, url);
    const [path, search] = splitUrl(url);
    const requestId = requestIdOf(request);
    const exchange: Exchange = { request, response, requestId, method, path, search, params, query };
    response.on('error', () => undefined); // The client hung up before the end.
    response.on('finish', () => {
      const ms = performance.now() - startedAt;
      const labels = { method, route: pattern, status: response.statusCode };
      requestSeconds?.observe(labels, Math.round(ms * 1000) / 1_000_000);
      const { merchantId } = exchange;
      log.info({ requestId, ...labels, ms: Math.round(ms), merchantId }, 'request answered');
    });
    try {
      const rawBody = await readBody(request, await value.bodyBytesMax?.(request.headers));
      if (rawBody) await value.serve(exchange, rawBody);
    } catch (error) {
      // An answer that has begun cannot be taken back. We break it off, so that nobody believes it is complete.
      if (response.headersSent) response.destroy();
      else reply(exchange, renderError(error, log.child({ requestId })));
    }
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => void serve(request, response);
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 72_000, maxHeaderSize: 16_384 },
    onRequest,
  );
  server.maxConnections = 20_000;
  // No 100 Continue: existing clients take the first status line that they see for the answer.
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', onRequest);
  server.on('clientError', refuseUnreadable);

  return {
    listen: ({ host, port }) => listen(server, host, port),
    async close() {
      closing.abort();
      const cutOff = setTimeout(() => server.closeAllConnections(), closeGraceMs);
      // Otherwise a connection that was busy when closing began would be kept open for its next request.
      const hangUp = setInterval(() => server.closeIdleConnections(), 50);
      await new Promise<void>((resolve) => server.close(() => resolve()));
      clearTimeout(cutOff);
      clearInterval(hangUp);
      await keyLocks.end();
    },
  };
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { address, family, port: given } = server.address() as AddressInfo;
  const reachable = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
  return `http://${reachable === address && family === 'IPv6' ? `[${address}]` : reachable}:${given}`;
}

/** What is not HTTP, or took too long to arrive. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const { body } = unreadable;
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function send(exchange: Exchange, { status, headers, body, file }: Answer): void {
  const { response, requestId } = exchange;
  if (file) {
    const all = { ...apiHeaders, 'x-request-id': requestId, ...headers };
    return sendPage(exchange, { status, headers: all, body: file });
  }
  response.writeHead(status, {
    ...apiHeaders,
    'x-request-id': requestId,
    ...headers,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

function sendPage(
  { method, response }: Exchange,
  { status, headers, body }: { status: number; headers: Record<string, string>; body: NonNullable<PageReply['body']> },
): void {
  if (!(body instanceof Readable)) {
    const length = status === 304 ? {} : { 'content-length': Buffer.byteLength(body) };
    response.writeHead(status, { ...headers, ...length }).end(body);
    return;
  }
  response.writeHead(status, headers);
  if (method === 'HEAD') {
    body.destroy();
    response.end();
    return;
  }
  // Thousands of pages stay open for hours: no promise, and as few listeners as possible, for each.
  if (response.destroyed) return void body.destroy(); // Nobody waited for it, and nobody would end it.
  response.on('close', () => body.destroy());
  body.on('error', () => response.destroy());
  body.pipe(response);
}

const requestIdOf = (request: IncomingMessage): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : newId();
};

function splitUrl(url: string): [path: string, search: string] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark)];
}
