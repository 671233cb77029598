/**
 * Brings a request to the server and an answer back: signed with the server's time, within a time limit, and again where
 * that cannot do harm. A GET changes nothing; everything else carries an Idempotency-Key, with which the server does it
 * once however often it is asked.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Answer,
  ConnectionError,
  canRetry,
  errorFrom,
  isClockProblem,
  isSuccess,
  retryAfterOf,
} from './errors.ts';
import { createServerClock } from './server-clock.ts';
import { signRequest } from './sign-request.ts';

export type ClientOptions = {
  /** How long one attempt may take. 30 seconds, unless said otherwise. */
  readonly timeoutMs?: number;
  /** How often a request is sent again when only the moment was wrong. Twice, unless said otherwise. */
  readonly retries?: number;
  /** The pause before the first repetition, doubled each time up to 8 seconds. Half a second, unless said otherwise. */
  readonly retryDelayMs?: number;
  /** Unencrypted HTTP to another machine. Only for a network that nobody else can listen to. */
  readonly allowPlainHttp?: boolean;
  /** Sends requests instead of Node's own `fetch`, for example through a proxy. */
  readonly fetch?: typeof fetch;
};

/** For one call. */
export type CallOptions = {
  readonly timeoutMs?: number;
  readonly retries?: number;
  /** Ends the call early. */
  readonly signal?: AbortSignal;
  /**
   * Names the request: sent again with the same name, also by another process, it is done once, for a day. One that nobody
   * else has is made up otherwise.
   */
  readonly idempotencyKey?: string;
};

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type Params = Readonly<Record<string, unknown>>;
export type Call = {
  readonly method: Method;
  readonly path: string;
  readonly params?: Params | null | undefined;
  /** The answer is a file: it is handed over as soon as it begins. */
  readonly isFile?: boolean;
};
export type FileAnswer = Answer & { readonly file?: ReadableStream<Uint8Array> };

export type Transport = { send(call: Call, options?: CallOptions): Promise<FileAnswer> };

/** However often it is tried, without being asked to wait. */
const longestPauseMs = 8_000;

/** If the server asks for more than this, nobody waits: then the error says when to come back. */
const longestWaitMs = 30_000;

export function createTransport(
  { key, secret, baseUrl }: { readonly key: string; readonly secret: string; readonly baseUrl: string },
  options: ClientOptions,
): Transport {
  const base = readBaseUrl(baseUrl, options.allowPlainHttp ?? false);
  const { retryDelayMs = 500, fetch: ownFetch } = options;
  const clock = createServerClock(askTime);

  async function askTime(): Promise<number> {
    const answer = await send({ method: 'GET', path: '/time' }, {}, false);
    const time = isSuccess(answer) ? (answer.data as { time?: unknown } | null)?.time : undefined;
    if (typeof time !== 'number') throw errorFrom(answer);
    return time;
  }

  async function send(call: Call, given: CallOptions = {}, isSigned = true): Promise<FileAnswer> {
    const request = prepare(base, call, given.idempotencyKey);
    const retries = given.retries ?? options.retries ?? 2;
    let hasAskedTime = false;
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= retries;
      let waitMs = Math.min(retryDelayMs * 2 ** attempt, longestPauseMs) * (0.5 + Math.random() / 2);
      // Every attempt is signed anew: a signature is good for half a minute, and where money leaves only once.
      const signed = isSigned ? await digest(request) : {};
      try {
        const answer = await exchange(request, signed, call.isFile ?? false, given);
        if (isSigned && !hasAskedTime && isClockProblem(answer)) {
          hasAskedTime = true;
          attempt -= 1;
          await clock.refresh();
          continue;
        }
        waitMs = Math.max(waitMs, (retryAfterOf(answer) ?? 0) * 1000);
        if (!canRetry(answer) || isLast || waitMs > longestWaitMs) return answer;
      } catch (error) {
        if (!(error instanceof ConnectionError) || isLast) throw error;
      }
      await sleep(waitMs, undefined, given.signal && { signal: given.signal }).catch(() =>
        given.signal?.throwIfAborted(),
      );
    }
  }

  async function exchange(
    { url, method, body, headers }: Prepared,
    signed: Readonly<Record<string, string>>,
    isFile: boolean,
    { timeoutMs = options.timeoutMs ?? 30_000, signal }: CallOptions,
  ): Promise<FileAnswer> {
    signal?.throwIfAborted();
    demandTls(url);
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), timeoutMs);
    try {
      const response = await (ownFetch ?? fetch)(url, {
        method,
        headers: { ...headers, ...signed },
        ...(body === null ? {} : { body }),
        // Followed, it would carry the signature to wherever the answer says.
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
      });
      return await readAnswer(response, isFile);
    } catch (error) {
      signal?.throwIfAborted();
      throw limit.signal.aborted
        ? new ConnectionError(`The server did not answer within ${timeoutMs / 1000} seconds.`, {
            isTimeout: true,
            cause: error,
          })
        : new ConnectionError(`The server cannot be reached: ${reasonOf(error)}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  async function digest({ method, path, body }: Prepared): Promise<Record<string, string>> {
    const timestamp = await clock.now();
    return {
      'X-Digest-Key': key,
      'X-Digest-Timestamp': String(timestamp),
      'X-Digest-Signature': signRequest(secret, { method, path, timestamp, body: body ?? '' }),
    };
  }

  return { send };
}

type Prepared = {
  readonly url: string;
  /** What is signed: without the base and without the query. */
  readonly path: string;
  readonly method: Method;
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>>;
};

function prepare(base: URL, { method, path, params }: Call, idempotencyKey: string | undefined): Prepared {
  if (typeof path !== 'string' || !path.startsWith('/'))
    throw new TypeError(`A path begins with "/", such as "/checkout", but this is ${JSON.stringify(path)}.`);
  const url = new URL(`${base.origin}${base.pathname}${path}`);
  if (!url.pathname.startsWith(`${base.pathname}/`)) throw new TypeError(`${path} is outside of the API.`);
  const headers = { Accept: 'application/json', 'User-Agent': 'quittance-node' };
  const signedPath = url.pathname.slice(base.pathname.length);
  if (method === 'GET') {
    for (const [name, value] of Object.entries(params ?? {})) {
      const text = queryText(name, value);
      if (text !== null) url.searchParams.append(name, text);
    }
    return { url: url.href, path: signedPath, method, body: null, headers };
  }
  if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
    throw new TypeError('An idempotencyKey is 1 to 255 printable ASCII characters without spaces.');
  return {
    url: url.href,
    path: signedPath,
    method,
    body: JSON.stringify(params ?? {}, exactly),
    headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey ?? randomUUID() },
  };
}

/** Null: it is left out. */
function queryText(name: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(String).join(',');
  if (typeof value === 'object') return JSON.stringify(value, exactly);
  return String(exactly(name, value));
}

/** JSON would write `null` for what is no number, which means "left out": of a refund, everything. */
function exactly(name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${name} is no number, but ${value}.`);
  return typeof value === 'bigint' ? value.toString() : value;
}

async function readAnswer(response: Response, isFile: boolean): Promise<FileAnswer> {
  const headers = Object.fromEntries(response.headers);
  const { status, statusText } = response;
  if (isFile && status === 200 && response.body !== null)
    return { status, statusText, headers, data: null, isJson: true, file: response.body as ReadableStream<Uint8Array> };
  const text = await response.text();
  try {
    return { status, statusText, headers, data: JSON.parse(text) as unknown, isJson: true };
  } catch {
    return { status, statusText, headers, data: text, isJson: false };
  }
}

function readBaseUrl(text: string, isPlainAllowed: boolean): URL {
  const url = new URL(text); // Throws what is wrong with it.
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError(`The base URL must begin with https://, but is ${text}.`);
  if (url.protocol === 'http:' && !isPlainAllowed && !isThisMachine(url.hostname))
    throw new TypeError(
      `The base URL ${text} is not encrypted: use https://, or allowPlainHttp where nobody else can listen.`,
    );
  url.pathname = url.pathname === '/' ? '/api/v1' : url.pathname.replace(/\/+$/, '');
  return url;
}

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

/** The environment can switch off the check of certificates for a whole process. Then nothing is sent. */
function demandTls(url: string): void {
  if (url.startsWith('https:') && process.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    throw new TypeError(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the check of certificates: nothing is sent. Name a certificate of your own in NODE_EXTRA_CA_CERTS instead.',
    );
}

/** `fetch` says only that it failed; why is in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
