/**
 * A route of the API is an endpoint of the contract and the function that answers it. Authentication, parsing and
 * errors happen elsewhere: `handle` gets a merchant and clean input, and returns what is answered with 200.
 */
import type { Readable } from 'node:stream';
import type { BodyOf, Endpoint, QueryOf, ReplyOf } from '@quittance/contract/endpoints';
import type { Log } from '../lib/log.ts';
import type { KeyActor } from './actor.ts';
import type { AuthMethod, Merchant } from './caller.ts';
import type { CarryOut } from './effect.ts';

type CommonContext = {
  readonly rawBody: Buffer;
  readonly address: string;
  readonly requestId: string;
};

type CallerOf<E extends Endpoint> = E['access'] extends 'public'
  ? { readonly merchant: null; readonly actor: null; readonly authMethod: null }
  : { readonly merchant: Merchant; readonly actor: KeyActor; readonly authMethod: AuthMethod };

export type RouteContext<E extends Endpoint> = CommonContext &
  CallerOf<E> & {
    readonly body: BodyOf<E>;
    readonly query: QueryOf<E>;
    /** The JSON as it was posted, for an echo. JSON.stringify prints its numbers digit by digit. */
    readonly payload: unknown;
    /** All that a request changes, it changes through this. */
    readonly carryOut: CarryOut<ReplyOf<E>>;
  };

/** What was sent, as far as it could be read: fields whose form was wrong are missing. */
export type PartlyRead<T> = T extends readonly (infer Item)[]
  ? readonly (PartlyRead<Item> | undefined)[]
  : T extends object
    ? { readonly [Key in keyof T]?: PartlyRead<T[Key]> | undefined }
    : T;

export type Check<E extends Endpoint> = (
  context: CallerOf<E> & { readonly body: PartlyRead<BodyOf<E>> },
) => Promise<readonly string[]> | readonly string[];

export type ApiRoute = {
  readonly kind: 'api';
  readonly endpoint: Endpoint;
  readonly check: Check<Endpoint> | undefined;
  readonly recall: ((merchantId: string, idempotencyKey: string) => Promise<unknown>) | undefined;
  readonly handle: (context: RouteContext<Endpoint>) => Promise<unknown>;
};

/** A reply that is a string is JSON that was serialized already. */
export function route<const E extends Endpoint>(definition: {
  endpoint: E;
  /**
   * Problems that no schema can see, such as an unknown currency. Told together with those of form, so that a client
   * learns of all at once.
   */
  check?: Check<E>;
  /**
   * What a process of the previous release ordered with this key before its answer was lost; undefined: nothing. To be
   * taken out with the next release, when no such key is left.
   */
  recall?: (merchantId: string, idempotencyKey: string) => Promise<ReplyOf<E> | undefined>;
  handle: (context: RouteContext<E>) => Promise<ReplyOf<E> | string> | ReplyOf<E> | string;
}): ApiRoute {
  const handle = definition.handle as unknown as ApiRoute['handle'];
  const { endpoint, check, recall } = definition;
  return { kind: 'api', endpoint, check, recall, handle: async (context) => handle(context) };
}

/**
 * What a request costs us, and so which limit it counts against: a file that we hold in memory; news of a checkout; a
 * page; a form, which makes or changes something; a document, which takes long to make. Free is what must be answered
 * whatever happens, and costs nothing.
 */
export type PageCost = 'free' | 'file' | 'news' | 'page' | 'form' | 'document';

export type PageContext = CommonContext & {
  /** Who is behind the address, as it says itself, the nearest last. */
  readonly claims: readonly string[];
  /** See `ApiRequest`. */
  readonly crowd: number;
  readonly log: Log;
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The merchant's own domain that the request came through. Without it, it came to ours. */
  readonly shopDomain?: { readonly merchantId: string; readonly domain: string };
  /** Aborted when the server stops: a stream that would run on should end then. */
  readonly closing: AbortSignal;
};

export type PageReply = {
  readonly status: number;
  /** An empty one is left out, also where every reply has it. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | Readable;
};

export type PageRoute = {
  readonly kind: 'page';
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'DELETE')[];
  /** From the root of the server; `:name` is a parameter, a trailing `*` is the rest. */
  readonly path: string;
  /** What it costs: without it a page, or a form if it is posted. */
  readonly cost?: PageCost | ((context: PageContext) => PageCost);
  readonly handle: (context: PageContext) => Promise<PageReply> | PageReply;
};

/** A route with full control of its reply: pages, images, health, metrics. No authentication, no parsing. */
export const pageRoute = (definition: Omit<PageRoute, 'kind'>): PageRoute => ({ kind: 'page', ...definition });

export type Route = ApiRoute | PageRoute;
