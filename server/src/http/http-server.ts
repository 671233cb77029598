/**
 * The HTTP server: Fastify as a router and nothing more. Its own validation, serialization and error answers are off,
 * because the clients of this API rely on details it knows nothing of: bodies are bytes that are signed, are JSON under
 * any Content-Type, and come with GET and DELETE too.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Db } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { answerRequest } from './answer-request.ts';
import type { Authenticate, Caller } from './caller.ts';
import { clientAddress, parseRange } from './client-address.ts';
import { compressed } from './compress-page.ts';
import { type Metrics, requestSecondsBounds } from './metrics.ts';
import { createRateLimiter, type Rate } from './rate-limit.ts';
import { type Answer, errorAnswer, renderError } from './render-error.ts';
import type { ApiRoute, PageContext, PageReply, PageRoute, Route } from './route.ts';

export type RateLimits = {
  readonly perKey: Rate;
  /** For public endpoints. */
  readonly perAddress: Rate;
  /** For requests that failed authentication. */
  readonly failuresPerAddress: Rate;
};

export const defaultRateLimits: RateLimits = {
  perKey: { capacity: 1_000, perSecond: 200 },
  perAddress: { capacity: 1_000, perSecond: 200 },
  failuresPerAddress: { capacity: 300, perSecond: 10 },
};

export type HttpServerOptions = {
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Metrics;
  /** Null switches the limits off. */
  readonly rateLimits?: RateLimits | null;
  /** Addresses or CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[];
  /** Answers what nothing else answers, outside of the API. */
  readonly notFoundPage?: (context: PageContext) => Promise<PageReply> | PageReply;
};

export type HttpServer = {
  /** Returns the URL it listens on. */
  listen(at: { host: string; port: number }): Promise<string>;
  /** Lets running requests finish, for ten seconds at most. */
  close(): Promise<void>;
};

const prefix = '/api/v1';
const bodyBytesMax = 256 * 1024;
const closeGraceMs = 10_000;
const noBody = Buffer.alloc(0);

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

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { log } = options;
  const trustedProxies = (options.trustedProxies ?? []).map(parseRange);
  const limits = options.rateLimits === undefined ? defaultRateLimits : options.rateLimits;
  const limiters = limits && {
    key: createRateLimiter(limits.perKey),
    address: createRateLimiter(limits.perAddress),
    failure: createRateLimiter(limits.failuresPerAddress),
  };
  const answerDeps = { db: options.db, clock: options.clock, authenticate: options.authenticate, limiters };
  const requestSeconds = options.metrics?.histogram(
    'http_request_duration_seconds',
    'How long requests took to answer.',
    requestSecondsBounds,
  );
  const closing = new AbortController();
  const callers = new WeakMap<FastifyRequest, Caller>();

  const app = fastify({
    logger: false,
    bodyLimit: bodyBytesMax,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 200 },
    genReqId: requestIdOf,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    serverFactory: (handler) => {
      const server = createServer(
        { requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 72_000, maxHeaderSize: 16_384 },
        handler,
      );
      server.maxConnections = 20_000;
      // No 100 Continue: existing clients take the first status line they see for the answer.
      const answerAtOnce = (request: IncomingMessage, response: ServerResponse) => {
        server.emit('request', request, response);
      };
      server.on('checkContinue', answerAtOnce);
      server.on('checkExpectation', answerAtOnce);
      return server;
    },
    frameworkErrors: (error, request, reply) => void send(request, reply as FastifyReply, renderError(error, log)),
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return;
      const { body } = errorAnswer(400, ['The request could not be read.']);
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n` +
          `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      );
    },
  });

  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.addHttpMethod('HEAD', { hasBody: true, overrideExisting: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', (request, _reply, done) => {
    // Whatever it says, the body is read as bytes; Fastify would refuse one that it cannot parse.
    request.headers['content-type'] = undefined;
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    requestSeconds?.observe(
      { method: request.method, route, status: reply.statusCode },
      Math.round(reply.elapsedTime * 1000) / 1_000_000,
    );
    const { id: requestId, method } = request;
    const merchantId = callers.get(request)?.merchant.id;
    const ms = Math.round(reply.elapsedTime);
    log.info({ requestId, method, route, status: reply.statusCode, ms, merchantId }, 'request answered');
    done();
  });

  const addressOf = (request: FastifyRequest): string =>
    clientAddress(request.raw.socket.remoteAddress, request.headers['x-forwarded-for'], trustedProxies);

  const serveApi = (route: ApiRoute) => async (request: FastifyRequest, reply: FastifyReply) => {
    const [path, search] = splitUrl(request.raw.url ?? '/');
    const apiRequest = {
      method: request.method,
      path: path.slice(prefix.length),
      search,
      query: request.query as Record<string, unknown>,
      headers: request.headers,
      rawBody: bodyOf(request),
      address: addressOf(request),
      requestId: request.id,
      // Made when it is asked for: most requests have nothing to say.
      get log() {
        return log.child({ requestId: request.id });
      },
    };
    return send(
      request,
      reply,
      await answerRequest(answerDeps, route, apiRequest, (caller) => callers.set(request, caller)),
    );
  };

  const servePage = (handle: PageRoute['handle']) => async (request: FastifyRequest, reply: FastifyReply) => {
    const requestLog = log.child({ requestId: request.id });
    try {
      const page = await handle({
        method: request.method,
        path: splitUrl(request.raw.url ?? '/')[0],
        params: request.params as Record<string, string>,
        query: request.query as Record<string, string | string[]>,
        headers: request.headers,
        rawBody: bodyOf(request),
        address: addressOf(request),
        requestId: request.id,
        log: requestLog,
        closing: closing.signal,
      });
      const headers = { ...securityHeaders, 'x-request-id': request.id, ...page.headers };
      if (page.body instanceof Readable) return sendStream(reply, page.status, headers, page.body);
      const packed = await compressed(page, request.headers['accept-encoding']);
      return await reply
        .code(page.status)
        .headers({ ...headers, ...packed.headers })
        .send(packed.body);
    } catch (error) {
      return send(request, reply, renderError(error, requestLog));
    }
  };

  const methodsByPath = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  for (const route of options.routes) {
    const path = route.kind === 'api' ? `${prefix}${route.endpoint.path}` : route.path;
    const methods = route.kind === 'api' ? [route.endpoint.method] : [...route.methods];
    app.route({
      method: methods,
      url: path,
      handler: route.kind === 'api' ? serveApi(route) : servePage(route.handle),
    });
    const known = methodsByPath.get(path) ?? { pattern: patternOf(path), methods: new Set() };
    for (const method of methods) known.methods.add(method);
    methodsByPath.set(path, known);
  }

  app.setErrorHandler((error, request, reply) => send(request, reply, renderError(error, log)));
  app.setNotFoundHandler((request, reply) => {
    const [path] = splitUrl(request.raw.url ?? '/');
    const served = [...methodsByPath.values()].find(({ pattern }) => pattern.test(path));
    // The pattern of a `*` also fits paths that the router does not send there, such as its bare folder.
    if (served && !served.methods.has(request.method)) {
      const allow = [...served.methods].join(', ');
      return send(request, reply, errorAnswer(405, [`This endpoint answers to ${allow} only.`], { allow }));
    }
    if (options.notFoundPage && !path.toLowerCase().startsWith('/api/'))
      return servePage(options.notFoundPage)(request, reply);
    const shortPath = path.length > 60 ? `${path.slice(0, 59)}…` : path;
    return send(request, reply, errorAnswer(404, [`There is no endpoint ${request.method} ${shortPath}.`]));
  });

  return {
    listen: ({ host, port }) => app.listen({ host, port }),
    async close() {
      closing.abort();
      const cutOff = setTimeout(() => app.server.closeAllConnections(), closeGraceMs);
      // A connection that was busy when closing began would otherwise be kept alive for its next request.
      const hangUp = setInterval(() => app.server.closeIdleConnections(), 50);
      await app.close().finally(() => {
        clearTimeout(cutOff);
        clearInterval(hangUp);
      });
    },
  };
}

const send = (request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply =>
  reply
    .code(answer.status)
    .headers({ ...apiHeaders, 'x-request-id': request.id, ...answer.headers })
    .send(answer.body);

/**
 * A stream may stay open for hours, and there are thousands of them, so it is written past Fastify, which would keep
 * its own state for each: with 10,000 open pages 150 MB instead of 90.
 */
function sendStream(
  reply: FastifyReply,
  status: number,
  headers: Record<string, string>,
  body: Readable,
): FastifyReply {
  const { raw } = reply.hijack();
  raw.writeHead(status, headers);
  raw.on('close', () => body.destroy());
  body.pipe(raw);
  return reply;
}

const bodyOf = (request: FastifyRequest): Buffer => (Buffer.isBuffer(request.body) ? request.body : noBody);

const requestIdOf = (request: { headers: IncomingMessage['headers'] }): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : newId();
};

function splitUrl(url: string): [path: string, search: string] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark)];
}

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.+^$(){}|[\]\\]/g, '\\$&')
      .replace(/:\w+/g, '[^/]+')
      .replace(/\*$/, '.*')}/?$`,
    'i',
  );
