/**
 * The sandbox's Pix: a bank that answers by the central bank's interface, and payers who pay. With a folder everything
 * survives the process, and a crash at any moment. Its mischief is what real providers do on bad days.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { decimal, toUnits } from '@quittance/server/money/decimal';
import { type LocalTls, startLocalServer } from '../local-server.ts';
import { openPixBook } from './pix-book.ts';
import { PixProblem } from './pix-problem.ts';
import { createPixProvider, type PixProvider } from './pix-provider.ts';
import { type Answer, answerPix, type ListOrder } from './pix-routes.ts';
import { createWebhookCaller, type WebhookMischief } from './webhook-caller.ts';

export type PixSandboxOptions = {
  /** The password of the owner, who pays; the client's secret is made from it. */
  readonly password: string;
  readonly folder?: string;
  readonly port?: number;
  readonly now?: () => Date;
  /** How long it takes until what we give back has gone. */
  readonly returnDelayMs?: number;
  /** Left out: without TLS, on this machine only. `authority`: whose certificates clients must have. */
  readonly tls?: LocalTls;
};

export type Mischief = {
  slowMs: number;
  /** So many of the next writes are done, and answered with 500. */
  failAfterDoing: number;
  order: ListOrder;
  pageSize: number;
  webhooks: WebhookMischief;
  /** Sees every page before it is answered: others may pay meanwhile. */
  onPage: (page: number) => void;
  /** What is answered instead: a text is sent as it is. Undefined: the truth. */
  tamper: (
    path: string,
    answer: Answer,
  ) => { status: number; text: string; headers?: Record<string, string> } | undefined;
  /** How far the clock of its answers is from the clock of its bookings. */
  clockAheadMs: number;
};

export type PixSandbox = Pick<PixProvider, 'payKey' | 'contest' | 'endReturn' | 'findPix' | 'giveBack'> & {
  readonly baseUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly key: string;
  /** Takes the owner's commands: with user and password, like the other networks. */
  readonly url: string;
  readonly port: number;
  readonly mischief: Mischief;
  /** How many questions were answered. */
  readonly asked: () => number;
  /** Pays the charge of a code, what it asks for; another amount where the charge allows it. Gives the Pix's name. */
  pay(payment: { address: string; units?: bigint }): string;
  /** All tokens end now. */
  endTokens(): void;
  forgeWebhook(pix: unknown): Promise<void>;
  goAway(): void;
  comeBack(): void;
  stop(): Promise<void>;
};

const clientId = 'sandbox';
const key = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';
const tokenSeconds = 3_600;
const everyScope = ['cob.write', 'cob.read', 'pix.write', 'pix.read', 'webhook.write', 'webhook.read'];

export async function startPixSandbox(options: PixSandboxOptions): Promise<PixSandbox> {
  const now = options.now ?? (() => new Date());
  const book = openPixBook(options.folder);
  const provider = createPixProvider(book, { keys: [key], now, returnDelayMs: options.returnDelayMs ?? 2_000 });
  const tokens = new Map<string, { readonly until: number; readonly scopes: ReadonlySet<string> }>();
  const clientSecret = `pix ${options.password}`;
  const mischief: Mischief = {
    slowMs: 0,
    failAfterDoing: 0,
    order: 'newest',
    pageSize: 1_000,
    webhooks: 'told',
    onPage: () => undefined,
    tamper: () => undefined,
    clockAheadMs: 0,
  };
  const caller = createWebhookCaller(book, () => mischief.webhooks);
  provider.listeners.add(caller.tell);
  let asked = 0;
  const routeDeps = {
    book,
    provider,
    now,
    order: () => mischief.order,
    pageSize: () => mischief.pageSize,
  };

  function giveToken(request: IncomingMessage, body: string): Answer {
    const form = new URLSearchParams(body);
    if (!isAuthorized(request, encodeURIComponent(clientId), encodeURIComponent(clientSecret)))
      return { status: 401, body: { error: 'invalid_client' } };
    if (form.get('grant_type') !== 'client_credentials')
      return { status: 400, body: { error: 'unsupported_grant_type' } };
    const token = randomBytes(24).toString('base64url');
    const scopes = (form.get('scope') ?? everyScope.join(' ')).split(' ').filter((each) => everyScope.includes(each));
    tokens.set(token, { until: now().getTime() + tokenSeconds * 1000, scopes: new Set(scopes) });
    const scope = scopes.join(' ');
    return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: tokenSeconds, scope } };
  }

  function answerClient(request: IncomingMessage, url: URL, body: string): Answer {
    const token = tokens.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
    if (!token || token.until <= now().getTime()) throw new PixProblem(401, 'AcessoNegado', 'O token não é válido.');
    const page = url.searchParams.get('paginacao.paginaAtual');
    if (page !== null) mischief.onPage(Number(page));
    const answer = answerPix(routeDeps, { method: request.method ?? 'GET', url, body, scopes: token.scopes });
    if (request.method === 'GET' || mischief.failAfterDoing === 0) return answer;
    mischief.failAfterDoing -= 1;
    throw new PixProblem(500, 'ErroInternoDoServidor', 'Condição inesperada ao processar requisição.');
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://provider');
    const body = await textOf(request);
    response.setHeader('date', new Date(now().getTime() + mischief.clockAheadMs).toUTCString());
    if (url.pathname === '/') {
      if (!isAuthorized(request, 'sandbox', options.password)) return void response.writeHead(401).end();
      return send(response, { status: 200, body: obey(body) });
    }
    asked += 1;
    if (mischief.slowMs > 0) await sleep(mischief.slowMs);
    const answer = answered(() =>
      url.pathname === '/oauth/token' ? giveToken(request, body) : answerClient(request, url, body),
    );
    const untruth = mischief.tamper(url.pathname, answer);
    if (!untruth) return send(response, answer);
    const headers = { 'content-type': 'application/json', ...untruth.headers };
    response.writeHead(untruth.status, headers).end(untruth.text);
  }

  /** The owner's commands, as on every network of the sandbox. */
  function obey(body: string): unknown {
    try {
      const { method, params = [] } = JSON.parse(body) as { method: string; params?: readonly unknown[] };
      const given = (params[0] ?? {}) as Record<string, string>;
      const units = given['amount'] === undefined ? undefined : toUnits(decimal(given['amount']), 2, 'down');
      return { result: deed(method, given, units), error: null };
    } catch (error) {
      return { result: null, error: { message: (error as Error).message } };
    }
  }

  /** Gives the name of what happened. */
  function deed(method: string, given: Readonly<Record<string, string>>, units: bigint | undefined): string {
    const { address = '', tx = '' } = given;
    if (method === 'sandbox_pay') return pay({ address, units });
    if (method === 'sandbox_contest') return provider.contest(tx, units === undefined ? {} : { centavos: units });
    if (method === 'sandbox_give_back') {
      const id = `portal${randomBytes(8).toString('hex')}`;
      return provider.giveBack(tx, id, units ?? provider.leftOf(provider.findPix(tx)), null).returnId;
    }
    throw new Error('Pix has no blocks and no waiting transactions');
  }

  const pay = ({ address, units }: { address: string; units?: bigint | undefined }): string =>
    provider.pay({ code: address, centavos: units });

  const server = await startLocalServer(
    (request, response) => {
      handle(request, response).catch((error: unknown) =>
        send(response, { status: 500, body: { message: (error as Error).message } }),
      );
    },
    options.port,
    options.tls,
  );
  const host = `${options.tls ? 'https' : 'http'}://127.0.0.1:${server.port}`;
  const { payKey, contest, endReturn, findPix, giveBack } = provider;
  return {
    payKey,
    contest,
    endReturn,
    findPix,
    giveBack,
    baseUrl: host,
    tokenUrl: `${host}/oauth/token`,
    clientId,
    clientSecret,
    key,
    url: host.replace('://', `://sandbox:${encodeURIComponent(options.password)}@`),
    port: server.port,
    mischief,
    asked: () => asked,
    pay,
    endTokens: () => tokens.clear(),
    forgeWebhook: caller.forge,
    goAway: server.goAway,
    comeBack: server.comeBack,
    async stop() {
      await server.close();
      await caller.idle();
      book.close();
    },
  };
}

function answered(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (error instanceof PixProblem) return { status: error.status, body: error.body };
    throw error;
  }
}

function send(response: ServerResponse, { status, body }: Answer): void {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { 'content-type': type }).end(body === undefined ? '' : JSON.stringify(body));
}

function isAuthorized({ headers }: IncomingMessage, user: string, password: string): boolean {
  const wanted = Buffer.from(`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`);
  const given = Buffer.from(headers.authorization ?? '');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
