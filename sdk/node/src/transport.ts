/**
 * Brings a request to the server and an answer back: signed with the server's time, within a time limit, and again where
 * that cannot do harm. A GET changes nothing; everything else carries an Idempotency-Key, with which the server does it
 * once however often it is asked.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, ConnectionError, canRetry, isClockProblem, isSuccess, retryAfterOf } from './errors.ts';
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

/** More than this a timer of Node takes for nothing at all. */
const longestTimerMs = 2 ** 31 - 1;

/** If the server asks for more than this, nobody waits: then the error says when to come back. */
const longestWaitMs = 30_000;

export function createTransport(
  { key, secret, baseUrl }: { readonly key: string; readonly secret: string; readonly baseUrl: string },
  options: ClientOptions,
): Transport {
  const base = readBaseUrl(baseUrl, options.allowPlainHttp ?? false);
  const { retryDelayMs = 500, fetch: ownFetch } = options;
  demandNumbers(options);
  const clock = createServerClock(askTime);

  /** Null: somebody answers there, but does not say. */
  async function askTime(): Promise<number | null> {
    const answer = await exchange(prepare(base, { method: 'GET', path: '/time' }, undefined), {}, false, {});
    const time = isSuccess(answer) ? (answer.data as { time?: unknown }).time : undefined;
    return typeof time === 'number' ? time : null;
  }

  async function send(call: Call, given: CallOptions = {}): Promise<FileAnswer> {
    const request = prepare(base, call, given.idempotencyKey);
    demandNumbers(given);
    const retries = given.retries ?? options.retries ?? 2;
    let hasAskedTime = false;
    for (let attempt = 0; ; attempt += 1) {
      demandTls(request.url);
      const isLast = attempt >= retries;
      let waitMs = Math.min(retryDelayMs * 2 ** attempt, longestPauseMs) * (0.5 + Math.random() / 2);
      try {
        // Every attempt is signed anew: a signature is good for half a minute, and where money leaves only once.
        const signed = await digest(request, given);
        const answer = await exchange(request, signed, call.isFile ?? false, given);
        if (!hasAskedTime && isClockProblem(answer)) {
          hasAskedTime = true;
          attempt -= 1;
          await inTime((ends) => orEnded(clock.refresh(), ends), given);
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

  function exchange(
    { url, method, body, headers }: Prepared,
    signed: Readonly<Record<string, string>>,
    isFile: boolean,
    given: CallOptions,
  ): Promise<FileAnswer> {
    return inTime(async (ends) => {
      const response = await (ownFetch ?? fetch)(url, {
        method,
        headers: { ...headers, ...signed },
        ...(body === null ? {} : { body }),
        // Followed, it would carry the signature to wherever the answer says.
        redirect: 'manual',
        signal: ends,
      });
      return readAnswer(response, isFile);
    }, given);
  }

  /** What `work` gives, unless the caller ends it or it takes too long; a ConnectionError when it fails. */
  async function inTime<T>(
    work: (ends: AbortSignal) => Promise<T>,
    { timeoutMs = options.timeoutMs ?? 30_000, signal }: CallOptions,
  ): Promise<T> {
    signal?.throwIfAborted();
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), Math.min(timeoutMs, longestTimerMs));
    try {
      return await work(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ConnectionError) throw error;
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

  async function digest({ method, path, body }: Prepared, given: CallOptions): Promise<Record<string, string>> {
    // All calls wait for the same answer, each of them as long as it may.
    const timestamp = await inTime((ends) => orEnded(clock.now(), ends), given);
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
  const url = new URL(`${base.origin}${base.pathname}${readPath(path)}`);
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

/** A path, perhaps with a query, as it is sent: what is signed must not be written in another way on its way out. */
function readPath(path: unknown): string {
  if (typeof path !== 'string' || !path.startsWith('/'))
    throw new TypeError(`A path begins with "/", such as "/checkout", but this is ${JSON.stringify(path)}.`);
  if (/^[^?]*\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(path)) throw new TypeError(`${path} is outside of the API.`);
  return path.replace(/[^\x21-\x7e]|["#'<>\\^`{|}]/gu, (one) =>
    Array.from(Buffer.from(one), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

/** Null: it is left out. */
function queryText(name: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((each) => queryText(name, each) ?? '').join(',');
  if (typeof value !== 'object') return String(exactly(name, value));
  // The decimal of a library writes itself as a text.
  const json = JSON.stringify(value, exactly);
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
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
    return { status, statusText, headers, data: {}, isJson: true, file: response.body as ReadableStream<Uint8Array> };
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
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new TypeError('The base URL ends with its path, such as https://pay.example/api/v1.');
  if (url.protocol === 'http:' && !isPlainAllowed && !isThisMachine(url.hostname))
    throw new TypeError(
      `The base URL ${text} is not encrypted: use https://, or allowPlainHttp where nobody else can listen.`,
    );
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '') || '/api/v1';
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

/** What is no number is never reached: nobody would stop waiting, or sending again. */
function demandNumbers({ timeoutMs = 1, retries = 0, retryDelayMs = 0 }: ClientOptions): void {
  if (!(timeoutMs > 0 && retries >= 0 && retryDelayMs >= 0))
    throw new TypeError('Time limits are more than 0 milliseconds; retries and their delay are not less than 0.');
}

/** Another may wait for it longer. */
const orEnded = <T>(work: Promise<T>, ends: AbortSignal): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      ends.addEventListener('abort', () => reject(ends.reason as Error), { once: true });
    }),
  ]);

/** `fetch` says only that it failed; why is in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
