/**
 * LND over its REST interface. Whole numbers of 64 bits are texts in its JSON, and bytes are base64; an error is an
 * HTTP status with `{ code, message }`. We use `node:https` and not `fetch`, because LND signs its certificate itself.
 */
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Secret } from '../../lib/secret.ts';
import { waitOutside } from '../../lib/wait-outside.ts';
import { NetworkError } from '../port/connector.ts';

export type LndAccess = {
  readonly restUrl: string;
  /** Hexadecimal, as `xxd -p` prints the file. */
  readonly macaroon: Secret;
  /** PEM. Null: the certificate is signed by a public authority. */
  readonly tlsCertificate: string | null;
};

export type LndRest = {
  get<Reply>(path: string): Promise<Reply>;
  post<Reply>(path: string, body: unknown): Promise<Reply>;
  /** The first message of a reply that would go on; then we hang up. Never repeated automatically. */
  first<Reply>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Reply>;
  /** Opens a reply that never ends, one JSON object per line. */
  subscribe(path: string, reader: LndReader): LndSubscription;
};

export type LndReader = { onMessage(message: unknown): void; onEnd(error: NetworkError): void };
export type LndSubscription = { pause(): void; resume(): void; close(): void };

/** gRPC's numbers, by which LND names its refusals. */
export const notFoundCode = 5;
export const alreadyExistsCode = 6;

/** The node answered, and refused. */
export class LndRefusal extends NetworkError {
  readonly code: number | null; // gRPC's; null: somebody else answered

  constructor(path: string, status: number, { reason, code }: { reason: string; code: number | null }) {
    // LND has no status of its own for a macaroon it does not accept.
    super(`The Lightning node refused ${path}: ${reason} (HTTP ${status}).`, {
      isRetryable: !/macaroon|permission denied|verification failed/i.test(reason),
    });
    this.name = 'LndRefusal';
    this.code = code;
  }
}

export function createLndRest(access: LndAccess, timeoutMs: number): LndRest {
  const base = access.restUrl.replace(/(?<!\/)\/+$/, '');
  const isTls = base.startsWith('https:');
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const trust = access.tlsCertificate === null ? {} : { ca: access.tlsCertificate };

  function open(method: string, path: string, body: string | undefined, isLasting: boolean): ClientRequest {
    const headers = {
      'grpc-metadata-macaroon': access.macaroon.reveal(),
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    const options = { method, headers, agent: isLasting ? false : agent, ...trust } as const;
    const request = (isTls ? requestHttps : requestHttp)(`${base}${path}`, options);
    request.end(body);
    return request;
  }

  async function ask<Reply>(method: string, path: string, body?: string, isRepeated = false): Promise<Reply> {
    const request = open(method, path, body, false);
    const timer = setTimeout(() => request.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    try {
      const response = await responseTo(request);
      return readReply(path, response.statusCode ?? 0, await textOf(response)) as Reply;
    } catch (cause) {
      if (cause instanceof NetworkError) throw cause;
      // A node closes idle connections, perhaps at the moment when we send. Everything that we ask can be asked twice.
      if (request.reusedSocket && !isRepeated) return await ask<Reply>(method, path, body, true);
      throw new NetworkError(`The Lightning node does not answer (${path}).`, { isRetryable: true, cause });
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    get: (path) => waitOutside(() => ask('GET', path)),
    post: (path, body) => waitOutside(() => ask('POST', path, JSON.stringify(body))),
    first(method, path, body) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const request = open(method, path, body === undefined ? undefined : JSON.stringify(body), true);
      const timer = setTimeout(() => request.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
      listen(request, path, { onMessage: resolve, onEnd: reject });
      return waitOutside(() => promise).finally(() => {
        clearTimeout(timer);
        request.destroy();
      }) as Promise<never>;
    },
    subscribe(path, reader) {
      const request = open('GET', path, undefined, true);
      // A subscription must not keep the process alive.
      request.on('socket', (socket) => void socket.unref());
      const listening = listen(request, path, reader);
      return { ...listening, close: () => void request.destroy() };
    },
  };
}

function listen(request: ClientRequest, path: string, reader: LndReader): Pick<LndSubscription, 'pause' | 'resume'> {
  let response: IncomingMessage | undefined;
  let isOver = false;
  const end = (error: NetworkError): void => {
    if (isOver) return;
    isOver = true;
    request.destroy();
    reader.onEnd(error);
  };
  const hungUp = (cause?: unknown) =>
    end(new NetworkError(`The Lightning node has hung up (${path}).`, { isRetryable: true, cause }));

  request.on('error', hungUp);
  request.on('response', (opened: IncomingMessage) => {
    if (opened.statusCode !== 200) {
      textOf(opened).then((text) => end(refusalOf(path, opened.statusCode ?? 0, text)), hungUp);
      return;
    }
    response = opened.setEncoding('utf8').on('error', hungUp).on('close', hungUp);
    let rest = '';
    opened.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines.filter((each) => each.trim() !== '')) {
        if (isOver) return;
        try {
          const { result } = JSON.parse(line) as { result?: unknown };
          if (result === undefined) return end(refusalOf(path, 200, line));
          reader.onMessage(result);
        } catch (cause) {
          return hungUp(cause);
        }
      }
    });
  });
  return { pause: () => void response?.pause(), resume: () => void response?.resume() };
}

function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => request.on('response', resolve).on('error', reject));
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function readReply(path: string, status: number, text: string): unknown {
  if (status !== 200) throw refusalOf(path, status, text);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new NetworkError(`The Lightning node answered ${path} with no JSON.`, { isRetryable: true, cause });
  }
}

type LndError = { readonly code?: number; readonly grpc_code?: number; readonly message?: string };

/** `{ code, message }`; where the reply would have been a stream, inside of `error`, and with older nodes `grpc_code`. */
function refusalOf(path: string, status: number, text: string): LndRefusal {
  try {
    const reply = JSON.parse(text) as LndError & { readonly error?: LndError | string };
    const error = typeof reply.error === 'object' ? reply.error : reply;
    const reason = error.message ?? text.slice(0, 200);
    return new LndRefusal(path, status, { reason, code: error.code ?? error.grpc_code ?? null });
  } catch {
    // A proxy in between answers with a page of its own.
    return new LndRefusal(path, status, { reason: text.slice(0, 200), code: null });
  }
}
