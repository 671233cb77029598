/** Who is calling: what authentication learns about a request and every handler gets. */
import type { Permission } from '@quittance/contract/permissions';
import type { Tx } from '../db/database.ts';
import type { Asker, KeyActor } from './actor.ts';

/**
 * All that the door itself needs to know of a merchant. Handlers may need more: `Caller`, `Authenticate` and routes say by
 * their `M` what whoever authenticates finds out, and what a handler counts on.
 */
export type CallingMerchant = { readonly id: string };

export type AuthMethod = 'digest' | 'basic';

/** An actor of a merchant: a key, or in the sandbox a person who tries an endpoint out in the manual. */
export type Caller<M extends CallingMerchant = CallingMerchant> = {
  readonly merchant: M;
  readonly actor: Asker;
  readonly method: AuthMethod;
  /** Of digest authentication, as it was checked; null with any other. */
  readonly signature: string | null;
  readonly may: (permission: Permission) => boolean;
  /**
   * First of all in a transaction that moves money: throws if the key, or the secret that the request was signed with,
   * was taken away since. Whoever takes one away at this moment waits for the transaction.
   */
  readonly hold: (tx: Tx) => Promise<void>;
};

/** At the door of the API an actor is a key, which also says whose secret signs the webhooks. */
export type KeyCaller<M extends CallingMerchant = CallingMerchant> = Caller<M> & { readonly actor: KeyActor };

/** What authentication may look at. `path` and `search` are as they arrived, without /api/v1. */
export type IncomingRequest = {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly rawBody: Buffer;
  readonly address: string;
  readonly permission: Permission;
  readonly isMoneyMoving: boolean;
  readonly needsAllowedAddress: boolean;
};

/** The one decision about who may call. Throws a GatewayError when the answer is no. */
export type Authenticate<M extends CallingMerchant = CallingMerchant> = (
  request: IncomingRequest,
) => Promise<KeyCaller<M>>;
