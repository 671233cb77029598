/** Written from the contract by scripts/write-contract.ts: `npm run sdk:types`. */

/** An exact decimal in plain notation, such as "19.99". Never read it as a float. */
export type Decimal = string;

/** A decimal. A string is sent as it is; a number as JavaScript writes it. */
export type DecimalInput = string | number;

/** ISO 8601 with an offset, such as "2026-03-01T12:00:00+00:00". */
export type Timestamp = string;

/** A payment network. */
export type Network = {
  /** Network identifier, for example BITCOIN. */
  id: string;
  /** Network name for people. */
  name: string;
  /** What kind of rail the network is. */
  type: 'BLOCKCHAIN' | 'BANK';
  /** Icon path of the network, relative to the public web host. */
  imageSrc: string;
  /** Whether checkouts and deposits can be paid over the network. */
  deposits: boolean;
  /** Whether transfers can be sent over the network. */
  transfers: boolean;
  /** True if bridged via Stellar (SEP-6 or OTC), false if native to the platform. */
  bridged: boolean;
  /** Ids of the assets that can be received and redeemed over the network. The first is its default. */
  assets: string[];
};

/** An asset that accounts can hold. */
export type Asset = {
  /** Asset id: the code and the issuer joined by a colon, or XLM:NATIVE. */
  id: string;
  /** Asset code, for example BTC. */
  assetCode: string;
  /** Issuing account on Stellar, or NATIVE for the native asset. */
  assetIssuer: string;
  /** Asset name for people. */
  name: string;
  /** What the asset is worth: USDC and USDT are of the group USD. */
  group: string;
  /** Icon path of the group, relative to the public web host. */
  groupImageSrc: string;
  /** Name of the issuer in plain English. */
  issuerName: string;
  /** Web domain of the issuer. */
  issuerDomain: string;
  /** Physical address of the issuer. */
  issuerAddress: string;
  /** Icon path of the asset, relative to the public web host. */
  imageSrc: string;
  /** Whether checkouts can be paid with the asset. */
  checkouts: boolean;
  /** Whether deposits can be made in the asset. */
  deposits: boolean;
  /** Whether checkouts can be settled in the asset. */
  settlement: boolean;
  /**
   * Whether the asset can be the source or the target of a swap. What an account holds of another one can be swapped
   * away all the same.
   */
  swaps: boolean;
  /** Whether the asset can be transferred to an outside account. */
  transfers: boolean;
  /** Colour for charts. */
  hexColor: string;
  /**
   * LOW: native to Stellar and widely redeemable. MEDIUM: bridged onto Stellar by a custodian. HIGH: available only
   * after it was enabled in the account settings.
   */
  riskLevel: 'LOW' | 'MEDIUM' | 'HIGH';
  /** Whether the asset is bridged via Stellar (SEP-6 or OTC). */
  bridge: boolean;
  /** Ids of the networks on which payments in the asset are processed. */
  networks: string[];
};

/** A currency. */
export type Currency = {
  /** Currency code, for example EUR. */
  assetCode: string;
  /** Currency name for people. */
  name: string;
  /** What kind of money it is. */
  type: 'CRYPTO' | 'FIAT';
  /** Whether a charge can be written in the currency. */
  billing: boolean;
  /** Whether checkouts and deposits can be settled in the currency. */
  settlement: boolean;
  /** Whether checkouts and deposits can be paid in the currency. */
  payment: boolean;
};

/** A language of the hosted pages. */
export type Language = {
  /** ISO 639-1 code, usable as checkoutLanguage. */
  languageCode: string;
  /** The name of the language in that language. */
  name: string;
};

/** A new checkout. */
export type NewCheckout = {
  /**
   * The charge. net = lineItems − discountItems + shippingCostItems; taxable = net without the shipping items that are
   * not taxable; total = net + taxable × sum of the tax rates.
   */
  charge: Charge;
  /**
   * Id of the asset to be credited (GET /assets); a bare code such as USDC is understood. ORIGIN credits what the
   * customer pays in, without conversion. Left out: what the account has set, which is ORIGIN until it chooses an asset
   * (GET /settings).
   */
  settlementAsset?: string | undefined;
  /** Language of the hosted page. `auto` follows the browser and falls back to en. */
  checkoutLanguage?: 'auto' | 'en' | 'de' | 'pt' | 'es' | 'it' | 'tr' | 'pl' | 'fr' | undefined;
  /** URL on the merchant's server that receives the events of the checkout. */
  webhook?: string | undefined;
  /** Preferred SEP-6 anchors: network id to the id of the anchored asset. */
  anchors?: Record<string, string> | undefined;
  /** How the hosted page looks. Overrides the account settings. */
  pageSettings?: PageSettings | undefined;
  /** Anything; echoed in webhooks and in replies that show the checkout. At most 16 KiB of JSON. */
  meta?: Record<string, unknown> | undefined;
};

/**
 * The charge. net = lineItems − discountItems + shippingCostItems; taxable = net without the shipping items that are
 * not taxable; total = net + taxable × sum of the tax rates.
 */
export type Charge = {
  /** Id of the customer, as returned by POST /customer. Enables invoices. */
  customerId?: string | undefined;
  /** Currency code from GET /currencies in which the charge is written. Not the payment currency. */
  billingCurrency: string;
  /** What is sold. */
  lineItems: LineItem[];
  /** What is taken off. */
  discountItems?: DiscountItem[] | undefined;
  /** What shipping costs. */
  shippingCostItems?: ShippingCostItem[] | undefined;
  /** Taxes. Their rates add up. */
  taxItems?: TaxItem[] | undefined;
};

/** Something that is sold. */
export type LineItem = {
  /** What it is, for the customer. */
  description: string;
  /** Net price of one piece, in the billing currency. */
  netAmount: DecimalInput;
  /** How many pieces. */
  quantity?: DecimalInput | undefined;
  /** The shop's own id of the product. */
  productId?: string | number | undefined;
};

/** Something that makes it cheaper. */
export type DiscountItem = {
  /** What it is, for the customer. Without it the page says “Discount”, in its language. */
  description?: string | undefined;
  /** Net amount that is taken off. */
  netAmount?: DecimalInput | undefined;
};

/** What it costs to send the goods. */
export type ShippingCostItem = {
  /** What it is, for the customer. Without it the page says “Shipping”, in its language. */
  description?: string | undefined;
  /** Net cost of shipping. */
  netAmount?: DecimalInput | undefined;
  /** Whether the item is included in the tax calculation. */
  taxable?: boolean | undefined;
};

/** A tax on the charge. */
export type TaxItem = {
  /** Name of the tax. */
  name: string;
  /** The rate in decimal notation: 0.0825 means 8.25 %. */
  percent: DecimalInput;
};

/** How the hosted page looks. Overrides the account settings. */
export type PageSettings = {
  /** Where the customer goes after paying. `checkoutId` is appended. Never take a visit for a payment. */
  returnUrl?: string | undefined;
  /** Where the customer goes after cancelling. `checkoutId` is appended. */
  cancelUrl?: string | undefined;
  /** Name on top of the page; the account default if absent. */
  shopName?: string | undefined;
  /** The shop's own order number, as the customer knows it: shown on the page, on papers and in mails. */
  orderReference?: string | number | undefined;
  /** Whether the linked customer's billing address is shown. */
  displayBuyerInfo?: boolean | undefined;
  /** Whether the merchant's mail address is shown. */
  displaySellerInfo?: boolean | undefined;
};

/** A checkout that waits for a choice among the ways to pay it. */
export type CreatedCheckout = {
  /** Id of the checkout. Store it to match payments. */
  id: string;
  /** The ways to pay. Methods without a rate are left out. */
  paymentMethods: PaymentMethod[];
  /** What was posted as meta. Absent when nothing was posted. */
  meta?: unknown;
};

/** One way to pay a checkout. */
export type PaymentMethod = {
  /** Code of the asset the customer would pay in. */
  assetCode: string;
  /** Name of the blockchain or bank network. */
  blockchain: string;
  /** Network id, for POST /checkout/commit. */
  network: string;
  /** Asset id, for POST /checkout/commit. */
  relatedAssetId: string;
  /** What the customer would pay. A decimal in plain notation. */
  paymentAmount: Decimal;
  /** What the merchant receives. Valid for 60 minutes. */
  settlement: SettlementQuote;
};

/** What the merchant receives. Valid for 60 minutes. */
export type SettlementQuote = {
  /** Id of the asset that will be credited. */
  assetId: string;
  /** What is credited before the fee. A decimal in plain notation. */
  amount: Decimal;
  /** What is credited after the fee. A decimal in plain notation. */
  netAmount: Decimal;
  /** The service's fee. A decimal in plain notation. */
  fee: Decimal;
};

/** A checkout with a payment page. */
export type HostedCheckout = {
  /** Id of the checkout. */
  id: string;
  /** The same id, under the name that older clients read. */
  checkoutId: string;
  /** The hosted payment page. Unique, for one payment. */
  url: string;
  /** What was posted as meta. Absent when nothing was posted. */
  meta?: unknown;
};

/** How the customer wants to pay. */
export type CheckoutChoice = {
  /** Id returned by POST /checkout. */
  checkoutId: string;
  /** Id of the chosen network, from paymentMethods. */
  network: string;
  /** The chosen relatedAssetId, from paymentMethods. Without it, the network's default asset. */
  asset?: string | undefined;
};

/** A checkout that waits for a payment. */
export type CommittedCheckout = {
  /** Id of the checkout. */
  checkoutId: string;
  /** What the customer needs to know to pay. */
  depositInstructions: DepositInstructions;
  /** What the merchant receives. Valid for 60 minutes. */
  settlement: SettlementQuote;
  /** End of the 60 minutes. A later payment is still credited. */
  expirationTime: Timestamp;
  /** What was posted as meta. Absent when nothing was posted. */
  meta?: unknown;
};

/** What the customer needs to know to pay. */
export type DepositInstructions = {
  /** Code of the asset to pay in. */
  assetCode: string;
  /** Name of the blockchain. */
  blockchain: string;
  /** Network id. */
  network: string;
  /** What to pay: the price or, once a part has arrived, what is missing. A decimal in plain notation. */
  amount: Decimal;
  /** Where to pay. */
  address: string;
  /** Must be shown and sent with the payment when it is not null. */
  memo: string | null;
  /** Kind of the memo, for example text. */
  memoType: string | null;
};

/** A checkout as it is shown in replies and webhooks. */
export type Checkout = {
  /** Id of the checkout. */
  id: string;
  /** When the checkout was created. */
  timestamp: Timestamp;
  /** COMPLETED, DELAYED_COMPLETED and RESOLVED mean that the account was credited. No other state does. */
  state:
    | 'CREATED'
    | 'PENDING'
    | 'PROCESSING'
    | 'COMPLETED'
    | 'DELAYED_COMPLETED'
    | 'UNDERPAID'
    | 'RESOLVED'
    | 'EXPIRED'
    | 'CANCELED'
    | 'REFUNDED';
  /**
   * What was odd. UNDERPAID with LATE: enough was sent after the window, but it was worth less than the price, less the
   * late tolerance, when it was first seen.
   */
  exceptions: ('PARTIAL' | 'OVERPAID' | 'LATE' | 'DUPLICATE' | 'REORGED' | 'NO_MARKET' | 'WRONG_ASSET')[];
  /** API: the shop shows how to pay. HOSTED: the payment page does. */
  type: 'API' | 'HOSTED';
  /** Where it was created: API, ACCOUNT or PAYMENT_LINK. */
  origin: string;
  /** Id of the credited asset. */
  settlementAssetId: string | null;
  /** What is to be credited. A decimal in plain notation. */
  settlementAmountRequired: Decimal | null;
  /** What was credited. A decimal in plain notation. */
  settlementAmountReceived: Decimal | null;
  /** The fee that was taken. A decimal in plain notation. */
  settlementAmountFeePaid: Decimal | null;
  /** Id of the asset the customer pays in. */
  sourceAssetId: string | null;
  /** What the customer has to pay. A decimal in plain notation. */
  sourceAmountRequired: Decimal | null;
  /** What the customer has paid. A decimal in plain notation. */
  sourceAmountReceived: Decimal | null;
  /** Network id of the payment. */
  sourceNetwork: string | null;
  /** Network name of the payment. */
  sourceNetworkName: string | null;
  /** Where the customer pays to. */
  depositAddress: string | null;
  /** End of the payment window; null before POST /checkout/commit. */
  expirationTime: Timestamp | null;
  /**
   * Every movement: payments (the newest hundred), then their way to Stellar, then credits. Anybody can send any number
   * of payments: paymentTotals has them all.
   */
  blockchainTransactions: BlockchainTransaction[];
  /** Number and sum of everything that arrived, by network and asset, also of what is not listed. */
  paymentTotals: PaymentTotal[];
  /** Every refund, oldest first. */
  refunds: Refund[];
  /** What was posted to create the checkout. */
  payload: Record<string, unknown>;
  /** What was posted as meta. Absent when nothing was posted. */
  meta?: unknown;
  /** The payment link that was paid. Absent when the checkout was created in another way. */
  paymentLinkId?: string;
  /** The hosted page; null for a self-hosted checkout. */
  hostedCheckoutUrl: string | null;
};

/** A movement of money for a checkout. */
export type BlockchainTransaction = {
  /**
   * The customer's payment, the way of its coins to Stellar, or the credit to the account. A credit waits for the coins
   * to get there, so that its event has all three. If that takes longer than ten minutes it goes ahead, and
   * CHECKOUT_BRIDGE is not added to it afterwards; nor is it there where nothing is bridged.
   */
  type: 'CHECKOUT_ORIGIN' | 'CHECKOUT_BRIDGE' | 'CHECKOUT_SETTLEMENT';
  /** The type in plain words. */
  typeDescription: string;
  /** Network id. Of a settlement: where the credited asset lives, which need not be where it was paid. */
  network: string;
  /** Network name. */
  networkName: string;
  /** When it happened. */
  timestamp: Timestamp;
  /** Hash of the transaction, or the reference of a ledger entry. */
  tx: string;
  /** What was moved. A decimal in plain notation. */
  amount: Decimal;
  /** Code of the asset that was moved. */
  amountAssetCode: string;
  /** What was odd about it. */
  exception: string | null;
};

/** What arrived on one network in one asset. */
export type PaymentTotal = {
  /** Network id. */
  network: string;
  /** Id of the asset that arrived. */
  assetId: string;
  /** Code of the asset that arrived. */
  assetCode: string;
  /** How many payments have arrived, confirmed or not. */
  count: number;
  /** Their sum. A decimal in plain notation. */
  amount: Decimal;
  /** How many more were too small to count by themselves and are in no payment yet. */
  crumbCount: number;
  /** Their sum. Once it is worth it (the network's minimum) they become one payment. A decimal in plain notation. */
  crumbAmount: Decimal;
};

export type CheckoutFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
  /**
   * Only checkouts that this text may mean: an id (of the checkout or a refund of it), a transaction, an address that
   * was given to pay to, a customer's e-mail address or id (with the scope `read`), a price (`12.50`, `12,50 EUR`), or
   * the beginning of a word that came with the charge: `orderReference`, values of `meta`, a `productId`, a
   * description. Of what is found by a word, 500 at most. A new checkout is found by its words after a few seconds.
   */
  search?: string | undefined;
  /**
   * Only checkouts in one of these states, with commas between them: CREATED, PENDING, PROCESSING, COMPLETED,
   * DELAYED_COMPLETED, UNDERPAID, RESOLVED, EXPIRED, CANCELED, REFUNDED.
   */
  state?: string | undefined;
  /**
   * Only checkouts with one of these exceptions, with commas between them: PARTIAL, OVERPAID, LATE, DUPLICATE, REORGED,
   * NO_MARKET, WRONG_ASSET; ANY: with any.
   */
  exception?: string | undefined;
  /** Only checkouts that were committed to this network. */
  network?: string | undefined;
  /** Only checkouts that were committed to this asset: an id, or a bare code. */
  asset?: string | undefined;
  /** Only checkouts with this price in their billing currency. */
  amount?: string | undefined;
  /** Only checkouts with this billing currency. */
  currency?: string | undefined;
  /** Only checkouts of this customer. */
  customerId?: string | undefined;
  /** Only checkouts created at or after this moment. */
  from?: Timestamp | undefined;
  /** Only checkouts created before this moment. */
  to?: Timestamp | undefined;
};

/** Something that happened to a checkout. */
export type TimelineEntry = {
  /** When. */
  at: Timestamp;
  /** What happened. */
  what: string;
  /** The facts it follows from. */
  why: Record<string, unknown>;
};

/** What a charge comes to. */
export type ChargeTotal = {
  /** The total of the charge, exact. A decimal in plain notation. */
  total: Decimal;
  /** Decimals of the billing currency. */
  decimals: number;
};

/** A new payment link. It is never changed, only closed. */
export type NewPaymentLink = {
  /** What is paid for, as the payer reads it. */
  description: string;
  /** Currency code from GET /currencies in which the amount is written. */
  currency: string;
  /** What every payment is for. Left out: the payer says how much. */
  amount?: DecimalInput | undefined;
  /** Without `amount`: the least that a payer can say. */
  amountMin?: DecimalInput | undefined;
  /** Without `amount`: the most that a payer can say. */
  amountMax?: DecimalInput | undefined;
  /**
   * Without `amount`: the amount and a reference stand in the address, signed with the secret of the link (GET
   * /payment-link/secret). What is not signed, or was changed, is refused, and each reference can be paid once.
   */
  signedOnly?: boolean | undefined;
  /** After so many payments nobody can begin another one. Left out: there is no limit. */
  paymentsMax?: number | undefined;
  /** Of every checkout of the link, as in POST /checkout. Left out: what the account has set then. */
  settlementAsset?: string | undefined;
  /** URL on the merchant's server that receives the events of every checkout of the link. */
  webhook?: string | undefined;
  /** How the hosted page looks. Overrides the account settings. */
  pageSettings?: PageSettings | undefined;
  /** Anything; it becomes the `meta` of every checkout of the link. At most 16 KiB of JSON. */
  meta?: Record<string, unknown> | undefined;
};

/** A payment link. */
export type PaymentLink = {
  /** Id of the payment link. */
  id: string;
  /** When the link was created. */
  timestamp: Timestamp;
  /** ACTIVE: it can be paid. CLOSED: nobody can begin to pay it any more. */
  state: 'ACTIVE' | 'CLOSED';
  /** When it was closed. Null: it is not. */
  closedTime: Timestamp | null;
  /** The page of the link: to be shared, printed, or put on a page. */
  url: string;
  /** What is paid for. */
  description: string;
  /** Code of the currency. */
  currency: string;
  /** What every payment is for. Null: the payer says, or who signs. A decimal in plain notation. */
  amount: Decimal | null;
  /** The least that a payer can say. A decimal in plain notation. */
  amountMin: Decimal | null;
  /** The most that a payer can say. A decimal in plain notation. */
  amountMax: Decimal | null;
  /** Whether amount and reference must be signed. */
  signedOnly: boolean;
  /** After so many payments it takes no more. */
  paymentsMax: number | null;
  /** What was asked for. Null: what the account has set. */
  settlementAsset: string | null;
  /** Where events of its checkouts go. */
  webhook: string | null;
  /** How many have begun to pay it. */
  checkoutsMade: number;
  /** How many of them were credited. */
  checkoutsPaid: number;
  /** The prices of those that were credited, added up, in the currency of the link. A decimal in plain notation. */
  amountPaid: Decimal;
  /** What was posted as meta. Absent when nothing was posted. */
  meta?: unknown;
};

export type PaymentLinkFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
  /** Only links in this state. */
  state?: 'ACTIVE' | 'CLOSED' | undefined;
  /** Only payment links created at or after this moment. */
  from?: Timestamp | undefined;
  /** Only payment links created before this moment. */
  to?: Timestamp | undefined;
};

export type PaymentLinkCheckoutFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
  /** Id of the payment link. */
  id: string;
};

/** A new refund. */
export type NewRefund = {
  /** Id of the checkout. */
  checkoutId: string;
  /**
   * What is refunded. Without it, what waits in suspense; when nothing does, what was credited. A checkout with the
   * exception NO_MARKET can be refunded like an underpayment once its window is over.
   */
  context?: 'COMPLETED_CHECKOUT' | 'UNDERPAID_CHECKOUT' | 'OVERPAID_CHECKOUT' | undefined;
  /** How much, in units of the refunded asset. Without it, everything that can be refunded. */
  amount?: DecimalInput | undefined;
  /**
   * Id of the asset. Of what waits in suspense, the asset that was paid. Of what was credited, the credited asset (the
   * default, unless it travels on no network) or the one that was paid; it is taken from what is available in it.
   */
  asset?: string | undefined;
  /** Network to send on. Without it, the one it was paid on, if the asset travels there. */
  network?: string | undefined;
  /** Where to send it. Without it, the reply has a link where the customer enters the address. */
  address?: string | undefined;
  /** Memo of the address, where it needs one. */
  memo?: string | number | undefined;
  /** Kind of a memo. */
  memoType?: 'text' | 'id' | 'hash' | 'return' | undefined;
  /**
   * How much a refund of what was credited is. Without it, PAID_UNITS in the asset that was paid, and BILLING_RATE in
   * another asset.
   */
  basis?: 'PAID_UNITS' | 'BILLING_RATE' | 'CURRENT_RATE' | undefined;
  /**
   * Who bears the network's fee. Of what waits in suspense the customer, unless said otherwise; of what was credited
   * the merchant, if enough is available.
   */
  feePaidBy?: 'customer' | 'merchant' | undefined;
  /** Anything; shown with the refund. At most 16 KiB of JSON. */
  meta?: Record<string, unknown> | undefined;
};

/** A refund, and what to do next. */
export type CreatedRefund = {
  /** A refund as it is shown in replies and webhooks. */
  refund: Refund;
  /** Absent when the account has no such limit. */
  approvalLimit?: ApprovalLimit;
  /**
   * Where the customer enters the address. Shown once: send it to the customer and to nobody else, for whoever opens it
   * decides where the money goes.
   */
  claimUrl?: string;
};

/** A refund as it is shown in replies and webhooks. */
export type Refund = {
  /** Id of the refund. */
  id: string;
  /** Id of the checkout. */
  checkoutId: string;
  /**
   * What is refunded: an underpayment, what arrived beyond the price (an excess, a duplicate, another asset), or what
   * was credited.
   */
  context: 'COMPLETED_CHECKOUT' | 'UNDERPAID_CHECKOUT' | 'OVERPAID_CHECKOUT';
  /**
   * AWAITING_APPROVAL: another API key must approve it. CLAIMABLE: waits for the address of the customer. SENDING: on
   * its way, or waiting because the payment that it gives back is no longer confirmed; until it is signed it can be
   * cancelled. COMPLETED: it has arrived. FAILED, CANCELED and EXPIRED: nothing was sent, and the money is back where
   * it came from, but for `failureCost`.
   */
  state: 'AWAITING_APPROVAL' | 'CLAIMABLE' | 'SENDING' | 'COMPLETED' | 'FAILED' | 'CANCELED' | 'EXPIRED';
  /** When it was asked for. */
  timestamp: Timestamp;
  /** When it was completed or given up. */
  endTime: Timestamp | null;
  /** Id of the refunded asset. */
  assetId: string;
  /** Code of the refunded asset. */
  assetCode: string;
  /** Network id. */
  network: string;
  /** What is refunded. A decimal in plain notation. */
  amount: Decimal;
  /** The network's fee as it was estimated, in the refunded asset. A decimal in plain notation. */
  fee: Decimal;
  /** Who bears the network's fee. */
  feePaidBy: 'customer' | 'merchant';
  /** What the customer gets. A decimal in plain notation. */
  amountSent: Decimal;
  /** How the amount was found. */
  basis: 'PAID_UNITS' | 'BILLING_RATE' | 'CURRENT_RATE';
  /** The rates that were used. */
  rates: {
    /** Code of the currency. */
    code: string;
    /** Dollars for one. A decimal in plain notation. */
    usd: Decimal;
    /** When the rate was read. */
    at: Timestamp;
  }[];
  /** Where it is sent; null until the customer has said so. */
  address: string | null;
  /** Memo of the address. */
  memo: string | null;
  /** Kind of the memo. */
  memoType: string | null;
  /** Until when the customer can enter the address. */
  claimExpirationTime: Timestamp | null;
  /** Hash of the transaction. */
  tx: string | null;
  /** Why it failed, in one sentence. */
  failure: string | null;
  /**
   * What the network took for an attempt that failed, in the refunded asset: it was charged to whoever bears the fee.
   * Null unless FAILED. A decimal in plain notation.
   */
  failureCost: Decimal | null;
  /** What was posted as meta. */
  meta?: unknown;
};

export type RefundFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
  /** Only of this checkout: all of them, oldest first, whatever else is asked for. */
  checkoutId?: string | undefined;
  /**
   * Only refunds in one of these states, with commas between them: AWAITING_APPROVAL, CLAIMABLE, SENDING, COMPLETED,
   * FAILED, CANCELED, EXPIRED.
   */
  state?: string | undefined;
  /** Only refunds created at or after this moment. */
  from?: Timestamp | undefined;
  /** Only refunds created before this moment. */
  to?: Timestamp | undefined;
};

/** Absent when the account has no such limit. */
export type ApprovalLimit = {
  /** What may leave within 24 hours without the approval of another API key. A decimal in plain notation. */
  limit: Decimal;
  /** What is left of it now; null without a rate, and then everything is approved. A decimal in plain notation. */
  remaining: Decimal | null;
  /** The account currency, in which both are. */
  currency: string;
};

/** The customer. With an `id` it is changed; without one, `email` is needed. */
export type NewCustomer = {
  /** E-mail address. */
  email: string;
  /** First name. */
  firstname?: string | undefined;
  /** Last name. */
  lastname?: string | undefined;
  /** Company. */
  company?: string | undefined;
  /** Address, first line. */
  adr1?: string | undefined;
  /** Address, second line. */
  adr2?: string | undefined;
  /** Postal code. */
  zip?: string | number | undefined;
  /** City. */
  city?: string | undefined;
  /** Country, two letters of ISO 3166-1. */
  countrycode?: string | undefined;
  /** Phone number. */
  phonenumber?: string | number | undefined;
  /** Tax id. */
  taxid?: string | number | undefined;
  /** Anything; echoed wherever the customer is shown. At most 16 KiB of JSON. */
  meta?: Record<string, unknown> | undefined;
};

/** Which customer, and what is to be different. */
export type CustomerChange = {
  /** Id of the customer. */
  id: string;
  /** E-mail address. */
  email?: string | undefined;
  /** First name. */
  firstname?: string | undefined;
  /** Last name. */
  lastname?: string | undefined;
  /** Company. */
  company?: string | undefined;
  /** Address, first line. */
  adr1?: string | undefined;
  /** Address, second line. */
  adr2?: string | undefined;
  /** Postal code. */
  zip?: string | number | undefined;
  /** City. */
  city?: string | undefined;
  /** Country, two letters of ISO 3166-1. */
  countrycode?: string | undefined;
  /** Phone number. */
  phonenumber?: string | number | undefined;
  /** Tax id. */
  taxid?: string | number | undefined;
  /** Anything; echoed wherever the customer is shown. At most 16 KiB of JSON. */
  meta?: Record<string, unknown> | undefined;
};

/** Somebody the merchant sells to. */
export type Customer = {
  /** Id of the customer. */
  id: string;
  /** E-mail address. */
  email: string;
  /** First name. */
  firstname: string | null;
  /** Last name. */
  lastname: string | null;
  /** Company. */
  company: string | null;
  /** Address, first line. */
  adr1: string | null;
  /** Address, second line. */
  adr2: string | null;
  /** Postal code. */
  zip: string | null;
  /** City. */
  city: string | null;
  /** Country, two letters. */
  countrycode: string | null;
  /** Phone number. */
  phonenumber: string | null;
  /** Tax id. */
  taxid: string | null;
  /** What was posted as meta, or null. */
  meta: unknown;
  /** When the customer was created. */
  timestamp: Timestamp;
};

export type CustomerFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
  /** Only the customer with this e-mail. */
  email?: string | undefined;
};

/** What the account holds of an asset. */
export type Wallet = {
  /** Asset id. */
  assetId: string;
  /** Asset code. */
  assetCode: string;
  /** Asset name. */
  name: string;
  /** What can be used now. A decimal in plain notation. */
  available: Decimal;
  /**
   * Credits for payments that are not deep enough for the sum they belong to, or beyond what the service lets all
   * accounts together take out of payments that are not final. Absent when nothing waits.
   */
  waiting?: Waiting;
  /** Confirmed, but not credited yet. A decimal in plain notation. */
  pending: Decimal;
  /** On its way out. A decimal in plain notation. */
  reserved: Decimal;
  /** Waiting for a decision, such as an underpayment. Absent when there is nothing. A decimal in plain notation. */
  suspense?: Decimal;
  /**
   * Owed to the service after a reversal, repaid first from later credits. Absent when there is none. A decimal in
   * plain notation.
   */
  receivable?: Decimal;
  /**
   * What available, pending and reserved together are worth in the account currency; null without a rate. A decimal in
   * plain notation.
   */
  value: Decimal | null;
  /** The newest reusable deposit address of each network, as made with POST /deposit-address. */
  depositAddresses: WalletAddress[];
};

/** A reusable deposit address. */
export type WalletAddress = {
  /** Id of the reusable deposit. */
  depositId: string;
  /** Network id. */
  network: string;
  /** Where money can be sent at any time. */
  address: string;
  /** Must be sent with the money when it is not null. */
  memo: string | null;
  /** Kind of the memo, for example text. */
  memoType: string | null;
};

/**
 * Credits for payments that are not deep enough for the sum they belong to, or beyond what the service lets all
 * accounts together take out of payments that are not final. Absent when nothing waits.
 */
export type Waiting = {
  /** How much of what is available must not leave yet, by transfer, swap or refund. A decimal in plain notation. */
  amount: Decimal;
  /** How many more confirmations it takes, as things are; null after a reorganisation. */
  confirmations: number | null;
  /** About when that will be. */
  until: Timestamp | null;
};

/** What the account holds. */
export type Wallets = {
  /** The currency of the values. */
  accountCurrency: string;
  /** All values together; null when a balance that is not zero has no rate. A decimal in plain notation. */
  totalValue: Decimal | null;
  /** Every asset that the account can hold, also with zero. */
  wallets: Wallet[];
};

/** What the account holds of one asset. */
export type ValuedWallet = {
  /** The currency of the value. */
  accountCurrency: string;
  /** What the account holds of an asset. */
  wallet: Wallet;
};

/** Something that happened to the money of the account. Entries never change. */
export type LedgerEntry = {
  /** Unique: what happens once is posted once. */
  reference: string;
  /** What happened, for example settlement, refund_sent, transfer_reserved. */
  kind: string;
  /** What an entry is about. */
  subject: {
    /** For example checkout, refund, transfer, swap, deposit. */
    kind: string;
    /** Its id. */
    id: string;
  };
  /** When it was posted. */
  timestamp: Timestamp;
  /** The account's own side of the entry. */
  lines: {
    /** Which of the balances of the wallet. */
    account: 'available' | 'pending' | 'reserved' | 'suspense' | 'receivable';
    /** Asset id. */
    assetId: string;
    /** Asset code. */
    assetCode: string;
    /** What came into the balance; with a minus, what left it. */
    amount: string;
  }[];
};

export type LedgerEntryFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
  /** Only what happened to this wallet: an asset code or asset id. */
  asset?: string | undefined;
  /** Only entries created at or after this moment. */
  from?: Timestamp | undefined;
  /** Only entries created before this moment. */
  to?: Timestamp | undefined;
};

/** A new custom deposit. */
export type NewDeposit = {
  /** Network id from GET /networks. */
  network: string;
  /**
   * Asset id or code. Without it, the network's default asset. Where its wallets count in a smaller unit, the name of
   * that unit, with the amount in it: SAT on LIGHTNING is BTCLN in satoshis.
   */
  asset?: string | undefined;
  /** Whether more than one payment is expected. Refused where a target is an invoice. */
  reusable?: boolean | undefined;
  /** What is expected, in the asset. Needed where a target is an invoice, as on LIGHTNING. */
  amount?: DecimalInput | undefined;
  /** URL that receives the events of the deposit. */
  webhook?: string | undefined;
  /** Anything; echoed wherever the deposit is shown. At most 16 KiB of JSON. */
  meta?: Record<string, unknown> | undefined;
};

/** A deposit that waits for a payment. */
export type CreatedDeposit = {
  /** Id of the deposit. */
  id: string;
  /** What the payer needs to know. */
  depositInstructions: {
    /** Code of the asset to pay in. */
    assetCode: string;
    /** Name of the blockchain. */
    blockchain: string;
    /** Network id. */
    network: string;
    /** What to pay, if an amount was given; in the unit of assetCode. A decimal in plain notation. */
    amount: Decimal | null;
    /** Where to pay. */
    address: string;
    /** Must be shown and sent with the payment when it is not null. */
    memo: string | null;
    /** Kind of the memo, for example text. */
    memoType: string | null;
  };
  /** When an invoice ends. Null: the target never does. */
  expirationTime: Timestamp | null;
};

/** A custom deposit as it is shown in replies and webhooks. */
export type Deposit = {
  /** Id of the deposit. */
  id: string;
  /** When the deposit was created. */
  timestamp: Timestamp;
  /**
   * CREATED: nothing has arrived. PENDING: something has arrived that is not credited yet. COMPLETED: everything that
   * has arrived is credited. A reusable deposit goes back and forth.
   */
  state: 'CREATED' | 'PENDING' | 'COMPLETED';
  /** What was odd. */
  exceptions: ('DUPLICATE' | 'WRONG_ASSET' | 'PARTIAL' | 'OVERPAID' | 'REORGED' | 'NO_MARKET')[];
  /** Whether more than one payment is expected. */
  reusable: boolean;
  /** Network id. */
  network: string;
  /** Network name. */
  networkName: string;
  /** Id of the asset that is expected. */
  assetId: string;
  /** Code of the asset that is expected. */
  assetCode: string;
  /** What is expected, if an amount was given. A decimal in plain notation. */
  amountExpected: Decimal | null;
  /** What has arrived in that asset, credited or not. A decimal in plain notation. */
  amountReceived: Decimal;
  /** What was credited in that asset, after the fee. A decimal in plain notation. */
  amountCredited: Decimal;
  /** The fees that were taken in that asset. A decimal in plain notation. */
  amountFeePaid: Decimal;
  /** Where to pay. */
  depositAddress: string;
  /** Must be sent with the payment when it is not null. */
  memo: string | null;
  /** Kind of the memo. */
  memoType: string | null;
  /** When an invoice ends. Null: the target never does. */
  expirationTime: Timestamp | null;
  /** When it was closed with POST /deposit/close. Null: it is open. */
  closedTime: Timestamp | null;
  /** The latest hundred payments that have arrived, in any asset, oldest first; in webhooks the latest ten. */
  payments: DepositPayment[];
  /** Number and sum of everything that arrived, by network and asset, also of what is not listed. */
  paymentTotals: PaymentTotal[];
  /** What was posted as meta. Absent when nothing was posted. */
  meta?: unknown;
};

/** A payment to a deposit. */
export type DepositPayment = {
  /** Id of the payment. */
  id: string;
  /** Hash of the transaction. */
  tx: string;
  /** Network id. */
  network: string;
  /** Network name. */
  networkName: string;
  /** When it happened. */
  timestamp: Timestamp;
  /** PENDING: seen, not credited. COMPLETED: credited. DROPPED: it will not happen any more. */
  state: 'PENDING' | 'COMPLETED' | 'DROPPED';
  /** What arrived. A decimal in plain notation. */
  amount: Decimal;
  /** Code of the asset that arrived. */
  amountAssetCode: string;
  /** Id of the asset that arrived. */
  amountAssetId: string;
  /** The fee that was taken; null before the credit. A decimal in plain notation. */
  fee: Decimal | null;
  /** What was credited; null before the credit. A decimal in plain notation. */
  netAmount: Decimal | null;
  /** DUPLICATE: a further payment to a single-use deposit. WRONG_ASSET: another asset. */
  exception: string | null;
};

export type DepositFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
  /** Only deposits in this state. */
  state?: 'CREATED' | 'PENDING' | 'COMPLETED' | undefined;
  /** Only deposits on this network. */
  network?: string | undefined;
  /** Only deposits created at or after this moment. */
  from?: Timestamp | undefined;
  /** Only deposits created before this moment. */
  to?: Timestamp | undefined;
};

export type SwapQuestion = {
  /** What is given. Asset id or code. */
  sourceAsset: string;
  /** What is wanted. Asset id or code. */
  targetAsset: string;
  /** What is given, exactly. Either this or targetAmount. */
  sourceAmount?: DecimalInput | undefined;
  /** What is credited, after the fee. Either this or sourceAmount. */
  targetAmount?: DecimalInput | undefined;
};

/** The price of a swap. */
export type SwapQuote = {
  /** Id of the quote, for POST /swap. Good for one swap. */
  id: string;
  /** Id of the asset that is given. */
  sourceAssetId: string;
  /** Its code. */
  sourceAssetCode: string;
  /** What is given. A decimal in plain notation. */
  sourceAmount: Decimal;
  /** Id of the asset that is credited. */
  targetAssetId: string;
  /** Its code. */
  targetAssetCode: string;
  /** What is credited: after the fee. A decimal in plain notation. */
  targetAmount: Decimal;
  /** What the service keeps, in the target asset. A decimal in plain notation. */
  fee: Decimal;
  /**
   * What one of the source asset is worth in the target asset, before the spread and the fee. Of a swap that a market
   * completed: what was given for it. A decimal in plain notation.
   */
  rate: Decimal;
  /**
   * What the service keeps of the rate, in percent: more the older the rates are and the fewer sources vouch for them.
   * A decimal in plain notation.
   */
  spread: Decimal;
  /** Until then. */
  validUntil: Timestamp;
};

/** The price of a swap, and whether money would have to wait. */
export type QuotedSwap = {
  /** The price of a swap. */
  quote: SwapQuote;
  /**
   * Credits for payments that are not deep enough for the sum they belong to, or beyond what the service lets all
   * accounts together take out of payments that are not final. Absent when nothing waits.
   */
  waiting?: Waiting;
};

/** A new swap: the id of a quote, or both assets and one amount. */
export type NewSwap = {
  /** Id of a quote. With it nothing else is needed. */
  quoteId?: string | undefined;
  /** What is given. Asset id or code. */
  sourceAsset?: string | undefined;
  /** What is wanted. Asset id or code. */
  targetAsset?: string | undefined;
  /** What is given, exactly. Either this or targetAmount. */
  sourceAmount?: DecimalInput | undefined;
  /** What is credited, after the fee. Either this or sourceAmount. */
  targetAmount?: DecimalInput | undefined;
  /**
   * How much less than the price of this moment may be credited, in percent. Without a quote and with sourceAmount:
   * then a market may give a little less, or more, than was expected.
   */
  maxSlippagePercent?: DecimalInput | undefined;
  /** URL that receives the events of the swap. */
  webhook?: string | undefined;
  /** Anything; echoed wherever the swap is shown. At most 16 KiB of JSON. */
  meta?: Record<string, unknown> | undefined;
};

/** A swap as it is shown in replies and webhooks. */
export type Swap = {
  /** Id of the swap. */
  id: string;
  /** When it was asked for. */
  timestamp: Timestamp;
  /**
   * PROCESSING: what is given is reserved, a market is at work. COMPLETED: credited. FAILED: nothing was exchanged, and
   * what was reserved is available again.
   */
  state: 'PROCESSING' | 'COMPLETED' | 'FAILED';
  /** Id of the asset that is given. */
  sourceAssetId: string;
  /** Its code. */
  sourceAssetCode: string;
  /** What is given. A decimal in plain notation. */
  sourceAmount: Decimal;
  /** Id of the asset that is credited. */
  targetAssetId: string;
  /** Its code. */
  targetAssetCode: string;
  /** What is credited: after the fee. A decimal in plain notation. */
  targetAmount: Decimal;
  /** What the service keeps, in the target asset. A decimal in plain notation. */
  fee: Decimal;
  /**
   * What one of the source asset is worth in the target asset, before the spread and the fee. Of a swap that a market
   * completed: what was given for it. A decimal in plain notation.
   */
  rate: Decimal;
  /**
   * What the service keeps of the rate, in percent: more the older the rates are and the fewer sources vouch for them.
   * A decimal in plain notation.
   */
  spread: Decimal;
  /** Where it is exchanged: treasury, the stock of the service, or stellar-dex. */
  venue: string | null;
  /** The quote that was used. */
  quoteId: string | null;
  /** Who asked for it: an API key, or `person:` and the id of a person. */
  createdBy: string;
  /** Hash of the transaction that exchanged it, where there is one. */
  tx: string | null;
  /** Why it failed, in one sentence. */
  failure: string | null;
  /** When it was completed or failed. */
  completionTime: Timestamp | null;
  /** What was posted as meta. Absent when nothing was posted. */
  meta?: unknown;
};

export type SwapFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
  /** Only swaps in this state. */
  state?: 'PROCESSING' | 'COMPLETED' | 'FAILED' | undefined;
  /** Only swaps created at or after this moment. */
  from?: Timestamp | undefined;
  /** Only swaps created before this moment. */
  to?: Timestamp | undefined;
};

/** A new transfer. */
export type NewTransfer = {
  /** Network id from GET /networks. May be left out when the target account says it. */
  network?: string | undefined;
  /**
   * Asset id or code. Where the network's wallets count in a smaller unit, the name of that unit, with the amount in
   * it: SAT on LIGHTNING is BTCLN in satoshis.
   */
  asset: string;
  /** What is to arrive, in the asset; the fee is on top. Exact to the smallest unit of the network. */
  amount: DecimalInput;
  /** Label or id of a target account, from POST /target-account. Either this or `address`. */
  targetAccount?: string | undefined;
  /** Address, or invoice, given in full. */
  address?: string | undefined;
  /** Memo that the receiver asks for, with `address`. */
  memo?: string | number | undefined;
  /** Kind of the memo; text, if there is a memo. */
  memoType?: 'text' | 'id' | 'hash' | 'return' | undefined;
  /** URL that receives the events of the transfer. */
  webhook?: string | undefined;
  /** Anything; echoed wherever the transfer is shown. At most 16 KiB of JSON. */
  meta?: Record<string, unknown> | undefined;
};

/** A transfer. */
export type CreatedTransfer = {
  /** Id of the transfer. */
  id: string;
  /** A transfer as it is shown in replies and webhooks. */
  transfer: Transfer;
  /** Absent when the account has no such limit. */
  approvalLimit?: ApprovalLimit;
};

export type TransferQuestion = {
  /** Network id from GET /networks. May be left out when the target account says it. */
  network?: string | undefined;
  /**
   * Asset id or code. Where the network's wallets count in a smaller unit, the name of that unit, with the amount in
   * it: SAT on LIGHTNING is BTCLN in satoshis.
   */
  asset: string;
  /** What is to arrive, in the asset; the fee is on top. Exact to the smallest unit of the network. */
  amount: DecimalInput;
  /** Label or id of a target account, from POST /target-account. Either this or `address`. */
  targetAccount?: string | undefined;
  /** Address, or invoice, given in full. */
  address?: string | undefined;
  /** Memo that the receiver asks for, with `address`. */
  memo?: string | number | undefined;
  /** Kind of the memo; text, if there is a memo. */
  memoType?: 'text' | 'id' | 'hash' | 'return' | undefined;
};

/** What a transfer would cost, and what would be in its way. */
export type TransferEstimate = {
  /** Network id. */
  network: string;
  /** Id of the asset. */
  assetId: string;
  /** Code of the asset. */
  assetCode: string;
  /** What arrives. A decimal in plain notation. */
  amount: Decimal;
  /** What the transfer costs, in the same asset: networkFee and serviceFee together. A decimal in plain notation. */
  fee: Decimal;
  /** For the network, as estimated: the most that sending may cost. A decimal in plain notation. */
  networkFee: Decimal;
  /** For the service. A decimal in plain notation. */
  serviceFee: Decimal;
  /** What leaves the balance: amount and fee. A decimal in plain notation. */
  total: Decimal;
  /** The least that can be sent in this asset on this network. A decimal in plain notation. */
  minimum: Decimal;
  /** What the balance has available now. A decimal in plain notation. */
  available: Decimal;
  /**
   * Credits for payments that are not deep enough for the sum they belong to, or beyond what the service lets all
   * accounts together take out of payments that are not final. Absent when nothing waits.
   */
  waiting?: Waiting;
  /** Whether another API key would have to approve it. */
  needsApproval: boolean;
  /** Absent when the account has no such limit. */
  approvalLimit?: ApprovalLimit;
  /** From when on money may go to this destination: a new one can have to wait. */
  usableFrom: Timestamp;
};

/** A transfer as it is shown in replies and webhooks. */
export type Transfer = {
  /** Id of the transfer. */
  id: string;
  /** When it was asked for. */
  timestamp: Timestamp;
  /**
   * AWAITING_APPROVAL: another API key must approve it. WAITING: the destination is too new. QUEUED: it will be signed
   * next. SENT: signed and on its way, it can no longer be cancelled. COMPLETED: it arrived and can no longer be
   * undone. FAILED, CANCELED: nothing was sent, and everything but `failureCost` is available again.
   */
  state: 'AWAITING_APPROVAL' | 'WAITING' | 'QUEUED' | 'SENT' | 'COMPLETED' | 'FAILED' | 'CANCELED';
  /** Network id. */
  network: string;
  /** Network name. */
  networkName: string;
  /** Id of the asset. */
  assetId: string;
  /** Code of the asset. */
  assetCode: string;
  /** What arrives. A decimal in plain notation. */
  amount: Decimal;
  /** What the transfer costs, in the same asset: networkFee and serviceFee together. A decimal in plain notation. */
  fee: Decimal;
  /** For the network, as estimated: the most that sending may cost. A decimal in plain notation. */
  networkFee: Decimal;
  /** For the service. A decimal in plain notation. */
  serviceFee: Decimal;
  /** What leaves the balance: amount and fee. A decimal in plain notation. */
  total: Decimal;
  /** Label of the target account, as it was then. */
  targetAccount: string | null;
  /** Id of the target account. */
  targetAccountId: string | null;
  /** Where it goes. */
  address: string;
  /** Memo that is sent along. */
  memo: string | null;
  /** Kind of the memo. */
  memoType: string | null;
  /** From when on money may go to this destination. */
  usableFrom: Timestamp;
  /** Who asked for it: an API key, or `person:` and the id of a person. */
  createdBy: string;
  /** Who approved it, where that was needed: an API key, or `person:` and the id of a person. */
  approvedBy: string | null;
  /** Hash of the transaction; until COMPLETED another one with a higher fee may replace it. */
  txHash: string | null;
  /** Why it failed, in one sentence. */
  failure: string | null;
  /**
   * What the network took for an attempt that failed, in the same asset: it was charged. Null unless FAILED. A decimal
   * in plain notation.
   */
  failureCost: Decimal | null;
  /** When it was completed, failed or was cancelled. */
  endTime: Timestamp | null;
  /** What was posted as meta. Absent when nothing was posted. */
  meta?: unknown;
};

export type TransferFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
  /** Only transfers in this state. */
  state?: 'AWAITING_APPROVAL' | 'WAITING' | 'QUEUED' | 'SENT' | 'COMPLETED' | 'FAILED' | 'CANCELED' | undefined;
  /** Only transfers on this network. */
  network?: string | undefined;
  /** Only transfers of this asset; its id or code. */
  asset?: string | undefined;
  /** Only transfers created at or after this moment. */
  from?: Timestamp | undefined;
  /** Only transfers created before this moment. */
  to?: Timestamp | undefined;
};

/** A destination that is to be created or changed. */
export type NewTargetAccount = {
  /** The name that POST /transfer knows it by; unique in the account. */
  label: string;
  /** Network id from GET /networks. */
  network: string;
  /** Ids or codes of the only assets that may be sent there. Without it, or empty: all of the network. */
  assets?: string[] | undefined;
  /** Address on the network. */
  address: string;
  /** Memo that the receiver asks for; an empty text takes it away. */
  memo?: string | number | undefined;
  /** Kind of the memo; text, if there is a memo. */
  memoType?: 'text' | 'id' | 'hash' | 'return' | undefined;
  /** Id of the beneficiary whose account it is; an empty text takes it away. */
  beneficiaryId?: string | undefined;
};

/** A destination that is to be created or changed. */
export type TargetAccountChange = {
  /** Id of a target account that is to be changed; without it, one is created. */
  id: string;
  /** The name that POST /transfer knows it by; unique in the account. */
  label?: string | undefined;
  /** Network id from GET /networks. */
  network?: string | undefined;
  /** Ids or codes of the only assets that may be sent there. Without it, or empty: all of the network. */
  assets?: string[] | undefined;
  /** Address on the network. */
  address?: string | undefined;
  /** Memo that the receiver asks for; an empty text takes it away. */
  memo?: string | number | undefined;
  /** Kind of the memo; text, if there is a memo. */
  memoType?: 'text' | 'id' | 'hash' | 'return' | undefined;
  /** Id of the beneficiary whose account it is; an empty text takes it away. */
  beneficiaryId?: string | undefined;
};

/** A labelled destination of transfers. */
export type TargetAccount = {
  /** Id of the target account. */
  id: string;
  /** The name that POST /transfer knows it by. */
  label: string;
  /** Network id. */
  network: string;
  /** Network name. */
  networkName: string;
  /** Ids of the only assets that may be sent there; empty: all of the network. */
  assets: string[];
  /** Address on the network. */
  address: string;
  /** Memo that is sent along. */
  memo: string | null;
  /** Kind of the memo. */
  memoType: string | null;
  /** Id of the beneficiary whose account it is. */
  beneficiaryId: string | null;
  /** From when on transfers may go there: a new or changed destination can have to wait. */
  usableFrom: Timestamp;
  /** When the target account was created. */
  timestamp: Timestamp;
};

export type TargetAccountFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
  /** Only destinations on this network. */
  network?: string | undefined;
};

/** The beneficiary. With an `id` it is changed, without one it is created. */
export type NewBeneficiary = {
  /** Without it, COMPANY when there is a company, otherwise PERSON. */
  type?: 'PERSON' | 'COMPANY' | undefined;
  /** First name of a person. */
  firstname?: string | undefined;
  /** Last name of a person. */
  lastname?: string | undefined;
  /** Name of a company. */
  company?: string | undefined;
  /** E-mail address. */
  email?: string | undefined;
  /** Phone number. */
  phonenumber?: string | number | undefined;
  /** Tax id. */
  taxid?: string | number | undefined;
  /** Street; with the number, if there is no buildingNumber. */
  streetName?: string | number | undefined;
  /** Number of the building. */
  buildingNumber?: string | number | undefined;
  /** Whatever else the address has. */
  addressLine?: string | number | undefined;
  /** Postal code. */
  postCode?: string | number | undefined;
  /** Town. */
  townName?: string | number | undefined;
  /** State, province or region. */
  countrySubDivision?: string | number | undefined;
  /** Country, two letters of ISO 3166-1. */
  country?: string | undefined;
  /** Anything; echoed wherever the beneficiary is shown. At most 16 KiB of JSON. */
  meta?: Record<string, unknown> | undefined;
};

/** Which beneficiary, and what is to be different. */
export type BeneficiaryChange = {
  /** Id of the beneficiary. */
  id: string;
  /** Without it, COMPANY when there is a company, otherwise PERSON. */
  type?: 'PERSON' | 'COMPANY' | undefined;
  /** First name of a person. */
  firstname?: string | undefined;
  /** Last name of a person. */
  lastname?: string | undefined;
  /** Name of a company. */
  company?: string | undefined;
  /** E-mail address. */
  email?: string | undefined;
  /** Phone number. */
  phonenumber?: string | number | undefined;
  /** Tax id. */
  taxid?: string | number | undefined;
  /** Street; with the number, if there is no buildingNumber. */
  streetName?: string | number | undefined;
  /** Number of the building. */
  buildingNumber?: string | number | undefined;
  /** Whatever else the address has. */
  addressLine?: string | number | undefined;
  /** Postal code. */
  postCode?: string | number | undefined;
  /** Town. */
  townName?: string | number | undefined;
  /** State, province or region. */
  countrySubDivision?: string | number | undefined;
  /** Country, two letters of ISO 3166-1. */
  country?: string | undefined;
  /** Anything; echoed wherever the beneficiary is shown. At most 16 KiB of JSON. */
  meta?: Record<string, unknown> | undefined;
};

/** Who receives what the account sends. */
export type Beneficiary = {
  /** Id of the beneficiary. */
  id: string;
  /** A person or a company. */
  type: 'PERSON' | 'COMPANY';
  /** First name. */
  firstname: string | null;
  /** Last name. */
  lastname: string | null;
  /** Name of the company. */
  company: string | null;
  /** E-mail address. */
  email: string | null;
  /** Phone number. */
  phonenumber: string | null;
  /** Tax id. */
  taxid: string | null;
  /** Street. */
  streetName: string | null;
  /** Number of the building. */
  buildingNumber: string | null;
  /** Whatever else the address has. */
  addressLine: string | null;
  /** Postal code. */
  postCode: string | null;
  /** Town. */
  townName: string | null;
  /** State, province or region. */
  countrySubDivision: string | null;
  /** Country, two letters. */
  country: string | null;
  /** What was posted as meta, or null. */
  meta: unknown;
  /** When the beneficiary was created. */
  timestamp: Timestamp;
};

export type BeneficiaryFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
};

/** What an account had, what moved and what it has, for closed days. It does not change any more. */
export type Statement = {
  /** Name of the period. */
  period: string;
  /** Its first day. */
  from: string;
  /** The last day that is covered: closed days only. */
  to: string;
  /** Whether all days of the period are closed. */
  isComplete: boolean;
  /** In which days begin and end. */
  timeZone: string;
  /** The currency of the values. */
  accountCurrency: string;
  /** Whether opening and lines come to closing, in every asset. */
  addsUp: boolean;
  /** Of every asset that was held or moved. `value` is null where no rate was ever known. */
  assets: {
    /** Asset id. */
    assetId: string;
    /** Asset code. */
    assetCode: string;
    /** What was available before. A decimal in plain notation. */
    opening: Decimal;
    /** What moved, in the order of the statement. */
    lines: {
      /**
       * Which line: credits and deposits before fees; fees of the service; what was set aside for refunds, swaps and
       * transfers, less what came back; what vanished from a chain; what was owed (plus) and repaid (minus).
       */
      line: 'credits' | 'deposits' | 'fees' | 'refunds' | 'swaps' | 'transfers' | 'reversals' | 'debts' | 'other';
      /** What it brought; with a minus, what it took. A decimal in plain notation. */
      amount: Decimal;
      /** How many entries of the ledger that is. */
      entries: number;
      /** Its worth, each movement at the rate of its hour; null without a rate. A decimal in plain notation. */
      value: Decimal | null;
    }[];
    /** What was available after. A decimal in plain notation. */
    closing: Decimal;
    /** Whether opening and lines come to closing. */
    addsUp: boolean;
    /** Confirmed, but not credited. */
    pending: {
      /** Before. A decimal in plain notation. */
      opening: Decimal;
      /** After. A decimal in plain notation. */
      closing: Decimal;
    };
    /** Waiting for a decision. */
    suspense: {
      /** Before. A decimal in plain notation. */
      opening: Decimal;
      /** After. A decimal in plain notation. */
      closing: Decimal;
    };
    /** On its way out. */
    reserved: {
      /** Before. A decimal in plain notation. */
      opening: Decimal;
      /** After. A decimal in plain notation. */
      closing: Decimal;
    };
    /** Owed to the service, with a minus. */
    receivable: {
      /** Before. A decimal in plain notation. */
      opening: Decimal;
      /** After. A decimal in plain notation. */
      closing: Decimal;
    };
    /** What it was worth; null where no rate was ever known. */
    value: {
      /** At the rate before. A decimal in plain notation. */
      opening: Decimal;
      /** What changed because rates did, with what rounding left over. A decimal in plain notation. */
      revaluation: Decimal;
      /** At the rate after. A decimal in plain notation. */
      closing: Decimal;
    } | null;
  }[];
  /** All assets with a value, in the account currency. */
  total: {
    /** Before. A decimal in plain notation. */
    opening: Decimal;
    /** What moved. */
    lines: {
      /**
       * Which line: credits and deposits before fees; fees of the service; what was set aside for refunds, swaps and
       * transfers, less what came back; what vanished from a chain; what was owed (plus) and repaid (minus).
       */
      line: 'credits' | 'deposits' | 'fees' | 'refunds' | 'swaps' | 'transfers' | 'reversals' | 'debts' | 'other';
      /** Worth. A decimal in plain notation. */
      value: Decimal;
    }[];
    /** What changed because rates did. A decimal in plain notation. */
    revaluation: Decimal;
    /** After. A decimal in plain notation. */
    closing: Decimal;
  };
};

/** Which days the report is about. */
export type ReportedDays = {
  /** Name of the period. */
  period: string;
  /** Its first day. */
  from: string;
  /** The last day that is covered: closed days only. */
  to: string;
  /** Whether all days of the period are closed. */
  isComplete: boolean;
  /** In which days begin and end. */
  timeZone: string;
  /** The currency of the values. */
  accountCurrency: string;
};

/** A credit, a refund, or what was taken back of either. */
export type CheckoutLedgerRow = {
  /** When it was booked. */
  timestamp: Timestamp;
  /** Kind of the entry in the ledger, as in `GET /ledger-entries`. */
  kind: string;
  /**
   * Which line: credits and deposits before fees; fees of the service; what was set aside for refunds, swaps and
   * transfers, less what came back; what vanished from a chain; what was owed (plus) and repaid (minus).
   */
  line: 'credits' | 'deposits' | 'fees' | 'refunds' | 'swaps' | 'transfers' | 'reversals' | 'debts' | 'other';
  /** Reference of the entry in the ledger. */
  reference: string;
  /** Checkout. */
  checkoutId: string | null;
  /** Refund, if it is about one. */
  refundId: string | null;
  /** What the shop calls it: its reference, or what `meta` has as one. */
  order: string | null;
  /** Customer, if the checkout has one. */
  customerId: string | null;
  /** Country of the customer when the checkout was made, as two letters; null: not known. */
  country: string | null;
  /** Price of the checkout. A decimal in plain notation. */
  price: Decimal | null;
  /** Currency of the price. */
  billingCurrency: string | null;
  /** What was paid for it; null for refunds and what was kept of an excess. */
  paid: {
    /** Network id. */
    network: string;
    /** Asset id. */
    assetId: string;
    /** Asset code. */
    assetCode: string;
    /** What counted of what was paid; with a minus where the credit was taken back. A decimal in plain notation. */
    amount: Decimal;
  } | null;
  /** The rate by which it was priced. */
  rate: {
    /**
     * QUOTE: as offered to the payer; RATE_OF_ARRIVAL, RATE_OF_ACCEPTANCE: of a payment that came late or was too
     * little; PAID_UNITS, BILLING_RATE, CURRENT_RATE: how a refund was priced.
     */
    basis: string;
    /** One of what was paid, in the billing currency; null where no such rate was used. A decimal in plain notation. */
    price: Decimal | null;
    /** Where the rate came from. */
    sources: string[];
  } | null;
  /** Asset id. */
  assetId: string;
  /** Asset code. */
  assetCode: string;
  /** Credited, before the fee; with a minus, what was taken. A decimal in plain notation. */
  amount: Decimal;
  /** Fee of the service. A decimal in plain notation. */
  fee: Decimal;
  /** Its worth in the account currency at the rate of its hour; null without a rate. A decimal in plain notation. */
  value: Decimal | null;
  /** Its worth in the account currency at the rate of its hour; null without a rate. A decimal in plain notation. */
  feeValue: Decimal | null;
  /** Transactions of the payments, or of the refund. */
  transactions: string[];
};

/** Something that left the account. */
export type Disposal = {
  /** When it was confirmed, and booked as gone. */
  timestamp: Timestamp;
  /**
   * transfer, refund: sent; return: a refund of what had never been credited; swap; conversion: a payment that was
   * credited in another asset; attempt: what a transfer or refund cost that failed. What was undone is a row of its
   * own, with a minus and the worth that it had.
   */
  kind: 'transfer' | 'refund' | 'return' | 'swap' | 'conversion' | 'attempt';
  /** Reference of the entry in the ledger. */
  reference: string;
  /** Id of the transfer, refund or swap; of a conversion, of the checkout. */
  subjectId: string;
  /** Checkout, if it is about one. */
  checkoutId: string | null;
  /** What the shop calls the checkout. */
  order: string | null;
  /** Asset id. */
  assetId: string;
  /** Asset code. */
  assetCode: string;
  /** What left, without its fee. A decimal in plain notation. */
  amount: Decimal;
  /** Its worth in the account currency at the rate of its hour; null without a rate. A decimal in plain notation. */
  value: Decimal | null;
  /** What was given for it, before the fee; null where it was sent. */
  received: {
    /** Asset id. */
    assetId: string;
    /** Asset code. */
    assetCode: string;
    /** So much of it. A decimal in plain notation. */
    amount: Decimal;
  } | null;
  /** The fee; null for an attempt, which is its own. */
  fee: {
    /** Asset id. */
    assetId: string;
    /** Asset code. */
    assetCode: string;
    /** So much of it. A decimal in plain notation. */
    amount: Decimal;
  } | null;
  /** Its worth in the account currency at the rate of its hour; null without a rate. A decimal in plain notation. */
  feeValue: Decimal | null;
  /** Network on which it was sent or paid. */
  network: string | null;
  /** Where it was sent. */
  address: string | null;
  /** Memo, if it was sent with one. */
  memo: string | null;
  /** Label of the target account, if it was sent to one. */
  target: string | null;
  /** Whose target account that is. */
  beneficiary: {
    /** Its id. */
    id: string;
    /** Its name. */
    name: string;
  } | null;
  /** Its transaction, or those of the payments. */
  transactions: string[];
};

/** The taxes of a period. */
export type TaxReport = {
  /** Which days the report is about. */
  report: ReportedDays;
  /** What all rows come to, by billing currency. A net amount with several taxes is counted once. */
  totals: {
    /** Currency of the charges. */
    billingCurrency: string;
    /** What was credited, less what was refunded: net and tax. A decimal in plain notation. */
    gross: Decimal;
    /** Without taxes. A decimal in plain notation. */
    net: Decimal;
    /** All taxes. A decimal in plain notation. */
    tax: Decimal;
    /** Gross in the account currency; null without a rate. A decimal in plain notation. */
    grossValue: Decimal | null;
    /** Net in the account currency; null without a rate. A decimal in plain notation. */
    netValue: Decimal | null;
    /** Tax in the account currency; null without a rate. A decimal in plain notation. */
    taxValue: Decimal | null;
  }[];
  /** By country, tax and rate. With a minus, more was refunded than credited. */
  rows: {
    /** Country of the customer when the checkout was made, as two letters; null: not known. */
    country: string | null;
    /** Name of the tax in the charge; null: without a tax. */
    taxName: string | null;
    /** Its rate in decimal notation, as in the charge: 0.19 means 19 %. A decimal in plain notation. */
    rate: Decimal | null;
    /** Currency of the charges. */
    billingCurrency: string;
    /** The net amount that it is a tax on. A decimal in plain notation. */
    base: Decimal;
    /** The tax. A decimal in plain notation. */
    tax: Decimal;
    /** The net amount in the account currency; null without a rate. A decimal in plain notation. */
    baseValue: Decimal | null;
    /** The tax in the account currency; null without a rate. A decimal in plain notation. */
    taxValue: Decimal | null;
    /** How many entries of the ledger that is. */
    entries: number;
  }[];
};

/** The fees of a period. */
export type FeeReport = {
  /** Which days the report is about. */
  report: ReportedDays;
  /** By asset: what the line of fees in the statement says, without its minus. */
  totals: {
    /** Asset id. */
    assetId: string;
    /** Asset code. */
    assetCode: string;
    /** All fees of the period. A decimal in plain notation. */
    amount: Decimal;
    /** Its worth in the account currency; null without a rate. A decimal in plain notation. */
    value: Decimal | null;
  }[];
  /** By month, kind and asset. */
  rows: {
    /** Month, such as 2026-10. */
    month: string;
    /**
     * What it was taken for. network: what a transfer paid for the network, also for an attempt that failed. What
     * networks took for refunds is part of what was refunded.
     */
    kind: 'settlement' | 'deposit' | 'swap' | 'transfer' | 'network';
    /** Asset id. */
    assetId: string;
    /** Asset code. */
    assetCode: string;
    /** What was taken; with a minus, more was given back. A decimal in plain notation. */
    amount: Decimal;
    /** How many entries of the ledger that is. */
    entries: number;
    /**
     * Its worth, each at the rate of its hour, in the account currency; null without a rate. A decimal in plain
     * notation.
     */
    value: Decimal | null;
  }[];
};

/** What is to be in a file. */
export type NewExport = {
  /**
   * checkoutLedger: the rows of `GET /reports/checkouts`. disposals: those of `GET /reports/disposals`. checkouts and
   * customers: all there are. entries: those of one asset. transfers: those that are over.
   */
  list: 'checkoutLedger' | 'checkouts' | 'customers' | 'disposals' | 'entries' | 'transfers';
  /** json: of checkoutLedger and disposals only. */
  format?: 'csv' | 'json' | undefined;
  /**
   * Of checkoutLedger and disposals: as in `GET /reports/checkouts`. Of entries: only what was booked on its closed
   * days.
   */
  period?: string | undefined;
  /** Of entries: the id or code of an asset. */
  asset?: string | undefined;
};

/** A file that is made, or was. */
export type Export = {
  /** Id of the export. */
  id: string;
  /** What is in it. */
  list: 'checkoutLedger' | 'checkouts' | 'customers' | 'disposals' | 'entries' | 'transfers';
  /** As what. */
  format: 'csv' | 'json';
  /**
   * READY: the file can be fetched. DELETED: it was there, and was deleted. CANCELED: it was deleted before it was
   * ready, or the key lost the right to it meanwhile. FAILED: it could not be made.
   */
  state: 'WAITING' | 'MAKING' | 'READY' | 'DELETED' | 'CANCELED' | 'FAILED';
  /** How many rows are written. */
  rowsDone: number;
  /** About how many there will be; null: not counted yet. */
  rowsExpected: number | null;
  /** How long the file is by now. */
  bytes: number;
  /** What it is called when it is fetched. */
  fileName: string;
  /** When it was asked for. What came later is not in it. */
  createdAt: Timestamp;
  /** When it was ready, or ended otherwise. */
  endedAt: Timestamp | null;
  /** Until when the file can be fetched. */
  keptUntil: Timestamp | null;
};

/** An event on its way to a webhook. */
export type WebhookDelivery = {
  /** Id of the delivery. */
  id: string;
  /** Id of the event, sent as webhook-id. A redelivery carries the same one. */
  eventId: string;
  /** For example CHECKOUT_COMPLETED. */
  eventType: string;
  /** Where the event is sent. */
  url: string;
  /**
   * PENDING: will be tried again. DELIVERED: answered with a 2xx status. FAILED: given up after about four days or
   * because the receiver answered 410. SUPERSEDED: it failed three times, a newer event of the same subject was sent,
   * and an older one never follows a newer one. The newer one shows the record as it was then.
   */
  state: 'PENDING' | 'DELIVERED' | 'FAILED' | 'SUPERSEDED';
  /** Why it was given up or overtaken, in one sentence. */
  failure: string | null;
  /** Id of the newer event that overtook it. */
  supersededBy: string | null;
  /** When the delivery was created. */
  timestamp: Timestamp;
  /** When it is tried next; null when it is not. */
  nextAttemptTime: Timestamp | null;
  /** When it was delivered. */
  deliveredTime: Timestamp | null;
  /** The body exactly as it is sent and signed. */
  requestBody: string;
  /** Oldest first. */
  attempts: WebhookAttempt[];
};

/** One attempt to deliver an event. */
export type WebhookAttempt = {
  /** Counted from 1. */
  number: number;
  /** When it was sent. */
  timestamp: Timestamp;
  /** How long the answer took, in milliseconds. */
  durationMs: number;
  /** What was sent. Of X-Webhook-Auth only the first characters are kept. */
  requestHeaders: Record<string, string>;
  /** HTTP status of the answer; null when there was none. */
  responseStatus: number | null;
  /** The headers of the answer that help to find a fault. */
  responseHeaders: Record<string, string> | null;
  /** The beginning of the answer. */
  responseExcerpt: string | null;
  /** Why there was no usable answer, in one sentence. */
  error: string | null;
};

export type WebhookDeliveryFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
  /** Only of this checkout, deposit, swap or transfer: its newest 100, whatever else is asked for. */
  checkoutId?: string | undefined;
  /** Only deliveries in one of these states, with commas between them: PENDING, DELIVERED, FAILED, SUPERSEDED. */
  state?: string | undefined;
  /** Only deliveries created at or after this moment. */
  from?: Timestamp | undefined;
  /** Only deliveries created before this moment. */
  to?: Timestamp | undefined;
};

/** The settings of the account. */
export type Settings = {
  /** Name of the account. */
  name: string;
  /** E-mail address of the business. */
  email: string | null;
  /** Postal address of the business, in lines. */
  postalAddress: string | null;
  /** Currency in which limits and tolerances are counted. */
  accountCurrency: string;
  /** In which days are counted and papers are dated, such as Europe/Berlin. */
  timeZone: string;
  /** How the API can be called. */
  api: {
    /** From where the API can be called. */
    addresses: 'any' | 'list';
    /** The list, as CIDR ranges. */
    allowedAddresses: string[];
    /** Whether people reach the account only from the list, too. */
    isListForPeople: boolean;
    /** Whether X-Basic works beside the digest. */
    isBasicAllowed: boolean;
    /** How clients of this account should sign. */
    preferredMethod: 'digest' | 'basic';
  };
  /** What is credited, and when. */
  settlement: {
    /** Credited where a charge does not say: an asset id or its code, or ORIGIN. */
    asset: string;
    /** The account is credited in nothing riskier. */
    riskTolerance: 'LOW' | 'MEDIUM';
    /** Codes of the HIGH assets that are enabled by name. */
    highRiskAssets: string[];
    /** How many percent of a price may be missing. A decimal in plain notation. */
    tolerancePercent: Decimal;
    /** And at most this, in the account currency. A decimal in plain notation. */
    toleranceAmount: Decimal;
    /** How many percent of their value late payments may have lost. A decimal in plain notation. */
    lateTolerancePercent: Decimal;
    /** An underpayment of at least so many percent is accepted by itself; null: none. A decimal in plain notation. */
    acceptFromPercent: Decimal | null;
    /** Waited for beyond what the service does. */
    extraConfirmations: number;
  };
  /** What holds money back. */
  limits: {
    /**
     * What leaves in 24 hours beyond this needs a second approval. In the account currency; null: no limit. A decimal
     * in plain notation.
     */
    approvalAbove: Decimal | null;
    /**
     * Likewise of refunds alone; where it is null they count with transfers. In the account currency; null: no limit. A
     * decimal in plain notation.
     */
    refundApprovalAbove: Decimal | null;
    /** No more than this leaves in 24 hours. In the account currency; null: no limit. A decimal in plain notation. */
    perDay: Decimal | null;
    /**
     * What each person of the role support decides in 24 hours. In the account currency; null: nothing. A decimal in
     * plain notation.
     */
    support: Decimal | null;
    /** How long a new destination must wait. */
    destinationWaitMinutes: number;
  };
};

/** How the service and its parts are. */
export type ServiceStatus = {
  /** degraded: at least one part is away. */
  status: 'ok' | 'degraded';
  /** The parts the service depends on, for example the database and each network. */
  parts: Record<string, 'ok' | 'away'>;
};

/** What each operation of the API takes and gives. */
export type Operations = {
  time: {
    input: undefined;
    reply: {
      time: number;
    };
  };
  authTest: {
    input: undefined;
    reply: {
      authenticated: boolean;
      method: 'digest' | 'basic';
    };
  };
  getSettings: {
    input: undefined;
    reply: {
      settings: Settings;
    };
  };
  health: {
    input: undefined;
    reply: {
      status: 'ok';
    };
  };
  status: { input: undefined; reply: ServiceStatus };
  networks: {
    input: undefined;
    reply: {
      networks: Network[];
    };
  };
  assets: {
    input: undefined;
    reply: {
      assets: Asset[];
    };
  };
  currencies: {
    input: undefined;
    reply: {
      currencies: Currency[];
    };
  };
  languages: {
    input: undefined;
    reply: {
      languages: Language[];
    };
  };
  createCheckout: { input: NewCheckout; reply: CreatedCheckout };
  createHostedCheckout: { input: NewCheckout; reply: HostedCheckout };
  commitCheckout: { input: CheckoutChoice; reply: CommittedCheckout };
  cancelCheckout: {
    input: {
      checkoutId: string;
    };
    reply: {
      checkout: Checkout;
    };
  };
  acceptUnderpayment: {
    input: {
      checkoutId: string;
    };
    reply: {
      checkout: Checkout;
    };
  };
  acceptExcess: {
    input: {
      checkoutId: string;
    };
    reply: {
      checkout: Checkout;
    };
  };
  createRefund: { input: NewRefund; reply: CreatedRefund };
  approveRefund: {
    input: {
      id: string;
    };
    reply: CreatedRefund;
  };
  cancelRefund: {
    input: {
      id: string;
    };
    reply: CreatedRefund;
  };
  getRefund: {
    input: {
      id: string;
    };
    reply: CreatedRefund;
  };
  listRefunds: {
    input: RefundFilter;
    reply: {
      refunds: Refund[];
      next: string | null;
    };
  };
  validateCharge: {
    input: {
      charge: Charge;
    };
    reply: ChargeTotal;
  };
  getCheckout: {
    input: {
      id: string;
    };
    reply: {
      checkout: Checkout;
    };
  };
  listCheckouts: {
    input: CheckoutFilter;
    reply: {
      checkouts: Checkout[];
      next: string | null;
    };
  };
  checkoutTimeline: {
    input: {
      id: string;
    };
    reply: {
      timeline: TimelineEntry[];
    };
  };
  createCustomer: {
    input: {
      customer: {
        id?: string | undefined;
        email?: string | undefined;
        firstname?: string | undefined;
        lastname?: string | undefined;
        company?: string | undefined;
        adr1?: string | undefined;
        adr2?: string | undefined;
        zip?: string | number | undefined;
        city?: string | undefined;
        countrycode?: string | undefined;
        phonenumber?: string | number | undefined;
        taxid?: string | number | undefined;
        meta?: Record<string, unknown> | undefined;
      };
    };
    reply: {
      customerId: string;
    };
  };
  changeCustomer: {
    input: {
      customer: CustomerChange;
    };
    reply: {
      customerId: string;
    };
  };
  deleteCustomer: {
    input: {
      id: string;
    };
    reply: {
      customerId: string;
    };
  };
  getCustomer: {
    input: {
      id: string;
    };
    reply: {
      customer: Customer;
    };
  };
  listCustomers: {
    input: CustomerFilter;
    reply: {
      customers: Customer[];
      next: string | null;
    };
  };
  createPaymentLink: {
    input: NewPaymentLink;
    reply: {
      paymentLink: PaymentLink;
    };
  };
  getPaymentLink: {
    input: {
      id: string;
    };
    reply: {
      paymentLink: PaymentLink;
    };
  };
  listPaymentLinks: {
    input: PaymentLinkFilter;
    reply: {
      paymentLinks: PaymentLink[];
      next: string | null;
    };
  };
  listPaymentLinkCheckouts: {
    input: PaymentLinkCheckoutFilter;
    reply: {
      checkouts: Checkout[];
      next: string | null;
    };
  };
  getPaymentLinkSecret: {
    input: {
      id: string;
    };
    reply: {
      id: string;
      secret: string;
    };
  };
  closePaymentLink: {
    input: {
      id: string;
    };
    reply: {
      paymentLink: PaymentLink;
    };
  };
  listWallets: { input: undefined; reply: Wallets };
  getWallet: {
    input: {
      assetCode: string;
    };
    reply: ValuedWallet;
  };
  listLedgerEntries: {
    input: LedgerEntryFilter;
    reply: {
      entries: LedgerEntry[];
      next: string | null;
    };
  };
  getStatement: {
    input: {
      period?: string | undefined;
    };
    reply: {
      statement: Statement;
    };
  };
  getCheckoutLedger: {
    input: {
      period?: string | undefined;
      limit?: number | undefined;
      cursor?: string | undefined;
    };
    reply: {
      report: ReportedDays;
      totals:
        | {
            line: 'credits' | 'deposits' | 'fees' | 'refunds' | 'swaps' | 'transfers' | 'reversals' | 'debts' | 'other';
            assetId: string;
            assetCode: string;
            amount: Decimal;
            entries: number;
            value: Decimal | null;
          }[]
        | null;
      rows: CheckoutLedgerRow[];
      next: string | null;
    };
  };
  createExport: {
    input: NewExport;
    reply: {
      export: Export;
    };
  };
  getExport: {
    input: {
      id: string;
    };
    reply: {
      export: Export;
    };
  };
  deleteExport: {
    input: {
      id: string;
    };
    reply: {
      export: Export;
    };
  };
  getExportFile: {
    input: {
      id: string;
    };
    reply: string;
  };
  listDisposals: {
    input: {
      period?: string | undefined;
      limit?: number | undefined;
      cursor?: string | undefined;
    };
    reply: {
      report: ReportedDays;
      totals:
        | {
            kind: 'transfer' | 'refund' | 'return' | 'swap' | 'conversion' | 'attempt';
            assetId: string;
            assetCode: string;
            amount: Decimal;
            entries: number;
            value: Decimal | null;
          }[]
        | null;
      rows: Disposal[];
      next: string | null;
    };
  };
  getTaxReport: {
    input: {
      period?: string | undefined;
    };
    reply: TaxReport;
  };
  getFeeReport: {
    input: {
      period?: string | undefined;
    };
    reply: FeeReport;
  };
  quoteSwap: { input: SwapQuestion; reply: QuotedSwap };
  createSwap: {
    input: NewSwap;
    reply: {
      id: string;
      swap: Swap;
    };
  };
  getSwap: {
    input: {
      id: string;
    };
    reply: {
      swap: Swap;
    };
  };
  listSwaps: {
    input: SwapFilter;
    reply: {
      swaps: Swap[];
      next: string | null;
    };
  };
  createDeposit: { input: NewDeposit; reply: CreatedDeposit };
  getDeposit: {
    input: {
      id: string;
    };
    reply: {
      deposit: Deposit;
    };
  };
  closeDeposit: {
    input: {
      id: string;
    };
    reply: {
      deposit: Deposit;
    };
  };
  listDeposits: {
    input: DepositFilter;
    reply: {
      deposits: Deposit[];
      next: string | null;
    };
  };
  saveTargetAccount: {
    input: {
      id?: string | undefined;
      label?: string | undefined;
      network?: string | undefined;
      assets?: string[] | undefined;
      address?: string | undefined;
      memo?: string | number | undefined;
      memoType?: 'text' | 'id' | 'hash' | 'return' | undefined;
      beneficiaryId?: string | undefined;
    };
    reply: {
      targetAccountId: string;
      targetAccount: TargetAccount;
    };
  };
  getTargetAccount: {
    input: {
      id?: string | undefined;
      label?: string | undefined;
    };
    reply: {
      targetAccountId: string;
      targetAccount: TargetAccount;
    };
  };
  deleteTargetAccount: {
    input: {
      id?: string | undefined;
      label?: string | undefined;
    };
    reply: {
      targetAccountId: string;
    };
  };
  listTargetAccounts: {
    input: TargetAccountFilter;
    reply: {
      targetAccounts: TargetAccount[];
      next: string | null;
    };
  };
  createBeneficiary: {
    input: {
      beneficiary: {
        id?: string | undefined;
        type?: 'PERSON' | 'COMPANY' | undefined;
        firstname?: string | undefined;
        lastname?: string | undefined;
        company?: string | undefined;
        email?: string | undefined;
        phonenumber?: string | number | undefined;
        taxid?: string | number | undefined;
        streetName?: string | number | undefined;
        buildingNumber?: string | number | undefined;
        addressLine?: string | number | undefined;
        postCode?: string | number | undefined;
        townName?: string | number | undefined;
        countrySubDivision?: string | number | undefined;
        country?: string | undefined;
        meta?: Record<string, unknown> | undefined;
      };
    };
    reply: {
      beneficiaryId: string;
    };
  };
  changeBeneficiary: {
    input: {
      beneficiary: BeneficiaryChange;
    };
    reply: {
      beneficiaryId: string;
    };
  };
  deleteBeneficiary: {
    input: {
      id: string;
    };
    reply: {
      beneficiaryId: string;
    };
  };
  getBeneficiary: {
    input: {
      id: string;
    };
    reply: {
      beneficiary: Beneficiary;
    };
  };
  listBeneficiaries: {
    input: BeneficiaryFilter;
    reply: {
      beneficiaries: Beneficiary[];
      next: string | null;
    };
  };
  estimateTransfer: { input: TransferQuestion; reply: TransferEstimate };
  createTransfer: { input: NewTransfer; reply: CreatedTransfer };
  approveTransfer: {
    input: {
      id: string;
    };
    reply: CreatedTransfer;
  };
  cancelTransfer: {
    input: {
      id: string;
    };
    reply: CreatedTransfer;
  };
  getTransfer: {
    input: {
      id: string;
    };
    reply: CreatedTransfer;
  };
  listTransfers: {
    input: TransferFilter;
    reply: {
      transfers: Transfer[];
      next: string | null;
    };
  };
  listWebhookDeliveries: {
    input: WebhookDeliveryFilter;
    reply: {
      deliveries: WebhookDelivery[];
      next: string | null;
    };
  };
  redeliverWebhook: {
    input: {
      deliveryId: string;
    };
    reply: {
      deliveryId: string;
    };
  };
};

export const operations = {
  time: { method: 'GET', path: '/time' },
  authTest: { method: 'GET', path: '/auth-test' },
  getSettings: { method: 'GET', path: '/settings' },
  health: { method: 'GET', path: '/health' },
  status: { method: 'GET', path: '/status' },
  networks: { method: 'GET', path: '/networks' },
  assets: { method: 'GET', path: '/assets' },
  currencies: { method: 'GET', path: '/currencies' },
  languages: { method: 'GET', path: '/languages' },
  createCheckout: { method: 'POST', path: '/checkout' },
  createHostedCheckout: { method: 'POST', path: '/checkout/hosted' },
  commitCheckout: { method: 'POST', path: '/checkout/commit' },
  cancelCheckout: { method: 'POST', path: '/checkout/cancel' },
  acceptUnderpayment: { method: 'POST', path: '/checkout/accept-underpayment' },
  acceptExcess: { method: 'POST', path: '/checkout/accept-excess' },
  createRefund: { method: 'POST', path: '/refund' },
  approveRefund: { method: 'POST', path: '/refund/approve' },
  cancelRefund: { method: 'POST', path: '/refund/cancel' },
  getRefund: { method: 'GET', path: '/refund' },
  listRefunds: { method: 'GET', path: '/refunds' },
  validateCharge: { method: 'POST', path: '/checkout/validate-checkout-charge' },
  getCheckout: { method: 'GET', path: '/checkout' },
  listCheckouts: { method: 'GET', path: '/checkouts' },
  checkoutTimeline: { method: 'GET', path: '/checkout/timeline' },
  createCustomer: { method: 'POST', path: '/customer' },
  changeCustomer: { method: 'PUT', path: '/customer' },
  deleteCustomer: { method: 'DELETE', path: '/customer' },
  getCustomer: { method: 'GET', path: '/customer' },
  listCustomers: { method: 'GET', path: '/customers' },
  createPaymentLink: { method: 'POST', path: '/payment-link' },
  getPaymentLink: { method: 'GET', path: '/payment-link' },
  listPaymentLinks: { method: 'GET', path: '/payment-links' },
  listPaymentLinkCheckouts: { method: 'GET', path: '/payment-link/checkouts' },
  getPaymentLinkSecret: { method: 'GET', path: '/payment-link/secret' },
  closePaymentLink: { method: 'POST', path: '/payment-link/close' },
  listWallets: { method: 'GET', path: '/wallets' },
  getWallet: { method: 'GET', path: '/wallet' },
  listLedgerEntries: { method: 'GET', path: '/ledger-entries' },
  getStatement: { method: 'GET', path: '/reports/statement' },
  getCheckoutLedger: { method: 'GET', path: '/reports/checkouts' },
  createExport: { method: 'POST', path: '/reports/exports' },
  getExport: { method: 'GET', path: '/reports/exports' },
  deleteExport: { method: 'DELETE', path: '/reports/exports' },
  getExportFile: { method: 'GET', path: '/reports/exports/file' },
  listDisposals: { method: 'GET', path: '/reports/disposals' },
  getTaxReport: { method: 'GET', path: '/reports/tax' },
  getFeeReport: { method: 'GET', path: '/reports/fees' },
  quoteSwap: { method: 'GET', path: '/swap/quote' },
  createSwap: { method: 'POST', path: '/swap' },
  getSwap: { method: 'GET', path: '/swap' },
  listSwaps: { method: 'GET', path: '/swaps' },
  createDeposit: { method: 'POST', path: '/deposit-address' },
  getDeposit: { method: 'GET', path: '/deposit' },
  closeDeposit: { method: 'POST', path: '/deposit/close' },
  listDeposits: { method: 'GET', path: '/deposits' },
  saveTargetAccount: { method: 'POST', path: '/target-account' },
  getTargetAccount: { method: 'GET', path: '/target-account' },
  deleteTargetAccount: { method: 'DELETE', path: '/target-account' },
  listTargetAccounts: { method: 'GET', path: '/target-accounts' },
  createBeneficiary: { method: 'POST', path: '/beneficiary' },
  changeBeneficiary: { method: 'PUT', path: '/beneficiary' },
  deleteBeneficiary: { method: 'DELETE', path: '/beneficiary' },
  getBeneficiary: { method: 'GET', path: '/beneficiary' },
  listBeneficiaries: { method: 'GET', path: '/beneficiaries' },
  estimateTransfer: { method: 'GET', path: '/transfer/estimate' },
  createTransfer: { method: 'POST', path: '/transfer' },
  approveTransfer: { method: 'POST', path: '/transfer/approve' },
  cancelTransfer: { method: 'POST', path: '/transfer/cancel' },
  getTransfer: { method: 'GET', path: '/transfer' },
  listTransfers: { method: 'GET', path: '/transfers' },
  listWebhookDeliveries: { method: 'GET', path: '/webhook-deliveries' },
  redeliverWebhook: { method: 'POST', path: '/webhook-deliveries/redeliver' },
} as const satisfies Record<keyof Operations, { method: string; path: string }>;
