/** The local ledger over HTTP, in the words of Horizon, and its owner's own commands. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StrKey } from '@stellar/stellar-sdk';
import { type LocalServer, startLocalServer } from '../local-server.ts';
import { pathsToReceive, pathsToSend, readAsset } from './find-paths.ts';
import { badField, HorizonProblem, resourceMissing } from './horizon-problem.ts';
import {
  accountResource,
  assetNames,
  assetResource,
  claimableBalanceResource,
  feeStats,
  ledgerResource,
  rootResource,
} from './horizon-resources.ts';
import { createSubmission } from './horizon-submission.ts';
import { assetKey, assetOf, toStroops } from './ledger-entries.ts';
import { type HorizonRecord, pageOf, placeOfToken } from './ledger-history.ts';
import type { StellarLedger } from './stellar-ledger.ts';

export type OwnerCommands = Readonly<Record<string, (...params: never[]) => unknown>>;

type Served = {
  readonly ledger: StellarLedger;
  readonly commands: OwnerCommands;
  fund(account: string): string;
  readonly user: string;
  readonly password: string;
  readonly port?: number;
};

const paymentTypes: ReadonlySet<unknown> = new Set([
  ...['create_account', 'payment', 'path_payment_strict_send', 'path_payment_strict_receive', 'account_merge'],
]);

/** A list that Horizon pages and streams, or one resource. */
type Answer = { readonly list: () => readonly HorizonRecord[] } | { readonly resource: unknown };

export async function serveHorizon(served: Served): Promise<LocalServer & { url: string }> {
  const { ledger } = served;
  const { entries, history } = ledger;
  const submission = createSubmission(ledger);
  const authorization = `Basic ${Buffer.from(`${served.user}:${served.password}`).toString('base64')}`;

  function one<T>(found: T | undefined): T {
    if (found === undefined) throw resourceMissing();
    return found;
  }

  function read(parts: readonly string[], query: URLSearchParams): Answer {
    const [kind, id, part] = parts;
    if (kind === undefined) return { resource: rootResource(ledger) };
    if (kind === 'fee_stats') return { resource: feeStats(ledger) };
    if (kind === 'assets' && id === undefined)
      return { list: () => assets(query.get('asset_code'), query.get('asset_issuer')) };
    if (kind === 'paths') return { list: () => findPaths(id, query) };
    if (kind === 'ledgers') {
      if (id === undefined) return { list: () => history.ledgers.map(ledgerResource) };
      return { resource: ledgerResource(one(history.ledgers.find(({ sequence }) => String(sequence) === id))) };
    }
    if (kind === 'accounts' && id !== undefined) {
      if (!StrKey.isValidEd25519PublicKey(id))
        throw badField('account_id', 'Account ID must start with `G` and contain 56 alphanum characters');
      if (part === undefined) return { resource: accountResource(ledger, one(entries.accounts.get(id))) };
      // An account that was merged away keeps its history.
      if (!entries.accounts.get(id) && !history.transactionsByAccount.has(id)) throw resourceMissing();
      if (part === 'transactions')
        return { list: () => successful(history.transactionsByAccount.get(id) ?? [], query) };
      return operationList(part, () => history.operationsByAccount.get(id) ?? []);
    }
    if (kind === 'claimable_balances') {
      if (id === undefined) return { list: () => claimableBalances(query.get('claimant'), query.get('asset')) };
      if (part === undefined) return { resource: claimableBalanceResource(one(entries.claimableBalances.get(id))) };
      return operationList(part, () => history.operationsByBalance.get(id) ?? []);
    }
    if (kind === 'transactions') {
      if (id === undefined) return { list: () => successful(history.transactions, query) };
      if (part === undefined)
        return { resource: one(history.transactionByHash.get(id) ?? history.transactionByInnerHash.get(id)) };
      return operationList(part, () => history.operationsByTransaction.get(id) ?? []);
    }
    if (kind === 'operations' && id !== undefined)
      return { resource: one(history.operations.find((each) => each.id === id)) };
    return operationList(kind, () => history.operations);
  }

  function operationList(kind: string | undefined, list: () => readonly HorizonRecord[]): Answer {
    if (kind === 'operations') return { list };
    if (kind === 'payments') return { list: () => list().filter(({ type }) => paymentTypes.has(type)) };
    throw resourceMissing();
  }

  const successful = (records: readonly HorizonRecord[], query: URLSearchParams) =>
    query.get('include_failed') === 'true' ? records : records.filter((record) => record['successful'] === true);

  const assets = (code: string | null, issuer: string | null): HorizonRecord[] =>
    assetNames(entries)
      .map((name) => assetResource(entries, name))
      .filter((asset) => code === null || asset['asset_code'] === code)
      .filter((asset) => issuer === null || asset['asset_issuer'] === issuer);

  /** In Horizon's order: by the ledger that changed them last, then by id. */
  const claimableBalances = (claimant: string | null, wanted: string | null): HorizonRecord[] =>
    [...entries.claimableBalances.values()]
      .filter(({ claimants }) => claimant === null || claimants.some(({ destination }) => destination === claimant))
      .filter(({ asset }) => wanted === null || asset === wanted)
      .sort((a, b) => a.ledger - b.ledger || (a.id < b.id ? -1 : 1))
      .map(claimableBalanceResource);

  function findPaths(kind: string | undefined, query: URLSearchParams): HorizonRecord[] {
    const assetFrom = (prefix: string): string => {
      if (query.get(`${prefix}_asset_type`) === 'native') return 'native';
      const asset = readAsset(`${query.get(`${prefix}_asset_code`)}:${query.get(`${prefix}_asset_issuer`)}`);
      if (asset === null) throw badField(`${prefix}_asset_type`, 'Asset is not valid');
      return asset;
    };
    const assetsFrom = (prefix: string): string[] => {
      const account = query.get(`${prefix}_account`);
      if (account === null)
        return (query.get(`${prefix}_assets`) ?? '').split(',').flatMap((text) => readAsset(text) ?? []);
      const lines = [...entries.trustlines.values()].filter((line) => line.account === account);
      return ['native', ...lines.map(({ asset }) => assetKey(assetOf(asset)))];
    };
    if (kind === 'strict-receive') {
      const units = toStroops(query.get('destination_amount') ?? '0');
      return pathsToReceive(entries, { from: assetsFrom('source'), to: [assetFrom('destination')], units }).map(
        asRecord,
      );
    }
    if (kind === 'strict-send') {
      const units = toStroops(query.get('source_amount') ?? '0');
      return pathsToSend(entries, { from: [assetFrom('source')], to: assetsFrom('destination'), units }).map(asRecord);
    }
    throw resourceMissing();
  }

  /** `join=transactions` puts the transaction into each of its operations. */
  function joined(record: HorizonRecord, query: URLSearchParams): HorizonRecord {
    const hash = record['transaction_hash'];
    if (query.get('join') !== 'transactions' || typeof hash !== 'string') return record;
    return { ...record, transaction: history.transactionByHash.get(hash) };
  }

  function page(list: readonly HorizonRecord[], url: URL): unknown {
    const { cursor, order, limit } = readPaging(url.searchParams);
    const records = pageOf(list, cursor, order, limit).map((record) => joined(record, url.searchParams));
    const link = (token: string | undefined, way: 'asc' | 'desc') => {
      const next = new URL(url);
      next.searchParams.set('cursor', token ?? url.searchParams.get('cursor') ?? '');
      next.searchParams.set('order', way);
      next.searchParams.set('limit', String(limit));
      return { href: next.href };
    };
    return {
      _links: {
        self: { href: url.href },
        next: link(records.at(-1)?.paging_token, order),
        prev: link(records[0]?.paging_token, order === 'asc' ? 'desc' : 'asc'),
      },
      _embedded: { records },
    };
  }

  function readPaging(query: URLSearchParams) {
    const limit = Number(query.get('limit') ?? 10);
    if (!Number.isInteger(limit) || limit < 1 || limit > 200)
      throw badField('limit', 'limit must be between 1 and 200');
    const order = query.get('order') ?? 'asc';
    if (order !== 'asc' && order !== 'desc') throw badField('order', 'order must be asc or desc');
    return { limit, order, cursor: readCursor(query.get('cursor')) } as const;
  }

  function readCursor(text: string | null): bigint | null {
    if (text === null || text === '') return null;
    if (/^\d{1,10}-[0-9a-f]{72}$/.test(text)) return placeOfToken(text);
    if (text === 'now') return (BigInt(history.latest().sequence + 1) << 32n) - 1n;
    if (!/^\d{1,19}$/.test(text)) throw badField('cursor', 'cursor must contain exactly one positive integer');
    return BigInt(text);
  }

  /** Server-sent events: what is there after the cursor, then what comes. A client that was cut off says where it was. */
  function stream(
    list: () => readonly HorizonRecord[],
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): void {
    const lastSeen = request.headers['last-event-id'];
    let cursor = readCursor(typeof lastSeen === 'string' ? lastSeen : url.searchParams.get('cursor'));
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.write('retry: 1000\nevent: open\ndata: "hello"\n\n');
    function pushNews(): void {
      for (const record of pageOf(list(), cursor, 'asc', Number.MAX_SAFE_INTEGER)) {
        cursor = placeOfToken(record.paging_token);
        response.write(`id: ${record.paging_token}\ndata: ${JSON.stringify(joined(record, url.searchParams))}\n\n`);
      }
    }
    pushNews();
    response.once('close', history.onLedger(pushNews));
  }

  async function bodyOf(request: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  }

  async function runCommand(request: IncomingMessage): Promise<unknown> {
    const {
      id = null,
      method,
      params = [],
    } = JSON.parse(await bodyOf(request)) as { id?: unknown; method: string; params?: unknown[] };
    try {
      const run = Object.hasOwn(served.commands, method) ? served.commands[method] : undefined;
      if (!run) throw new Error(`Stellar has no ${method.replace('sandbox_', '')}`);
      return { result: (await run(...(params as never[]))) ?? null, error: null, id };
    } catch (error) {
      return { result: null, error: { code: -1, message: (error as Error).message }, id };
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? '127.0.0.1'}`);
    const parts = url.pathname.split('/').filter((part) => part !== '');
    const send = (body: unknown, status = 200) =>
      response
        .writeHead(status, {
          'content-type': 'application/hal+json',
          'latest-ledger': String(history.latest().sequence),
        })
        .end(JSON.stringify(body));
    if (parts[0] === 'friendbot')
      return void send(await submission.recordOf(served.fund(url.searchParams.get('addr') ?? '')));
    if (request.method === 'POST') {
      if (parts.length === 0) {
        if (request.headers.authorization !== authorization) return void response.writeHead(401).end();
        return void send(await runCommand(request));
      }
      const envelope = new URLSearchParams(await bodyOf(request)).get('tx') ?? '';
      if (parts[0] === 'transactions') return void send(await submission.submitAndWait(envelope));
      if (parts[0] !== 'transactions_async') throw resourceMissing();
      const { status, body } = submission.submitAsync(envelope);
      return void send(body, status);
    }
    const answer = read(parts, url.searchParams);
    if ('resource' in answer) return void send(answer.resource);
    if (request.headers.accept?.includes('text/event-stream')) return stream(answer.list, request, response, url);
    send(page(answer.list(), url));
  }

  const server = await startLocalServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      const problem =
        error instanceof HorizonProblem
          ? error
          : new HorizonProblem(500, 'server_error', 'Internal Server Error', String(error));
      response
        .writeHead(problem.status, { 'content-type': 'application/problem+json' })
        .end(JSON.stringify(problem.body));
    });
  }, served.port);
  return {
    ...server,
    url: `http://127.0.0.1:${server.port}`,
  };
}

const asRecord = (fields: Record<string, unknown>): HorizonRecord => ({ id: '', paging_token: '', ...fields });
