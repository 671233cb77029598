/** An account of the service, with its settings: all that a request of its is answered by. */
export type Merchant = {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly accountCurrency: string;
  readonly isBasicAllowed: boolean;
  /** What examples and clients should sign with; both work where basic is allowed. */
  readonly preferredAuth: (typeof authMethods)[number];
  readonly isAddressListEnforced: boolean;
  /** Whether people, too, reach the account only from an address on the list. */
  readonly isAddressListForPeople: boolean;
  /** An asset id or code that is credited where a charge does not say; ORIGIN: what the customer paid. */
  readonly settlementAsset: string;
  /** The account is credited in nothing riskier, but for the HIGH assets that it names. */
  readonly riskTolerance: RiskTolerance;
  /**
   * What is paid by bank is also credited in another asset, at the rate when it is booked: nobody knows that rate when the
   * payer chooses. False: a bank is offered only where it is credited as it is paid.
   */
  readonly takesRateOfBooking: boolean;
  /** Codes of HIGH assets the merchant has asked for. */
  readonly highRiskAssets: readonly string[];
  readonly tolerancePercent: string;
  readonly toleranceAbsolute: string;
  /** How many percent of their value late payments may have lost; 100: any part. */
  readonly lateTolerancePercent: string;
  /** An underpayment of at least so many percent is accepted automatically; null: never. */
  readonly underpaidAcceptPercent: string | null;
  readonly extraConfirmations: number;
  readonly pageSettings: Readonly<Record<string, unknown>>;
  readonly isWebhookHttpsRequired: boolean;
  /** How long a new or changed destination of transfers must wait before money goes there. */
  readonly destinationWaitMinutes: number;
  /** What was agreed instead of the usual fees, in percent and in dollars; null: the usual ones. */
  readonly feePercent: string | null;
  readonly feeMinimumUsd: string | null;
  /** How much of what it posts may be kept, if that was agreed; null: as much as of everybody. */
  readonly storedMegabytesMax: number | null;
  /**
   * If more than this, in the account currency, leaves within 24 hours, a second key must approve it. Null: no approval
   * is needed. Refunds count with transfers, unless they have a limit of their own.
   */
  readonly transferApprovalAbove: string | null;
  readonly refundApprovalAbove: string | null;
  /** In the account currency: no more than this leaves within 24 hours, also if approved. Null: no such limit. */
  readonly dailyLimit: string | null;
  /** What people of the role support decide and give back within 24 hours, each; null: nothing. */
  readonly supportLimit: string | null;
  /** The operator lets nothing be charged or sent; null: the account works. */
  readonly suspended: { readonly at: Date; readonly why: string } | null;
};

export const riskTolerances = ['LOW', 'MEDIUM'] as const;
export type RiskTolerance = (typeof riskTolerances)[number];

export const authMethods = ['digest', 'basic'] as const;
