/**
 * The central bank's interface for those who receive Pix ("API Pix", version 2.9), as every bank offers it to its
 * customers: OAuth 2 with client credentials, over TLS with a certificate on both sides. We use `node:https` and not
 * `fetch`, because a client's certificate is needed and a redirection must never be followed: it would carry our token
 * somewhere else.
 */
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Secret } from '../../lib/secret.ts';
import { waitOutside } from '../../lib/wait-outside.ts';
import { onceMoreIfHungUp } from '../once-more-if-hung-up.ts';
import { NetworkError } from '../port/connector.ts';

export type PixAccess = {
  readonly baseUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** PEM. Null: the provider asks for none, as the sandbox. */
  readonly certificate: string | null;
  readonly certificateKey: Secret | null;
  /** PEM. Null: the provider's certificate is signed by a public authority. */
  readonly authority: string | null;
  /** Whether money may go back from here: the bank lets whoever has the scope `pix.write` do it. */
  readonly returns: boolean;
};

/** `at`: what time it is there, as its answer says. */
export type PixReply = { readonly body: unknown; readonly at: Date };

export type PixApi = {
  get(path: string): Promise<PixReply>;
  /** Everything that we put can be put twice: we choose the names. */
  put(path: string, body: unknown): Promise<PixReply>;
};

/** The provider answered, and refused (RFC 7807). */
export class PixRefusal extends NetworkError {
  readonly status: number;

  constructor(path: string, status: number, reason: string) {
    // Whoever is not let in needs the operator: another secret, another certificate, a scope of the contract.
    super(`The Pix provider refused ${path}: ${reason} (HTTP ${status}).`, {
      isRetryable: ![401, 403].includes(status),
    });
    this.name = 'PixRefusal';
    this.status = status;
  }
}

/** More than a page of a thousand can have. */
const bytesMax = 16 * 1024 * 1024;
const scopes = 'cob.write cob.read pix.read';
const returnScope = 'pix.write';
/** A token is given up before it ends, so that none ends on its way. */
const tokenMarginMs = 30_000;

type Raw = { readonly status: number; readonly text: string; readonly date: string | undefined };

export function createPixApi(access: PixAccess, timeoutMs: number): PixApi {
  const tls = {
    ...(access.certificate !== null && { cert: access.certificate }),
    ...(access.certificateKey && { key: access.certificateKey.reveal() }),
    ...(access.authority !== null && { ca: access.authority }),
  };
  const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true, ...tls }) };
  const base = access.baseUrl.replace(/(?<!\/)\/+$/, '');
  let token: { readonly text: string; readonly until: number } | undefined;

  async function send(method: string, url: string, headers: Record<string, string>, body?: string): Promise<Raw> {
    const isSecure = url.startsWith('https:');
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    try {
      return await waitOutside(() =>
        onceMoreIfHungUp(
          (isAgain) =>
            new Promise<Raw>((resolve, reject) => {
              const kept = isSecure ? agents['https:'] : agents['http:'];
              const options = {
                method,
                headers: { accept: 'application/json', ...headers, ...length },
                signal: AbortSignal.timeout(timeoutMs),
                ...(isAgain ? { agent: false as const, ...(isSecure && tls) } : { agent: kept }),
              };
              const request = (isSecure ? requestHttps : requestHttp)(url, options, (response) => {
                textOf(response).then(
                  (text) => resolve({ status: response.statusCode ?? 0, text, date: response.headers.date }),
                  reject,
                );
              });
              request.on('error', reject).end(body);
            }),
        ),
      );
    } catch (cause) {
      throw new NetworkError(`The Pix provider does not answer (${pathOf(url)}).`, { isRetryable: true, cause });
    }
  }

  async function newToken(): Promise<string> {
    const credentials = `${encodeURIComponent(access.clientId)}:${encodeURIComponent(access.clientSecret.reveal())}`;
    const headers = {
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    };
    const scope = access.returns ? `${scopes} ${returnScope}` : scopes;
    const form = new URLSearchParams({ grant_type: 'client_credentials', scope }).toString();
    const reply = await send('POST', access.tokenUrl, headers, form);
    // RFC 6749 answers 400 where the client is not known: that is as much the operator's as 401.
    if (reply.status === 400) throw new PixRefusal(pathOf(access.tokenUrl), 401, reasonOf(reply.text));
    const { access_token: text, expires_in: seconds } = readBody(access.tokenUrl, reply) as Record<string, unknown>;
    if (typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text))
      throw new NetworkError('The Pix provider gave no token.', { isRetryable: true });
    const lastsMs = typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : 0;
    token = { text, until: performance.now() + lastsMs - tokenMarginMs };
    return text;
  }

  async function ask(method: string, path: string, body?: string): Promise<PixReply> {
    const url = `${base}${path}`;
    for (let isFirst = true; ; isFirst = false) {
      const known = token && performance.now() < token.until ? token.text : await newToken();
      const headers = {
        authorization: `Bearer ${known}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      };
      const reply = await send(method, url, headers, body);
      token = reply.status === 401 ? undefined : token;
      // A token may be called back before its time.
      if (reply.status === 401 && isFirst) continue;
      return { body: readBody(url, reply), at: timeOf(reply.date) };
    }
  }

  return { get: (path) => ask('GET', path), put: (path, body) => ask('PUT', path, JSON.stringify(body)) };
}

/** Without what was asked for: a query may name people. */
const pathOf = (url: string): string => URL.parse(url)?.pathname ?? url;

/** By the provider's clock; by ours where it does not say. */
function timeOf(date: string | undefined): Date {
  const told = new Date(date ?? Number.NaN);
  return Number.isNaN(told.getTime()) ? new Date() : told;
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes > bytesMax) throw new Error('the answer is too long');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A JSON object, or an error. */
function readBody(url: string, { status, text }: Raw): object {
  if (status !== 200 && status !== 201) throw new PixRefusal(pathOf(url), status, reasonOf(text));
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body;
  } catch {
    // Said below.
  }
  throw new NetworkError(`The Pix provider answered ${pathOf(url)} with no JSON.`, { isRetryable: true });
}

/** What a problem says about itself; a proxy in between answers with a page of its own. */
function reasonOf(text: string): string {
  try {
    const { title, detail, error, violacoes } = JSON.parse(text) as Record<string, unknown>;
    const violations = Array.isArray(violacoes) ? violacoes.map((each: { razao?: unknown }) => each?.razao) : [];
    const said = [title, detail, error, ...violations].filter((each) => typeof each === 'string' && each !== '');
    if (said.length > 0) return said.join(' ').slice(0, 300);
  } catch {
    // Said below.
  }
  return text.slice(0, 200);
}
