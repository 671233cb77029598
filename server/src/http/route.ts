/**
 * A route of the API is an endpoint of the contract and the function that answers it. Authentication, parsing and
 * errors happen elsewhere: `handle` gets a merchant and clean input, and returns what is answered with 200.
 */
import type { Readable } from 'node:stream';
import type { BodyOf, Endpoint, QueryOf, ReplyOf } from '@quittance/contract/endpoints';
import type { Problem } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { Asker } from './actor.ts';
import type { AuthMethod, Caller, CallingMerchant } from './caller.ts';
import type { CarryOut } from './effect.ts';

type CommonContext = {
  readonly rawBody: Buffer;
  readonly address: string;
  readonly requestId: string;
};

type CallerOf<E extends Endpoint, M extends CallingMerchant> = E['access'] extends 'public'
  ? { readonly merchant: null; readonly actor: null; readonly may: null; readonly authMethod: null }
  : {
      readonly merchant: M;
      readonly actor: Asker;
      readonly may: Caller['may'];
      readonly authMethod: AuthMethod;
    };

export type RouteContext<E extends Endpoint, M extends CallingMerchant = CallingMerchant> = CommonContext &
  CallerOf<E, M> & {
    readonly body: BodyOf<E>;
    readonly query: QueryOf<E>;
    /** The JSON as it was posted, to be shown again. JSON.stringify prints its numbers with all digits. */
    readonly payload: unknown;
    /** A request makes all its changes through this. */
    readonly carryOut: CarryOut<ReplyOf<E>>;
  };

/** What was sent, as far as it could be read: fields whose form was wrong are missing. */
export type PartlyRead<T> = T extends readonly (infer Item)[]
  ? readonly (PartlyRead<Item> | undefined)[]
  : T extends object
    ? { readonly [Key in keyof T]?: PartlyRead<T[Key]> | undefined }
    : T;

export type Check<E extends Endpoint, M extends CallingMerchant> = (
  context: CallerOf<E, M> & { readonly body: PartlyRead<BodyOf<E>> },
) => Promise<readonly Problem[]> | readonly Problem[];

/** What an endpoint answers that is a file. */
export class FileReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
  constructor(headers: Readonly<Record<string, string>>, body: Readable) {
    this.headers = headers;
    this.body = body;
  }
}

export type ApiRoute<M extends CallingMerchant = CallingMerchant> = {
  readonly kind: 'api';
  readonly endpoint: Endpoint;
  readonly check: Check<Endpoint, M> | undefined;
  readonly recall: ((merchantId: string, idempotencyKey: string) => Promise<unknown>) | undefined;
  readonly handle: (context: RouteContext<Endpoint, M>) => Promise<unknown>;
};

type RouteDefinition<E extends Endpoint, M extends CallingMerchant> = {
  endpoint: E;
  /**
   * Problems that no schema can see, such as an unknown currency. They are told together with those of form, so that a
   * client learns of all at once.
   */
  check?: Check<E, M>;
  /**
   * What a process of the previous release ordered with this key before its answer was lost; undefined: nothing. To be
   * removed with the next release, when no such key is left.
   */
  recall?: (merchantId: string, idempotencyKey: string) => Promise<ReplyOf<E> | undefined>;
  handle: (context: RouteContext<E, M>) => Promise<ReplyOf<E> | string | FileReply> | ReplyOf<E> | string;
};

/**
 * Makes routes whose handlers count on knowing so much of the merchant. A reply that is a string is JSON that was
 * serialized already.
 */
export const routeFor =
  <M extends CallingMerchant>() =>
  <const E extends Endpoint>({ endpoint, check, recall, handle }: RouteDefinition<E, M>): ApiRoute<M> => {
    const answer = handle as unknown as ApiRoute<M>['handle'];
    return { kind: 'api', endpoint, check, recall, handle: async (context) => answer(context) };
  };

/** For handlers to whom the id of the merchant is enough. */
export const route = routeFor<CallingMerchant>();

/**
 * What a request costs us, and so which limit it counts against: a file that we have in memory; news of a checkout; a
 * page; a form, which makes or changes something; a document, which takes long to make. Free: must always be answered,
 * and costs nothing.
 */
export type PageCost = 'free' | 'file' | 'news' | 'page' | 'form' | 'document';

export type PageContext = CommonContext & {
  /** Who is behind the address, as it says itself, the nearest last. Not to be believed without a reason. */
  readonly toldHops: readonly string[];
  /** See `ApiRequest`. */
  readonly crowd: number;
  readonly log: Log;
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The merchant's own domain through which the request came. Left out: it came to our own domain. */
  readonly shopDomain?: { readonly merchantId: string; readonly domain: string };
  /** Aborted when the server stops: a stream should end then. */
  readonly closing: AbortSignal;
};

export type PageReply = {
  readonly status: number;
  /** An empty text removes a header that every reply has. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | Readable;
};

export type PageRoute = {
  readonly kind: 'page';
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'DELETE')[];
  /** From the root of the server; `:name` is a parameter, a trailing `*` is the rest. */
  readonly path: string;
  /** Left out: a page, or a form if it is posted. */
  readonly cost?: PageCost | ((context: PageContext) => PageCost);
  /** How much may be sent, asked before it is read: only who may send files can. Left out: as much as to everything. */
  readonly bodyBytesMax?: (headers: PageContext['headers']) => Promise<number>;
  readonly handle: (context: PageContext) => Promise<PageReply> | PageReply;
};

/** A route that makes its whole reply itself: pages, images, health, metrics. No authentication, no parsing. */
export const pageRoute = (definition: Omit<PageRoute, 'kind'>): PageRoute => ({ kind: 'page', ...definition });

export type Route<M extends CallingMerchant = CallingMerchant> = ApiRoute<M> | PageRoute;
