/**
 * From a request to an answer, for every endpoint of the API: who is calling, may they call that often, what do they
 * say, was this answered before; and only then the handler.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Endpoint } from '@quittance/contract/endpoints';
import type { Permission } from '@quittance/contract/permissions';
import type { Db, Tx } from '../db/database.ts';
import { assert } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import { GatewayError, invalidRequest } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { apiKeyOf } from './actor.ts';
import type { Authenticate, Caller, CallingMerchant, KeyCaller } from './caller.ts';
import { countedAddress } from './client-address.ts';
import type { CarryOut } from './effect.ts';
import type { FairTurns } from './fair-turns.ts';
import { answerOnce, type Keep, KeyTaken, readIdempotencyKey } from './idempotency.ts';
import type { KeyLocks } from './key-locks.ts';
import { pageBytes } from './page-cursor.ts';
import { demandStorableQuery, parseJson } from './parse-json.ts';
import { type RateLimiter, type RateLimits, takeForAddress, tooManyRequests } from './rate-limit.ts';
import { usualBodyBytes } from './read-body.ts';
import { inspectInput, readInput } from './read-input.ts';
import { type Answer, renderError } from './render-error.ts';
import { type ApiRoute, FileReply, type RouteContext } from './route.ts';
import { isSignatureRepeated, isSignatureUsed, signatureRepeated, useUpSignature } from './used-signature.ts';
import { workInTurn } from './work-in-turn.ts';

export type ApiRequest = {
  readonly method: string;
  /** As received, without /api/v1 and without the query string. */
  readonly path: string;
  /** As received, with its question mark; empty when there is none. */
  readonly search: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
  readonly address: string;
  /** How many customers may be behind the address: an unnamed proxy counts for many. */
  readonly crowd: number;
  readonly requestId: string;
};

export type AnswerDeps<M extends CallingMerchant = CallingMerchant> = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly authenticate: Authenticate<M>;
  readonly encryption: Encryption;
  readonly keyLocks: KeyLocks;
  /** Throws when the merchant may not store so much more. Left out: nobody asks. */
  readonly demandRoom?: ((merchantId: string, bytes: number) => Promise<void>) | undefined;
  /** Left out: everybody works at once. */
  readonly turns?: FairTurns | undefined;
  /** Null: no limits. */
  readonly limits: (RateLimits & { readonly limiter: RateLimiter }) | null;
};

/** What is needed once it is known who is calling. */
export type KnownCallerDeps = Pick<AnswerDeps, 'db' | 'clock' | 'log' | 'encryption' | 'keyLocks' | 'demandRoom'>;

/** Never throws. `onCaller` learns who it is, for the request log. */
export async function answerRequest<M extends CallingMerchant>(
  deps: AnswerDeps<M>,
  route: ApiRoute<M>,
  request: ApiRequest,
  onCaller: (caller: KeyCaller) => void,
): Promise<Answer> {
  let limitHeaders: Answer['headers'] | null = null;
  try {
    const { access } = route.endpoint;
    const caller = access === 'public' ? null : await identify(deps, route, access, request);
    if (caller) onCaller(caller);
    if (deps.limits && !route.endpoint.isUnlimited) {
      const { limiter, perKey } = deps.limits;
      const decision = caller
        ? await limiter.take(`key ${apiKeyOf(caller.actor)}`, perKey)
        : await takeForAddress(deps.limits, 'api', deps.limits.perAddress, request);
      if (!decision.isAllowed) throw tooManyRequests(decision);
      limitHeaders = decision.headers;
    }
    const answer = (): Promise<Answer> => answerKnownCaller(deps, route, request, caller);
    if (!deps.turns || route.endpoint.isUnlimited) return withHeaders(await answer(), limitHeaders);
    const { rawBody } = request;
    const party = caller ? `merchant ${caller.merchant.id}` : `address ${countedAddress(request.address)}`;
    const answered = await workInTurn(
      deps.turns,
      { party, bytes: rawBody.length, expects: expectedOf(route) },
      answer,
      bytesOf,
    );
    return withHeaders(answered, limitHeaders);
  } catch (error) {
    return withHeaders(renderError(error, logFor(deps, request)), limitHeaders);
  }
}

/** A list may be as long as one page is. */
const expectedOf = ({ endpoint }: Pick<ApiRoute, 'endpoint'>): number =>
  endpoint.query && 'limit' in ((endpoint.query as { properties?: object }).properties ?? {}) ? pageBytes / 2 : 0;

const bytesOf = ({ body }: Answer): number => body.length;

const withHeaders = (answer: Answer, more: Answer['headers'] | null): Answer =>
  more === null ? answer : { ...answer, headers: { ...more, ...answer.headers } };

/** Made only when there is something to log: most requests have nothing. */
const logFor = ({ log }: KnownCallerDeps, { requestId }: ApiRequest): Log => log.child({ requestId });

/**
 * Failures are counted per address, but never stop a request whose signature is right: behind a proxy that is not
 * configured all shops share one address, and one shop with a wrong secret must not lock the others out.
 */
async function identify<M extends CallingMerchant>(
  deps: AnswerDeps<M>,
  route: ApiRoute<M>,
  permission: Permission,
  request: ApiRequest,
): Promise<KeyCaller<M>> {
  try {
    return await deps.authenticate({
      method: request.method,
      path: request.path,
      search: request.search,
      headers: request.headers,
      rawBody: request.rawBody,
      address: request.address,
      permission,
      isMoneyMoving: route.endpoint.isMoneyMoving ?? false,
      needsAllowedAddress: route.endpoint.needsAllowedAddress ?? false,
    });
  } catch (error) {
    if (error instanceof GatewayError && deps.limits) {
      const decision = await takeForAddress(deps.limits, 'failure', deps.limits.failuresPerAddress, request);
      if (!decision.isAllowed) throw tooManyRequests(decision);
    }
    throw error;
  }
}

/** Null: anybody. Throws what is wrong with the request; what its handler refuses is an answer. */
export async function answerKnownCaller<M extends CallingMerchant>(
  deps: KnownCallerDeps,
  route: ApiRoute<M>,
  request: ApiRequest,
  caller: Caller<M> | null,
): Promise<Answer> {
  const { endpoint } = route;
  const payload = endpoint.body ? parseJson(request.rawBody) : undefined;
  const idempotencyKey = endpoint.method === 'GET' ? null : readIdempotencyKey(request.headers['idempotency-key']);
  const who = {
    merchant: caller?.merchant ?? null,
    actor: caller?.actor ?? null,
    may: caller?.may ?? null,
    authMethod: caller?.method ?? null,
  };
  const { input: body, problems } = endpoint.body
    ? inspectInput(endpoint.body, payload, { name: 'The request body' })
    : { input: undefined, problems: [] };
  // The casts are safe: `route` gives its functions exactly what this endpoint's schemas and access say.
  const check = async () => (await route.check?.({ ...who, body: body ?? {} } as never)) ?? [];
  if (problems.length > 0) throw invalidRequest([...problems, ...(await check())]);

  const signature = endpoint.isSignatureUsedUp ? (caller?.signature ?? null) : null;
  const admit = async (): Promise<void> => {
    if (signature !== null && (await isSignatureUsed(deps.db, signature))) throw signatureRepeated();
    const bytes = roomFor(endpoint, { bytes: request.rawBody.length, isAnswerKept: idempotencyKey !== null });
    if (bytes !== null && caller) await deps.demandRoom?.(caller.merchant.id, bytes);
  };
  const common = {
    ...who,
    body,
    query: endpoint.query ? readQuery(endpoint.query, request.query) : undefined,
    payload,
    rawBody: request.rawBody,
    address: request.address,
    requestId: request.requestId,
  };
  const work = async (keep: Keep | null): Promise<Answer> => {
    const hold = endpoint.isMoneyMoving && caller ? caller.hold : null;
    const { carryOut, hasBegun } = effectOf(deps, { signature, hold }, keep);
    try {
      const found = await check();
      if (found.length > 0) throw invalidRequest(found);
      const reply = await route.handle({ ...common, carryOut } as unknown as RouteContext<typeof endpoint, M>);
      assert(signature === null || hasBegun(), `${endpoint.id} uses up its signature`);
      if (reply instanceof FileReply) return { status: 200, headers: reply.headers, body: '', file: reply.body };
      return { status: 200, headers: {}, body: textOf(reply) };
    } catch (error) {
      // The same request with another key, or another request with the same key: neither is an answer to be kept.
      if (isSignatureRepeated(error) || error instanceof KeyTaken) throw error;
      return renderError(error, logFor(deps, request));
    }
  };
  if (caller === null || idempotencyKey === null) {
    await admit();
    return work(null);
  }
  const merchantId = caller.merchant.id;
  const recall = async (): Promise<string | null> => {
    const reply = await route.recall?.(merchantId, idempotencyKey);
    return reply === undefined ? null : textOf(reply);
  };
  const path = `${endpoint.path}${request.search}`;
  const { rawBody } = request;
  const repeatable = { merchantId, key: idempotencyKey, method: endpoint.method, path, rawBody };
  return answerOnce({ ...deps, log: logFor(deps, request) }, repeatable, { recall, admit, work });
}

/** An order of money, with a few words beside it: it is never refused for a lack of room. */
const shortOrder = 4 * 1024;

/** How much a request may add to what the merchant keeps; null: nothing that counts. */
function roomFor(
  { keepsBody, echoesPosted, isMoneyMoving }: Endpoint,
  { bytes, isAnswerKept }: { readonly bytes: number; readonly isAnswerKept: boolean },
): number | null {
  if (keepsBody) return bytes;
  if (echoesPosted) return isAnswerKept ? usualBodyBytes : null;
  return isMoneyMoving && bytes > shortOrder ? bytes : null;
}

const textOf = (reply: unknown): string => (typeof reply === 'string' ? reply : JSON.stringify(reply));

/**
 * The signature is used up and the answer is kept in the transaction that does the work: all of it happens, or nothing.
 */
function effectOf(
  { db, clock }: KnownCallerDeps,
  { signature, hold }: { readonly signature: string | null; readonly hold: Caller['hold'] | null },
  keep: Keep | null,
) {
  let hasBegun = false;
  const carryOut: CarryOut<unknown> = async (act, toReply) => {
    const remember = keep && ((tx: Tx, result: Parameters<typeof toReply>[0]) => keep(tx, textOf(toReply(result))));
    const result = await act({
      remember,
      begin(work) {
        hasBegun = true;
        return db.begin(async (tx) => {
          await hold?.(tx);
          if (signature !== null) await useUpSignature(tx, signature, clock.now());
          const done = await work(tx);
          await remember?.(tx, done);
          return done;
        });
      },
    });
    return textOf(toReply(result));
  };
  return { carryOut, hasBegun: () => hasBegun };
}

function readQuery(schema: NonNullable<ApiRoute['endpoint']['query']>, query: Readonly<Record<string, unknown>>) {
  demandStorableQuery(query);
  return readInput(schema, query, { name: 'The query string', isText: true });
}
