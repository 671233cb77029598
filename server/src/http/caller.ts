/** Who is calling: what authentication finds out about a request and every handler receives. */
import type { Permission } from '@quittance/contract/permissions';
import type { KeyActor } from './actor.ts';

export type Merchant = {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly accountCurrency: string;
  readonly isBasicAllowed: boolean;
  readonly isAddressListEnforced: boolean;
  /** Codes of HIGH assets the merchant has asked for. */
  readonly highRiskAssets: readonly string[];
  readonly tolerancePercent: string;
  readonly toleranceAbsolute: string;
  /** So many percent of the price may late payments have lost of their value; 100: whatever they are worth. */
  readonly lateTolerancePercent: string;
  /** An underpayment of so many percent or more is accepted by itself; null: never. */
  readonly underpaidAcceptPercent: string | null;
  readonly extraConfirmations: number;
  readonly pageSettings: Readonly<Record<string, unknown>>;
  readonly isWebhookHttpsRequired: boolean;
  /** How long a new or changed destination of transfers must wait before money goes there. */
  readonly destinationWaitMinutes: number;
  /** What was agreed instead of the usual fees, in percent and in dollars; null: the usual ones. */
  readonly feePercent: string | null;
  readonly feeMinimumUsd: string | null;
  /**
   * More than this, in the account currency, leaves within 24 hours only with the approval of a second key. Null: none
   * is needed. Refunds count as transfers do, unless they have a limit of their own.
   */
  readonly transferApprovalAbove: string | null;
  readonly refundApprovalAbove: string | null;
};

export type AuthMethod = 'digest' | 'basic';

/** An actor of a merchant. At the API that is a key, which also says whose secret signs the webhooks. */
export type Caller = {
  readonly merchant: Merchant;
  readonly actor: KeyActor;
  readonly method: AuthMethod;
  /** Of digest authentication, as it was checked; null otherwise. */
  readonly signature: string | null;
};

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
export type Authenticate = (request: IncomingRequest) => Promise<Caller>;
