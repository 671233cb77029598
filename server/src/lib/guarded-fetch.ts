/**
 * The one HTTP client for URLs that somebody else chose: webhooks, logos, anchors. On a shared server a merchant may be
 * an attacker, so a URL must not become a way into the network around the server.
 *
 * The name is resolved here, every address it resolves to is checked, and the connection is made to the checked
 * addresses themselves: a name that would answer differently the second time (DNS rebinding) is never asked a second
 * time. Redirects are not followed, and no connection is kept that could be used for another name.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { addressKind } from './public-address.ts';
import { createResolve, type Resolve } from './resolve-host.ts';
import { waitOutside } from './wait-outside.ts';

export type GuardedRequest = {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
  requireHttps?: boolean;
};

export type GuardedReply = {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** At most `replyBytesMax` of it. */
  body: string;
  /** False when the body was too long, too slow or cut off. The status is right all the same. */
  isComplete: boolean;
};

export type GuardedFetch = (request: GuardedRequest) => Promise<GuardedReply>;

export type GuardedFetchPolicy = {
  /** For the sandbox, where the merchant's server runs on the same machine. Never in production. */
  allowLoopback: boolean;
  /** For everything together: resolving, connecting, sending and reading. */
  timeoutMs?: number;
  replyBytesMax?: number;
  resolve?: Resolve;
};

/** The request was refused, or got no HTTP status. The message is a sentence that a merchant may read. */
export class FetchFailed extends Error {}

export function createGuardedFetch(policy: GuardedFetchPolicy): GuardedFetch {
  const { allowLoopback, timeoutMs = 15_000, replyBytesMax = 64 * 1024, resolve = createResolve() } = policy;

  return (request) => waitOutside(() => fetchOutside(request));

  async function fetchOutside(request: GuardedRequest): Promise<GuardedReply> {
    const url = parseOutsideUrl(request.url, { requireHttps: request.requireHttps ?? false });
    const startedAt = performance.now();
    const deadline = new AbortController();
    const timer = setTimeout(
      () => deadline.abort(new FetchFailed(`The server did not answer within ${timeoutMs / 1000} seconds.`)),
      timeoutMs,
    );
    try {
      const addresses = await withinDeadline(addressesOf(url, resolve), deadline.signal);
      for (const address of addresses) {
        const kind = addressKind(address);
        if (kind === 'public' || (kind === 'loopback' && allowLoopback)) continue;
        // The address itself is not told: it would show a stranger the addresses of our inner network.
        throw new FetchFailed(`${url.hostname} does not lead to a public address.`);
      }
      const endsAt = startedAt + timeoutMs;
      return await send(url, request, addresses, { replyBytesMax, signal: deadline.signal, endsAt });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A whole text over https, or an error. For exchange rates and other published data. */
export function createTextFetch(policy: GuardedFetchPolicy): (url: string) => Promise<string> {
  const guardedFetch = createGuardedFetch({ replyBytesMax: 4 * 1024 * 1024, ...policy });
  return async (url) => {
    const reply = await guardedFetch({ url, requireHttps: true });
    return wholeText(reply, new URL(url).hostname);
  };
}

export function wholeText({ status, isComplete, body }: GuardedReply, hostname: string): string {
  if (status !== 200) throw new FetchFailed(`${hostname} answered with status ${status}.`);
  if (!isComplete) throw new FetchFailed(`The answer of ${hostname} was too long or was cut off.`);
  return body;
}

/** Reads a URL as a fetch would, and throws why it could never be fetched. Asks no name server. */
export function parseOutsideUrl(text: string, options: { requireHttps: boolean }): URL {
  const url = URL.parse(text);
  if (url === null) throw new FetchFailed('The URL cannot be read.');
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && !options.requireHttps);
  if (!isAllowed)
    throw new FetchFailed(`The URL must start with https://${options.requireHttps ? '' : ' or http://'}.`);
  if (url.username !== '' || url.password !== '') {
    throw new FetchFailed('The URL must not contain a user name or a password.');
  }
  return url;
}

/**
 * Addresses need no special care here: the URL parser turns every notation (decimal, octal, hex) into the usual one.
 */
async function addressesOf(url: URL, resolve: Resolve): Promise<readonly string[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0) return [host];
  const unresolved = `The host name ${host} cannot be resolved.`;
  const addresses = await resolve(host).catch((error: unknown) => {
    throw new FetchFailed(unresolved, { cause: error });
  });
  if (addresses.length === 0) throw new FetchFailed(unresolved);
  return addresses;
}

/** The default of 250 ms would give up an address on the other side of the world before it could answer. */
const patientConnect = { autoSelectFamilyAttemptTimeout: 2_500 };

function send(
  url: URL,
  request: GuardedRequest,
  addresses: readonly string[],
  limits: { replyBytesMax: number; signal: AbortSignal; endsAt: number },
): Promise<GuardedReply> {
  const { body } = request;
  const headers: Record<string, string> = { ...request.headers };
  if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body));

  return new Promise((resolve, reject) => {
    let hasStatus = false;
    const fail = (error: unknown): void => {
      if (!hasStatus) reject(toFetchFailed(error, limits.signal));
    };
    const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: request.method ?? 'GET',
      headers,
      agent: false, // A connection for this request only.
      lookup: alwaysAnswering(addresses),
      ...patientConnect,
      signal: limits.signal,
    });
    outgoing.on('response', (incoming) => {
      hasStatus = true;
      resolve(readReply(incoming, limits.replyBytesMax).finally(() => outgoing.destroy()));
    });
    outgoing.on('error', fail);
    outgoing.on('close', () => fail(new FetchFailed('The server closed the connection without an answer.')));
    // A process that was frozen while it connected hears of the connection before its timer: it must not send now what
    // was to be sent long ago.
    outgoing.on('socket', (socket) =>
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        if (performance.now() < limits.endsAt) outgoing.end(body);
        else outgoing.destroy(new FetchFailed('The connection took too long.'));
      }),
    );
  });
}

/** Takes the place of the resolver: whatever name the socket asks for, it gets the addresses that were checked. */
function alwaysAnswering(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    const [first] = entries;
    if (options.all) callback(null, entries);
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };
}

/** Never rejects: once there is a status, an error only makes the body shorter. */
function readReply(incoming: IncomingMessage, bytesMax: number): Promise<GuardedReply> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (isComplete: boolean): void => {
      const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
      const body = Buffer.concat(chunks).subarray(0, bytesMax).toString('utf8');
      resolve({ status: incoming.statusCode ?? 0, headers: Object.fromEntries(headers), body, isComplete });
    };
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > bytesMax) finish(false);
    });
    incoming.on('end', () => finish(incoming.complete));
    incoming.on('error', () => finish(false));
    incoming.on('close', () => finish(incoming.complete));
  });
}

function withinDeadline<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    work.then(resolve, reject);
  });
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The server refused the connection.',
  ECONNRESET: 'The server closed the connection without an answer.',
  EPIPE: 'The server closed the connection without an answer.',
  ETIMEDOUT: 'The server could not be reached.',
  EHOSTUNREACH: 'The server could not be reached.',
  ENETUNREACH: 'The server could not be reached.',
  CERT_HAS_EXPIRED: 'The certificate of the server has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the server is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the server is not signed by a known authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The server does not send the whole chain of its certificate.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the server is for another name.',
  EPROTO: 'The server does not speak TLS as expected.',
};

function toFetchFailed(error: unknown, signal: AbortSignal): FetchFailed {
  if (signal.reason instanceof FetchFailed) return signal.reason;
  if (error instanceof FetchFailed) return error;
  const code = (error as { code?: string }).code ?? 'no code';
  const sentence = code.startsWith('HPE_') ? 'The server does not answer in HTTP.' : reasons[code];
  return new FetchFailed(sentence ?? `The request failed (${code}).`, { cause: error });
}
