/** Written from the contract by scripts/write-contract.ts: `npm run sdk:types`. */

/** An exact decimal in plain notation, such as "19.99". Never read it as a float. */
export type Decimal = string;

/** A decimal. A string is sent as it is; a number as JavaScript writes it. */
export type DecimalInput = string | number;

/** ISO 8601 with an offset, such as "2026-03-01T12:00:00+00:00". */
export type Timestamp = string;

/** What time it is here. */
export type ServerTime = {
  /** Unix time of the server in seconds, for signing. */
  time: number;
};

/** That the credentials work, and how. */
export type AuthTest = {
  /** Always true: a request that is not authenticated is answered 401. */
  authenticated: boolean;
  /** The method that worked. */
  method: AuthMethod;
};

/** How a request proves who sent it: by a signature of its own, or by a text that is always the same. */
export type AuthMethod = 'digest' | 'basic';

/** The settings. */
export type SettingsReply = {
  /** The settings of the account. */
  settings: Settings;
};

/** The settings of the account. */
export type Settings = {
  /** Name of the account. */
  name: string;
  /** E-mail address of the business. */
  email: string | null;
  /** Postal address of the business, in lines. */
  postalAddress: string | null;
  /** What electronic invoices say about the business. */
  seller: SellerSettings;
  /** Currency in which limits and tolerances are counted. */
  accountCurrency: string;
  /** In which days are counted and papers are dated, such as Europe/Berlin. */
  timeZone: string;
  /** How the API can be called. */
  api: ApiSettings;
  /** What is credited, and when. */
  settlement: SettlementSettings;
  /** What holds money back. */
  limits: LimitSettings;
  /** Of what the customer of a checkout is told by e-mail. */
  statusMails: StatusMailSettings;
};

/** What electronic invoices say about the business. */
export type SellerSettings = {
  /** Street and number. */
  street: string | null;
  /** Postal code. */
  postcode: string | null;
  /** City. */
  city: string | null;
  /** Country, two letters of ISO 3166-1. */
  country: string | null;
  /** VAT id, which begins with its country. */
  vatId: string | null;
  /** Number at the tax office or in a register. */
  taxNumber: string | null;
  /** What positions without tax are; null: it was not said. */
  untaxedAs: UntaxedKind | null;
  /** Why what is exempt is so. */
  exemptBecause: string | null;
};

/**
 * What has no tax, as EN 16931 calls it: zero rated (Z), exempt (E), reverse charge (AE), export (G), intra-community
 * supply (K), outside the scope of VAT (O).
 */
export type UntaxedKind = 'Z' | 'E' | 'AE' | 'G' | 'K' | 'O';

/** How the API can be called. */
export type ApiSettings = {
  /** From where the API can be called. */
  addresses: 'any' | 'list';
  /** The list, as CIDR ranges. */
  allowedAddresses: string[];
  /** Whether people reach the account only from the list, too. */
  isListForPeople: boolean;
  /** Whether X-Basic works beside the digest. */
  isBasicAllowed: boolean;
  /** How clients of this account should sign. */
  preferredMethod: AuthMethod;
};

/** What is credited, and when. */
export type SettlementSettings = {
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
  /**
   * Whether payments by bank are also offered where they are credited in another asset, at the rate when they are
   * booked.
   */
  rateOfBooking: boolean;
};

/** What holds money back. */
export type LimitSettings = {
  /**
   * What leaves in 24 hours beyond this needs a second approval. In the account currency; null: no limit. A decimal in
   * plain notation.
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

/** Of what the customer of a checkout is told by e-mail. */
export type StatusMailSettings = {
  /** A hosted checkout was made for them. */
  created: boolean;
  /** It is paid: the receipt, with a link to the invoice. */
  paid: boolean;
  /** A part has come, and there is time left to send the rest. */
  underpaid: boolean;
  /** The time to pay is over, and a part of the money is missing. */
  expired: boolean;
  /** Money was sent back. */
  refunded: boolean;
};

/** That the process can serve. */
export type Health = {
  /** The process can serve. */
  status: 'ok';
};

/** How the service and its parts are. */
export type ServiceStatus = {
  /** degraded: at least one part is away. */
  status: 'ok' | 'degraded';
  /** The parts the service depends on, for example the database and each network. */
  parts: Record<string, 'ok' | 'away'>;
};

/** The networks. */
export type NetworkList = {
  /** Every network the service knows. */
  networks: Network[];
};

/** A payment network. */
export type Network = {
  /** Network identifier, for example BITCOIN. */
  id: string;
  /** Network name for people. */
  name: string;
  /** What kind of rail the network is. */
  type: NetworkType;
  /** Icon path of the network, relative to the public web host. */
  imageSrc: string;
  /** Whether checkouts and deposits can be paid over the network. */
  deposits: boolean;
  /** Whether transfers can be sent over the network. Refunds may go back also where they cannot. */
  transfers: boolean;
  /** True if bridged via Stellar (SEP-6 or OTC), false if native to the platform. */
  bridged: boolean;
  /** Ids of the assets that can be received and redeemed over the network. The first is its default. */
  assets: string[];
};

/** What kind of rail the network is. */
export type NetworkType = 'BLOCKCHAIN' | 'BANK';

/** The assets. */
export type AssetList = {
  /** Every asset the account may hold. ORIGIN is not an asset. */
  assets: Asset[];
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
  riskLevel: RiskLevel;
  /** Whether the asset is bridged via Stellar (SEP-6 or OTC). */
  bridge: boolean;
  /** Ids of the networks on which payments in the asset are processed. */
  networks: string[];
};

/**
 * LOW: native to Stellar and widely redeemable. MEDIUM: bridged onto Stellar by a custodian. HIGH: available only after
 * it was enabled in the account settings.
 */
export type RiskLevel = 'LOW' | 'MEDIUM' | 'HIGH';

/** The currencies. */
export type CurrencyList = {
  /** Every currency the service knows. */
  currencies: Currency[];
};

/** A currency. */
export type Currency = {
  /** Currency code, for example EUR. */
  assetCode: string;
  /** Currency name for people. */
  name: string;
  /** What kind of money it is. */
  type: CurrencyType;
  /** Whether a charge can be written in the currency. */
  billing: boolean;
  /** Whether checkouts and deposits can be settled in the currency. */
  settlement: boolean;
  /** Whether checkouts and deposits can be paid in the currency. */
  payment: boolean;
};

/** What kind of money it is. */
export type CurrencyType = 'CRYPTO' | 'FIAT';

/** The languages. */
export type LanguageList = {
  /** Every language that a checkout can be created with. `auto` is not one. */
  languages: Language[];
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
  /**
   * Language of the hosted page, one of GET /languages. `auto` follows the browser, also to a language that is not
   * among these, such as Arabic, and falls back to en.
   */
  checkoutLanguage?: CheckoutLanguage | undefined;
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

/**
 * Language of the hosted page, one of GET /languages. `auto` follows the browser, also to a language that is not among
 * these, such as Arabic, and falls back to en.
 */
export type CheckoutLanguage = 'auto' | 'en' | 'de' | 'pt' | 'es' | 'it' | 'tr' | 'pl' | 'fr';

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
  /**
   * What the merchant receives. Valid for 60 minutes; once chosen, for the time to pay, which at a bank is some days.
   * Where the merchant takes the rate of the booking, it is an estimate.
   */
  settlement: SettlementQuote;
};

/**
 * What the merchant receives. Valid for 60 minutes; once chosen, for the time to pay, which at a bank is some days.
 * Where the merchant takes the rate of the booking, it is an estimate.
 */
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
export type CommitCheckoutRequest = {
  /** Id returned by POST /checkout or POST /checkout/hosted. */
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
  /**
   * What the merchant receives. Valid for 60 minutes; once chosen, for the time to pay, which at a bank is some days.
   * Where the merchant takes the rate of the booking, it is an estimate.
   */
  settlement: SettlementQuote;
  /**
   * Until when this way to pay is on time at this price: 60 minutes, at a bank some days. A later payment is still
   * credited.
   */
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
  /** Where to pay: at a bank the IBAN, over Pix the code that is pasted. */
  address: string;
  /** Who holds the account at a bank: must be shown, because the bank of the payer compares it. */
  holder: string | null;
  /** BIC of that bank. Transfers from abroad cannot be ordered without it. */
  bic: string | null;
  /** Must be shown and sent with the payment when it is not null. */
  memo: string | null;
  /** Kind of the memo, for example text. */
  memoType: string | null;
};

/** Which checkout is to be cancelled. */
export type CancelCheckoutRequest = {
  /** Id of the checkout. */
  checkoutId: string;
};

/** A checkout. */
export type CheckoutReply = {
  /** A checkout as it is shown in replies and webhooks. */
  checkout: Checkout;
};

/** A checkout as it is shown in replies and webhooks. */
export type Checkout = {
  /** Id of the checkout. */
  id: string;
  /** When the checkout was created. */
  timestamp: Timestamp;
  /** COMPLETED, DELAYED_COMPLETED and RESOLVED mean that the account was credited. No other state does. */
  state: CheckoutState;
  /**
   * What was odd. UNDERPAID with LATE: enough was sent after the window, but it was worth less than the price, less the
   * late tolerance, when it was first seen.
   */
  exceptions: CheckoutException[];
  /** API: the shop shows how to pay. HOSTED: the payment page does. */
  type: CheckoutType;
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
  /**
   * Until when the checkout waits: the latest end of all ways to pay that were chosen; null before POST
   * /checkout/commit.
   */
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

/** COMPLETED, DELAYED_COMPLETED and RESOLVED mean that the account was credited. No other state does. */
export type CheckoutState =
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
 * PARTIAL: less than the price was paid. OVERPAID: more. LATE: after the window. DUPLICATE: again, when it was paid
 * already. REORGED: the network took a payment back. NO_MARKET: it cannot be converted at the moment. WRONG_ASSET:
 * another asset was paid.
 */
export type CheckoutException = 'PARTIAL' | 'OVERPAID' | 'LATE' | 'DUPLICATE' | 'REORGED' | 'NO_MARKET' | 'WRONG_ASSET';

/** API: the shop shows how to pay. HOSTED: the payment page does. */
export type CheckoutType = 'API' | 'HOSTED';

/** A movement of money for a checkout. */
export type BlockchainTransaction = {
  /**
   * The customer's payment, the way of its coins to Stellar, or the credit to the account. A credit waits for the coins
   * to get there, so that its event has all three. If that takes longer than ten minutes it goes ahead, and
   * CHECKOUT_BRIDGE is not added to it afterwards; nor is it there where nothing is bridged.
   */
  type: BlockchainTransactionType;
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

/**
 * The customer's payment, the way of its coins to Stellar, or the credit to the account. A credit waits for the coins
 * to get there, so that its event has all three. If that takes longer than ten minutes it goes ahead, and
 * CHECKOUT_BRIDGE is not added to it afterwards; nor is it there where nothing is bridged.
 */
export type BlockchainTransactionType = 'CHECKOUT_ORIGIN' | 'CHECKOUT_BRIDGE' | 'CHECKOUT_SETTLEMENT';

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
  context: RefundContext;
  /**
   * AWAITING_APPROVAL: another API key must approve it. CLAIMABLE: waits for the address of the customer. SENDING: on
   * its way, or waiting because the payment that it gives back is no longer confirmed; until it is signed it can be
   * cancelled. COMPLETED: it has arrived; a bank may still give it back, in part or whole (`cameBack`). FAILED,
   * CANCELED and EXPIRED: nothing was sent, or all of it came back, and the money is where it came from, but for
   * `failureCost`.
   */
  state: RefundState;
  /** When it was asked for. */
  timestamp: Timestamp;
  /** When it was completed or given up; of one that came back whole, when it did. */
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
  feePaidBy: FeePayer;
  /** What the customer gets. A decimal in plain notation. */
  amountSent: Decimal;
  /** How the amount was found. */
  basis: RefundBasis;
  /** The rates that were used. */
  rates: RefundRate[];
  /** Where it is sent; null until the customer has said so. Over Pix, the payment that goes back. */
  address: string | null;
  /** Memo of the address. */
  memo: string | null;
  /** Kind of the memo. */
  memoType: string | null;
  /** Name of whoever holds the account; null on networks that ask for none. */
  holder: string | null;
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
  /**
   * What came back after it had arrived: the customer does not have it, and it can be refunded again. Absent while
   * nothing has. A decimal in plain notation.
   */
  cameBack?: Decimal;
  /** What was posted as meta. */
  meta?: unknown;
};

/**
 * What is refunded: an underpayment, what arrived beyond the price (an excess, a duplicate, another asset), or what was
 * credited.
 */
export type RefundContext = 'COMPLETED_CHECKOUT' | 'UNDERPAID_CHECKOUT' | 'OVERPAID_CHECKOUT';

/**
 * AWAITING_APPROVAL: another API key must approve it. CLAIMABLE: waits for the address of the customer. SENDING: on its
 * way, or waiting because the payment that it gives back is no longer confirmed; until it is signed it can be
 * cancelled. COMPLETED: it has arrived; a bank may still give it back, in part or whole (`cameBack`). FAILED, CANCELED
 * and EXPIRED: nothing was sent, or all of it came back, and the money is where it came from, but for `failureCost`.
 */
export type RefundState =
  | 'AWAITING_APPROVAL'
  | 'CLAIMABLE'
  | 'SENDING'
  | 'COMPLETED'
  | 'FAILED'
  | 'CANCELED'
  | 'EXPIRED';

/** Who bears the network's fee. */
export type FeePayer = 'customer' | 'merchant';

/**
 * How much a refund of what was credited is: the units that were paid, the billed amount at the rates of the checkout,
 * or at the rates of now.
 */
export type RefundBasis = 'PAID_UNITS' | 'BILLING_RATE' | 'CURRENT_RATE';

/** A rate that a refund was priced with. */
export type RefundRate = {
  /** Code of the currency. */
  code: string;
  /** Dollars for one. A decimal in plain notation. */
  usd: Decimal;
  /** When the rate was read. */
  at: Timestamp;
};

/** Which checkout is paid enough. */
export type AcceptUnderpaymentRequest = {
  /** Id of the underpaid checkout. */
  checkoutId: string;
};

/** Of which checkout everything is to be kept. */
export type AcceptExcessRequest = {
  /** Id of the checkout. */
  checkoutId: string;
};

/** A new refund. */
export type NewRefund = {
  /** Id of the checkout. */
  checkoutId: string;
  /**
   * What is refunded. Without it, what waits in suspense; when nothing does, what was credited. A checkout with the
   * exception NO_MARKET can be refunded like an underpayment once its window is over.
   */
  context?: RefundContext | undefined;
  /** How much, in units of the refunded asset. Without it, everything that can be refunded. */
  amount?: DecimalInput | undefined;
  /**
   * Id of the asset. Of what waits in suspense, the asset that was paid. Of what was credited, the credited asset (the
   * default, unless it travels on no network) or the one that was paid; it is taken from what is available in it.
   */
  asset?: string | undefined;
  /** Network to send on. Without it, the one it was paid on, if the asset travels there. */
  network?: string | undefined;
  /**
   * Where to send it. Without it, the reply has a link where the customer enters the address. Must be left out at
   * banks, where money goes back only to the account that it came from.
   */
  address?: string | undefined;
  /** Memo of the address, where it needs one. */
  memo?: string | number | undefined;
  /** Kind of a memo. */
  memoType?: MemoType | undefined;
  /**
   * How much a refund of what was credited is. Without it, PAID_UNITS in the asset that was paid, and BILLING_RATE in
   * another asset.
   */
  basis?: RefundBasis | undefined;
  /**
   * Who bears the network's fee. Of what waits in suspense the customer, unless said otherwise; of what was credited
   * the merchant, if enough is available.
   */
  feePaidBy?: FeePayer | undefined;
  /** Anything; shown with the refund. At most 16 KiB of JSON. */
  meta?: Record<string, unknown> | undefined;
};

/** Kind of a memo. */
export type MemoType = 'text' | 'id' | 'hash' | 'return';

/** A refund, and what to do next. */
export type RefundReply = {
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

/** Absent when the account has no such limit. */
export type ApprovalLimit = {
  /** What may leave within 24 hours without the approval of another API key. A decimal in plain notation. */
  limit: Decimal;
  /** What is left of it now; null without a rate, and then everything is approved. A decimal in plain notation. */
  remaining: Decimal | null;
  /** The account currency, in which both are. */
  currency: string;
};

/** Which refund is approved. */
export type ApproveRefundRequest = {
  /** Id of the refund. */
  id: string;
};

/** Which refund is to be cancelled. */
export type CancelRefundRequest = {
  /** Id of the refund. */
  id: string;
};

/** A page of refunds. */
export type RefundList = {
  /** Newest first; of one checkout oldest first. */
  refunds: Refund[];
  /** Cursor of the next page; null on the last one. */
  next: string | null;
};

/** A charge that is to be added up. */
export type ValidateChargeRequest = {
  /**
   * The charge. net = lineItems − discountItems + shippingCostItems; taxable = net without the shipping items that are
   * not taxable; total = net + taxable × sum of the tax rates.
   */
  charge: Charge;
};

/** What a charge comes to. */
export type ChargeTotal = {
  /** The total of the charge, exact. A decimal in plain notation. */
  total: Decimal;
  /** Decimals of the billing currency. */
  decimals: number;
};

/** A page of checkouts. */
export type CheckoutList = {
  /** Newest first. */
  checkouts: Checkout[];
  /** Cursor of the next page; null on the last one. */
  next: string | null;
};

/** The history of a checkout. */
export type Timeline = {
  /** What happened to the checkout, oldest first: the newest 500 notes. */
  timeline: TimelineEntry[];
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

/** A new customer. */
export type CreateCustomerRequest = {
  /** The customer. With an `id` it is changed; without one, `email` is needed. */
  customer: NewCustomer;
};

/** Which customer it was. */
export type CustomerIdReply = {
  /** Id of the customer. */
  customerId: string;
};

/** A change of a customer. */
export type ChangeCustomerRequest = {
  /** Which customer, and what is to be different. */
  customer: CustomerChange;
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

/** Which customer is to be deleted. */
export type DeleteCustomerRequest = {
  /** Id of the customer. */
  id: string;
};

/** A customer. */
export type CustomerReply = {
  /** Somebody the merchant sells to. */
  customer: Customer;
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

/** A page of customers. */
export type CustomerList = {
  /** Newest first. */
  customers: Customer[];
  /** Cursor of the next page; null on the last one. */
  next: string | null;
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
  /**
   * After so many payments nobody can choose a way to pay any more. A payment counts from that choice on, until its
   * window ends without money. Left out: there is no limit.
   */
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
export type PaymentLinkReply = {
  /** A payment link. */
  paymentLink: PaymentLink;
};

/** A payment link. */
export type PaymentLink = {
  /** Id of the payment link. */
  id: string;
  /** When the link was created. */
  timestamp: Timestamp;
  /** ACTIVE: it can be paid. CLOSED: nobody can begin to pay it any more. */
  state: PaymentLinkState;
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
  /** After so many payments it takes no more, as in POST. */
  paymentsMax: number | null;
  /** What was asked for. Null: what the account has set. */
  settlementAsset: string | null;
  /** Where events of its checkouts go. */
  webhook: string | null;
  /**
   * How often somebody went on to pay it, also where no way to pay was chosen within a day and the checkout is gone.
   */
  checkoutsMade: number;
  /** How many of them were credited. */
  checkoutsPaid: number;
  /** The prices of those that were credited, added up, in the currency of the link. A decimal in plain notation. */
  amountPaid: Decimal;
  /** What was posted as meta. Absent when nothing was posted. */
  meta?: unknown;
};

/** ACTIVE: it can be paid. CLOSED: nobody can begin to pay it any more. */
export type PaymentLinkState = 'ACTIVE' | 'CLOSED';

/** A page of payment links. */
export type PaymentLinkList = {
  /** Newest first. */
  paymentLinks: PaymentLink[];
  /** Cursor of the next page; null on the last one. */
  next: string | null;
};

/** A page of the checkouts of a link. */
export type PaymentLinkCheckouts = {
  /** Newest first. */
  checkouts: Checkout[];
  /** Cursor of the next page; null on the last one. */
  next: string | null;
};

/** What amounts of a link are signed with. */
export type PaymentLinkSecret = {
  /** Id of the payment link. */
  id: string;
  /** Signs amounts for this link only. */
  secret: string;
};

/** Which link is to be closed. */
export type ClosePaymentLinkRequest = {
  /** Id of the payment link. */
  id: string;
};

/**
 * RECEIPT: of what was paid. INVOICE: the same to a customer whom the shop named. CREDIT_NOTE: takes back an invoice,
 * or a receipt without one, in whole or in part.
 */
export type PaperKind = 'RECEIPT' | 'INVOICE' | 'CREDIT_NOTE';

/** A page of papers. */
export type PaperList = {
  /** Newest first. */
  papers: Paper[];
  /** Cursor of the next page; null on the last one. */
  next: string | null;
};

/** A receipt, an invoice or a credit note. */
export type Paper = {
  /** Id of the paper. */
  id: string;
  /** As it is printed, such as INV-2026-00001. */
  number: string;
  /**
   * RECEIPT: of what was paid. INVOICE: the same to a customer whom the shop named. CREDIT_NOTE: takes back an invoice,
   * or a receipt without one, in whole or in part.
   */
  kind: PaperKind;
  /** When it was issued. */
  timestamp: Timestamp;
  /** Id of the checkout that it is about. */
  checkoutId: string;
  /** Id of the customer. Null: the shop named none. */
  customerId: string | null;
  /** The shop's own number of the order. */
  orderReference: string | null;
  /** Code of the currency of all amounts. */
  currency: string;
  /** The sum of the lines. A decimal in plain notation. */
  net: Decimal;
  /** Each tax, with what it is on. */
  taxes: PaperTax[];
  /** What is left of the total after net and taxes, of either sign. A decimal in plain notation. */
  rounding: Decimal;
  /** Gross: what was paid; of a credit note what it takes back, always positive. A decimal in plain notation. */
  total: Decimal;
  /** What credit notes have taken back of it. A decimal in plain notation. */
  credited: Decimal;
  /** Null: of a credit note. */
  mark: PaperMark | null;
  /** What a credit note corrects. */
  corrects: CorrectedPaper | null;
};

/** A tax on a paper. */
export type PaperTax = {
  /** What the tax is called. */
  name: string;
  /** Its rate: 19, not 0.19. A decimal in plain notation. */
  percent: Decimal;
  /** What is taxed. A decimal in plain notation. */
  base: Decimal;
  /** The tax. A decimal in plain notation. */
  amount: Decimal;
};

/**
 * What it is stamped with. REFUNDED: credit notes have taken back all of it, and the money went back. CANCELLED: they
 * have taken back all of it, but not all of the money went back.
 */
export type PaperMark = 'PAID' | 'REFUNDED' | 'CANCELLED';

/** What a credit note corrects. */
export type CorrectedPaper = {
  /** Id of the corrected paper. */
  id: string;
  /** Its number. */
  number: string;
  /** What somebody wrote about it. */
  reason: string | null;
};

/** A paper with all that it says. */
export type PaperReply = {
  /** All that a paper says. */
  paper: PaperDetails;
};

/** All that a paper says. */
export type PaperDetails = {
  /** Id of the paper. */
  id: string;
  /** As it is printed, such as INV-2026-00001. */
  number: string;
  /**
   * RECEIPT: of what was paid. INVOICE: the same to a customer whom the shop named. CREDIT_NOTE: takes back an invoice,
   * or a receipt without one, in whole or in part.
   */
  kind: PaperKind;
  /** When it was issued. */
  timestamp: Timestamp;
  /** Id of the checkout that it is about. */
  checkoutId: string;
  /** Id of the customer. Null: the shop named none. */
  customerId: string | null;
  /** The shop's own number of the order. */
  orderReference: string | null;
  /** Code of the currency of all amounts. */
  currency: string;
  /** The sum of the lines. A decimal in plain notation. */
  net: Decimal;
  /** Each tax, with what it is on. */
  taxes: PaperTax[];
  /** What is left of the total after net and taxes, of either sign. A decimal in plain notation. */
  rounding: Decimal;
  /** Gross: what was paid; of a credit note what it takes back, always positive. A decimal in plain notation. */
  total: Decimal;
  /** What credit notes have taken back of it. A decimal in plain notation. */
  credited: Decimal;
  /** Null: of a credit note. */
  mark: PaperMark | null;
  /** What a credit note corrects. */
  corrects: CorrectedPaper | null;
  /** What was bought. */
  lines: PaperLine[];
  /** Who sold it: the name of the business, not that which its shop has on its pages. */
  sellerName: string;
  /** To whom it is; null on a receipt. */
  buyerEmail: string | null;
  /** What corrects it, oldest first. */
  creditNotes: string[];
  /** Its page. That of an invoice names the buyer, so it is for the buyer and for you. */
  url: string;
  /** The same as a PDF. */
  pdfUrl: string;
};

/** A line of a paper. */
export type PaperLine = {
  /** What it is for. Null: a word of the language in which it is read. */
  label: string | null;
  /** accepted: what the shop let go of the price. part: what a credit note takes back of many lines together. */
  kind: PaperLineKind;
  /** How many. A decimal in plain notation. */
  quantity: Decimal;
  /** Net, for all of them; of what is taken off, negative. A decimal in plain notation. */
  amount: Decimal;
};

/** accepted: what the shop let go of the price. part: what a credit note takes back of many lines together. */
export type PaperLineKind = 'item' | 'discount' | 'shipping' | 'accepted' | 'part';

/** A new credit note. It moves no money. */
export type NewCreditNote = {
  /** Id of the invoice, or of the receipt where there is no invoice. */
  paperId: string;
  /** Gross, in the currency of the paper. Left out: all that is left of it. */
  amount?: DecimalInput | undefined;
  /** Why, in words that the buyer reads. */
  reason?: string | undefined;
};

/** The credit note. */
export type CreditNoteReply = {
  /** A receipt, an invoice or a credit note. */
  paper: Paper;
};

/** Which paper is to be sent. */
export type SendPaperRequest = {
  /** Id of the paper. */
  id: string;
};

/** What is on its way. */
export type SentPaper = {
  /** Id of the paper. */
  id: string;
  /** Its number. */
  number: string;
};

/** What the account holds. */
export type WalletList = {
  /** The currency of the values. */
  accountCurrency: string;
  /** All values together; null when a balance that is not zero has no rate. A decimal in plain notation. */
  totalValue: Decimal | null;
  /** Every asset that the account can hold, also with zero. */
  wallets: Wallet[];
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
  waiting?: WaitingAmount;
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
  depositAddresses: DepositAddress[];
};

/**
 * Credits for payments that are not deep enough for the sum they belong to, or beyond what the service lets all
 * accounts together take out of payments that are not final. Absent when nothing waits.
 */
export type WaitingAmount = {
  /** How much of what is available must not leave yet, by transfer, swap or refund. A decimal in plain notation. */
  amount: Decimal;
  /** How many more confirmations it takes, as things are; null after a reorganisation, and where days decide. */
  confirmations: number | null;
  /** About when that will be. */
  until: Timestamp | null;
};

/** A reusable deposit address. */
export type DepositAddress = {
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

/** What the account holds of one asset. */
export type WalletReply = {
  /** The currency of the value. */
  accountCurrency: string;
  /** What the account holds of an asset. */
  wallet: Wallet;
};

/** A page of entries of the ledger. */
export type LedgerEntryList = {
  /** Newest first. */
  entries: LedgerEntry[];
  /** Cursor of the next page; null on the last one. */
  next: string | null;
};

/** Something that happened to the money of the account. Entries never change. */
export type LedgerEntry = {
  /** Unique: what happens once is posted once. */
  reference: string;
  /** What happened, for example settlement, refund_sent, transfer_reserved. */
  kind: string;
  /** What an entry is about. */
  subject: LedgerSubject;
  /** When it was posted. */
  timestamp: Timestamp;
  /** The account's own side of the entry. */
  lines: LedgerLine[];
};

/** What an entry is about. */
export type LedgerSubject = {
  /** For example checkout, refund, transfer, swap, deposit. */
  kind: string;
  /** Its id. */
  id: string;
};

/** What an entry does to one balance. */
export type LedgerLine = {
  /** Which of the balances of the wallet. */
  account: BalanceName;
  /** Asset id. */
  assetId: string;
  /** Asset code. */
  assetCode: string;
  /** What came into the balance; with a minus, what left it. */
  amount: string;
};

/** Which of the balances of the wallet. */
export type BalanceName = 'available' | 'pending' | 'reserved' | 'suspense' | 'receivable';

/** A statement. */
export type StatementReply = {
  /** What an account had, what moved and what it has, for closed days. It does not change any more. */
  statement: Statement;
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
  assets: StatementAsset[];
  /** All assets with a value, in the account currency. */
  total: StatementTotal;
};

/** What was there of an asset, and what moved. */
export type StatementAsset = {
  /** Asset id. */
  assetId: string;
  /** Asset code. */
  assetCode: string;
  /** What was available before. A decimal in plain notation. */
  opening: Decimal;
  /** What moved, in the order of the statement. */
  lines: StatementMovement[];
  /** What was available after. A decimal in plain notation. */
  closing: Decimal;
  /** Whether opening and lines come to closing. */
  addsUp: boolean;
  /** Confirmed, but not credited. */
  pending: BeforeAndAfter;
  /** Waiting for a decision. */
  suspense: BeforeAndAfter;
  /** On its way out. */
  reserved: BeforeAndAfter;
  /** Owed to the service, with a minus. */
  receivable: BeforeAndAfter;
  /** What it was worth; null where no rate was ever known. */
  value: StatementWorth | null;
};

/** What a line of the statement comes to in one asset. */
export type StatementMovement = {
  /**
   * Which line: credits and deposits before fees; fees of the service; what was set aside for refunds, swaps and
   * transfers, less what came back; what vanished from a chain; what was owed (plus) and repaid (minus).
   */
  line: StatementLine;
  /** What it brought; with a minus, what it took. A decimal in plain notation. */
  amount: Decimal;
  /** How many entries of the ledger that is. */
  entries: number;
  /** Its worth, each movement at the rate of its hour; null without a rate. A decimal in plain notation. */
  value: Decimal | null;
};

/**
 * Which line: credits and deposits before fees; fees of the service; what was set aside for refunds, swaps and
 * transfers, less what came back; what vanished from a chain; what was owed (plus) and repaid (minus).
 */
export type StatementLine =
  | 'credits'
  | 'deposits'
  | 'fees'
  | 'refunds'
  | 'swaps'
  | 'transfers'
  | 'reversals'
  | 'debts'
  | 'other';

/** A balance before and after a period. */
export type BeforeAndAfter = {
  /** Before. A decimal in plain notation. */
  opening: Decimal;
  /** After. A decimal in plain notation. */
  closing: Decimal;
};

/** What it was worth; null where no rate was ever known. */
export type StatementWorth = {
  /** At the rate before. A decimal in plain notation. */
  opening: Decimal;
  /** What changed because rates did, with what rounding left over. A decimal in plain notation. */
  revaluation: Decimal;
  /** At the rate after. A decimal in plain notation. */
  closing: Decimal;
};

/** All assets with a value, in the account currency. */
export type StatementTotal = {
  /** Before. A decimal in plain notation. */
  opening: Decimal;
  /** What moved. */
  lines: StatementTotalMovement[];
  /** What changed because rates did. A decimal in plain notation. */
  revaluation: Decimal;
  /** After. A decimal in plain notation. */
  closing: Decimal;
};

/** What a line of the statement is worth in all assets. */
export type StatementTotalMovement = {
  /**
   * Which line: credits and deposits before fees; fees of the service; what was set aside for refunds, swaps and
   * transfers, less what came back; what vanished from a chain; what was owed (plus) and repaid (minus).
   */
  line: StatementLine;
  /** Worth. A decimal in plain notation. */
  value: Decimal;
};

/** A page of credits and refunds. */
export type CheckoutLedger = {
  /** Which days the report is about. */
  report: CoveredDays;
  /** Of the whole period; only on the first page. */
  totals: CheckoutLedgerTotal[] | null;
  /** In the order of time. */
  rows: CheckoutLedgerRow[];
  /** Cursor of the next page; null on the last one. */
  next: string | null;
};

/** Which days the report is about. */
export type CoveredDays = {
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

/** What a line of the statement comes to in one asset. */
export type CheckoutLedgerTotal = {
  /**
   * Which line: credits and deposits before fees; fees of the service; what was set aside for refunds, swaps and
   * transfers, less what came back; what vanished from a chain; what was owed (plus) and repaid (minus).
   */
  line: StatementLine;
  /** Asset id. */
  assetId: string;
  /** Asset code. */
  assetCode: string;
  /** What all rows come to. A decimal in plain notation. */
  amount: Decimal;
  /** How many entries of the ledger that is. */
  entries: number;
  /** Worth, valued and rounded as in the statement; null without a rate. A decimal in plain notation. */
  value: Decimal | null;
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
  line: StatementLine;
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
  paid: CheckoutLedgerPayment | null;
  /** The rate by which it was priced. */
  rate: CheckoutLedgerRate | null;
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

/** What was paid for it; null for refunds and what was kept of an excess. */
export type CheckoutLedgerPayment = {
  /** Network id. */
  network: string;
  /** Asset id. */
  assetId: string;
  /** Asset code. */
  assetCode: string;
  /** What counted of what was paid; with a minus where the credit was taken back. A decimal in plain notation. */
  amount: Decimal;
};

/** The rate by which it was priced. */
export type CheckoutLedgerRate = {
  /**
   * QUOTE: as offered to the payer; RATE_OF_ARRIVAL: of a payment that came late, or whose coin had fallen further than
   * its quote covers; RATE_OF_ACCEPTANCE: of one that was too little; PAID_UNITS, BILLING_RATE, CURRENT_RATE: how a
   * refund was priced.
   */
  basis: string;
  /** One of what was paid, in the billing currency; null where no such rate was used. A decimal in plain notation. */
  price: Decimal | null;
  /** Where the rate came from. */
  sources: string[];
};

/** What is to be in a file. */
export type NewExport = {
  /**
   * checkoutLedger: the rows of `GET /reports/checkouts`. disposals: those of `GET /reports/disposals`. checkouts,
   * customers and papers: all there are. entries: those of one asset. transfers: those that are over.
   */
  list: ExportedList;
  /** json: of checkoutLedger and disposals only. */
  format?: ExportFormat | undefined;
  /**
   * Of checkoutLedger and disposals: as in `GET /reports/checkouts`. Of entries: only what was booked on its closed
   * days.
   */
  period?: string | undefined;
  /** Of entries: the id or code of an asset. */
  asset?: string | undefined;
};

/**
 * checkoutLedger: the rows of `GET /reports/checkouts`. disposals: those of `GET /reports/disposals`. checkouts,
 * customers and papers: all there are. entries: those of one asset. transfers: those that are over.
 */
export type ExportedList =
  | 'checkoutLedger'
  | 'checkouts'
  | 'customers'
  | 'disposals'
  | 'entries'
  | 'papers'
  | 'transfers';

/** json: of checkoutLedger and disposals only. */
export type ExportFormat = 'csv' | 'json';

/** How far a file is. */
export type ExportReply = {
  /** A file that is made, or was. */
  export: Export;
};

/** A file that is made, or was. */
export type Export = {
  /** Id of the export. */
  id: string;
  /** What is in it. */
  list: ExportedList;
  /** As what. */
  format: ExportFormat;
  /**
   * READY: the file can be fetched. DELETED: it was there, and was deleted. CANCELED: it was deleted before it was
   * ready, or the key lost the right to it meanwhile. FAILED: it could not be made.
   */
  state: ExportState;
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

/**
 * READY: the file can be fetched. DELETED: it was there, and was deleted. CANCELED: it was deleted before it was ready,
 * or the key lost the right to it meanwhile. FAILED: it could not be made.
 */
export type ExportState = 'WAITING' | 'MAKING' | 'READY' | 'DELETED' | 'CANCELED' | 'FAILED';

/** Which file is to be deleted. */
export type DeleteExportRequest = {
  /** Id of the export. */
  id: string;
};

/** A page of what left the account. */
export type DisposalList = {
  /** Which days the report is about. */
  report: CoveredDays;
  /** Of the whole period; only on the first page. */
  totals: DisposalTotal[] | null;
  /** In the order of time. */
  rows: Disposal[];
  /** Cursor of the next page; null on the last one. */
  next: string | null;
};

/** What left in one way and one asset. */
export type DisposalTotal = {
  /**
   * transfer, refund: sent; return: a refund of what had never been credited; swap; conversion: a payment that was
   * credited in another asset; attempt: what a transfer or refund cost that failed. What was undone is a row of its
   * own, with a minus and the worth that it had.
   */
  kind: DisposalKind;
  /** Asset id. */
  assetId: string;
  /** Asset code. */
  assetCode: string;
  /** What all rows come to. A decimal in plain notation. */
  amount: Decimal;
  /** How many entries of the ledger that is. */
  entries: number;
  /** Worth, rounded once for a day as in the statement; null without a rate. A decimal in plain notation. */
  value: Decimal | null;
};

/**
 * transfer, refund: sent; return: a refund of what had never been credited; swap; conversion: a payment that was
 * credited in another asset; attempt: what a transfer or refund cost that failed. What was undone is a row of its own,
 * with a minus and the worth that it had.
 */
export type DisposalKind = 'transfer' | 'refund' | 'return' | 'swap' | 'conversion' | 'attempt';

/** Something that left the account. */
export type Disposal = {
  /** When it was confirmed, and booked as gone. */
  timestamp: Timestamp;
  /**
   * transfer, refund: sent; return: a refund of what had never been credited; swap; conversion: a payment that was
   * credited in another asset; attempt: what a transfer or refund cost that failed. What was undone is a row of its
   * own, with a minus and the worth that it had.
   */
  kind: DisposalKind;
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
  received: AssetAmount | null;
  /** The fee; null for an attempt, which is its own. */
  fee: AssetAmount | null;
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
  beneficiary: DisposalBeneficiary | null;
  /** Its transaction, or those of the payments. */
  transactions: string[];
};

/** So much of an asset. */
export type AssetAmount = {
  /** Asset id. */
  assetId: string;
  /** Asset code. */
  assetCode: string;
  /** So much of it. A decimal in plain notation. */
  amount: Decimal;
};

/** Whose target account that is. */
export type DisposalBeneficiary = {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
};

/** The taxes of a period. */
export type TaxReport = {
  /** Which days the report is about. */
  report: CoveredDays;
  /** What all rows come to, by billing currency. A net amount with several taxes is counted once. */
  totals: TaxTotal[];
  /** By country, tax and rate. With a minus, more was refunded than credited. */
  rows: TaxRow[];
};

/** What was sold in one billing currency. */
export type TaxTotal = {
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
};

/** What was sold to one country with one tax. */
export type TaxRow = {
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
};

/** The fees of a period. */
export type FeeReport = {
  /** Which days the report is about. */
  report: CoveredDays;
  /** By asset: what the line of fees in the statement says, without its minus. */
  totals: FeeTotal[];
  /** By month, kind and asset. */
  rows: FeeRow[];
};

/** The fees in one asset. */
export type FeeTotal = {
  /** Asset id. */
  assetId: string;
  /** Asset code. */
  assetCode: string;
  /** All fees of the period. A decimal in plain notation. */
  amount: Decimal;
  /** Its worth in the account currency; null without a rate. A decimal in plain notation. */
  value: Decimal | null;
};

/** The fees of one kind in one month and one asset. */
export type FeeRow = {
  /** Month, such as 2026-10. */
  month: string;
  /**
   * What it was taken for. network: what a transfer paid for the network, also for an attempt that failed. What
   * networks took for refunds is part of what was refunded.
   */
  kind: FeeKind;
  /** Asset id. */
  assetId: string;
  /** Asset code. */
  assetCode: string;
  /** What was taken; with a minus, more was given back. A decimal in plain notation. */
  amount: Decimal;
  /** How many entries of the ledger that is. */
  entries: number;
  /**
   * Its worth, each at the rate of its hour, in the account currency; null without a rate. A decimal in plain notation.
   */
  value: Decimal | null;
};

/**
 * What it was taken for. network: what a transfer paid for the network, also for an attempt that failed. What networks
 * took for refunds is part of what was refunded.
 */
export type FeeKind = 'settlement' | 'deposit' | 'swap' | 'transfer' | 'network';

/** The price of a swap, and whether money would have to wait. */
export type SwapQuoteReply = {
  /** The price of a swap. */
  quote: SwapQuote;
  /**
   * Credits for payments that are not deep enough for the sum they belong to, or beyond what the service lets all
   * accounts together take out of payments that are not final. Absent when nothing waits.
   */
  waiting?: WaitingAmount;
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

/** A swap that was asked for. */
export type CreatedSwap = {
  /** Id of the swap. */
  id: string;
  /** A swap as it is shown in replies and webhooks. */
  swap: Swap;
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
  state: SwapState;
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

/**
 * PROCESSING: what is given is reserved, a market is at work. COMPLETED: credited. FAILED: nothing was exchanged, and
 * what was reserved is available again.
 */
export type SwapState = 'PROCESSING' | 'COMPLETED' | 'FAILED';

/** A swap. */
export type SwapReply = {
  /** A swap as it is shown in replies and webhooks. */
  swap: Swap;
};

/** A page of swaps. */
export type SwapList = {
  /** Newest first. */
  swaps: Swap[];
  /** Cursor of the next page; null on the last one. */
  next: string | null;
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
  depositInstructions: CustomDepositInstructions;
  /** When an invoice ends. Null: the target never does. */
  expirationTime: Timestamp | null;
};

/** What the payer needs to know. */
export type CustomDepositInstructions = {
  /** Code of the asset to pay in. */
  assetCode: string;
  /** Name of the blockchain. */
  blockchain: string;
  /** Network id. */
  network: string;
  /** What to pay, if an amount was given; in the unit of assetCode. A decimal in plain notation. */
  amount: Decimal | null;
  /** Where to pay: at a bank the IBAN, over Pix the code that is pasted. */
  address: string;
  /** Who holds the account at a bank: must be shown, because the bank of the payer compares it. */
  holder: string | null;
  /** BIC of that bank. Transfers from abroad cannot be ordered without it. */
  bic: string | null;
  /** Must be shown and sent with the payment when it is not null. */
  memo: string | null;
  /** Kind of the memo, for example text. */
  memoType: string | null;
};

/** A custom deposit. */
export type DepositReply = {
  /** A custom deposit as it is shown in replies and webhooks. */
  deposit: Deposit;
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
  state: DepositState;
  /** What was odd. */
  exceptions: DepositException[];
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

/**
 * CREATED: nothing has arrived. PENDING: something has arrived that is not credited yet. COMPLETED: everything that has
 * arrived is credited. A reusable deposit goes back and forth.
 */
export type DepositState = 'CREATED' | 'PENDING' | 'COMPLETED';

/**
 * DUPLICATE: a further payment to a single-use deposit. WRONG_ASSET: another asset arrived. PARTIAL, OVERPAID: less or
 * more than the amount that was given. REORGED: the network took a payment back. NO_MARKET: a payment has no rate at
 * the moment, so that its fee is not known.
 */
export type DepositException = 'DUPLICATE' | 'WRONG_ASSET' | 'PARTIAL' | 'OVERPAID' | 'REORGED' | 'NO_MARKET';

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
  state: DepositPaymentState;
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

/** PENDING: seen, not credited. COMPLETED: credited. DROPPED: it will not happen any more. */
export type DepositPaymentState = 'PENDING' | 'COMPLETED' | 'DROPPED';

/** Which deposit is to be closed. */
export type CloseDepositRequest = {
  /** Id of the deposit. */
  id: string;
};

/** A page of custom deposits. */
export type DepositList = {
  /** Newest first. */
  deposits: Deposit[];
  /** Cursor of the next page; null on the last one. */
  next: string | null;
};

/** A destination that is to be created or changed. */
export type SaveTargetAccountRequest = {
  /** Id of a target account that is to be changed; without it, one is created. */
  id?: string | undefined;
  /** The name that POST /transfer knows it by; unique in the account. */
  label?: string | undefined;
  /** Network id from GET /networks. */
  network?: string | undefined;
  /** Ids or codes of the only assets that may be sent there. Without it, or empty: all of the network. */
  assets?: string[] | undefined;
  /** Address on the network; at a bank the IBAN or, where accounts have none, their number (SWIFT). */
  address?: string | undefined;
  /** Memo that the receiver asks for; an empty text takes it away. */
  memo?: string | number | undefined;
  /** Kind of the memo; text, if there is a memo. */
  memoType?: MemoType | undefined;
  /** Id of the beneficiary whose account it is; an empty text takes it away. */
  beneficiaryId?: string | undefined;
  /** BIC of the bank, where it is needed: by SWIFT, and by SEPA outside the EEA; an empty text takes it away. */
  bic?: string | undefined;
};

/** A labelled destination. */
export type TargetAccountReply = {
  /** Id of the target account. */
  targetAccountId: string;
  /** A labelled destination of transfers. */
  targetAccount: TargetAccount;
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
  /** BIC of the bank, if one was given. */
  bic: string | null;
  /** From when on transfers may go there: a new or changed destination can have to wait. */
  usableFrom: Timestamp;
  /** When the target account was created. */
  timestamp: Timestamp;
};

/** Which destination is to be deleted: its id or its label. */
export type DeleteTargetAccountRequest = {
  /** Id of the target account. */
  id?: string | undefined;
  /** Its label, instead of the id. */
  label?: string | undefined;
};

/** Which destination it was. */
export type TargetAccountIdReply = {
  /** Id of the target account. */
  targetAccountId: string;
};

/** A page of labelled destinations. */
export type TargetAccountList = {
  /** Newest first. */
  targetAccounts: TargetAccount[];
  /** Cursor of the next page; null on the last one. */
  next: string | null;
};

/** A new beneficiary. */
export type CreateBeneficiaryRequest = {
  /** The beneficiary. With an `id` it is changed, without one it is created. */
  beneficiary: NewBeneficiary;
};

/** A person or a company. */
export type BeneficiaryType = 'PERSON' | 'COMPANY';

/** Which beneficiary it was. */
export type BeneficiaryIdReply = {
  /** Id of the beneficiary. */
  beneficiaryId: string;
};

/** A change of a beneficiary. */
export type ChangeBeneficiaryRequest = {
  /** Which beneficiary, and what is to be different. */
  beneficiary: BeneficiaryChange;
};

/** Which beneficiary, and what is to be different. */
export type BeneficiaryChange = {
  /** Id of the beneficiary. */
  id: string;
  /** Without it, COMPANY when there is a company, otherwise PERSON. */
  type?: BeneficiaryType | undefined;
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

/** Which beneficiary is to be deleted. */
export type DeleteBeneficiaryRequest = {
  /** Id of the beneficiary. */
  id: string;
};

/** A beneficiary. */
export type BeneficiaryReply = {
  /** Who receives what the account sends. */
  beneficiary: Beneficiary;
};

/** Who receives what the account sends. */
export type Beneficiary = {
  /** Id of the beneficiary. */
  id: string;
  /** A person or a company. */
  type: BeneficiaryType;
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

/** A page of beneficiaries. */
export type BeneficiaryList = {
  /** Newest first. */
  beneficiaries: Beneficiary[];
  /** Cursor of the next page; null on the last one. */
  next: string | null;
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
  waiting?: WaitingAmount;
  /** Whether another API key would have to approve it. */
  needsApproval: boolean;
  /** Absent when the account has no such limit. */
  approvalLimit?: ApprovalLimit;
  /** From when on money may go to this destination: a new one can have to wait. */
  usableFrom: Timestamp;
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
  memoType?: MemoType | undefined;
  /** URL that receives the events of the transfer. */
  webhook?: string | undefined;
  /** Anything; echoed wherever the transfer is shown. At most 16 KiB of JSON. */
  meta?: Record<string, unknown> | undefined;
};

/** A transfer. */
export type TransferReply = {
  /** Id of the transfer. */
  id: string;
  /** A transfer as it is shown in replies and webhooks. */
  transfer: Transfer;
  /** Absent when the account has no such limit. */
  approvalLimit?: ApprovalLimit;
};

/** A transfer as it is shown in replies and webhooks. */
export type Transfer = {
  /** Id of the transfer. */
  id: string;
  /** When it was asked for. */
  timestamp: Timestamp;
  /**
   * AWAITING_APPROVAL: another API key must approve it. WAITING: the destination is too new. QUEUED: it will be signed
   * next. SENT: signed and on its way, it can no longer be cancelled. COMPLETED: it arrived; a bank may still give it
   * back, in part or whole (`cameBack`). FAILED, CANCELED: nothing was sent, or all of it came back, and everything but
   * `failureCost` is available again.
   */
  state: TransferState;
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
  /** Name of whoever holds the account; null on networks that ask for none. */
  holder: string | null;
  /** From when on money may go to this destination. */
  usableFrom: Timestamp;
  /** Who asked for it: an API key, or `person:` and the id of a person. */
  createdBy: string;
  /** Who approved it, where that was needed: an API key, or `person:` and the id of a person. */
  approvedBy: string | null;
  /** Hash of the transaction; until COMPLETED another one with a higher fee may replace it. */
  txHash: string | null;
  /**
   * Why it has not left yet, on networks that carry only so many payments at once, as Lightning does. OWN_PAYMENTS: so
   * many of the account are under way that the rest is kept for others; it leaves when one of them has ended. NETWORK:
   * as many are under way as the network carries. Absent while nothing but its turn keeps it.
   */
  waitsFor?: SlotWait;
  /** Why it failed, in one sentence. */
  failure: string | null;
  /**
   * What the network took for an attempt that failed, in the same asset: it was charged. Of a transfer that came back,
   * its fee. Null unless FAILED. A decimal in plain notation.
   */
  failureCost: Decimal | null;
  /**
   * What came back after it had arrived, and is available again. Absent while nothing has. A decimal in plain notation.
   */
  cameBack?: Decimal;
  /** When it was completed, failed or was cancelled; of one that came back whole, when it did. */
  endTime: Timestamp | null;
  /** What was posted as meta. Absent when nothing was posted. */
  meta?: unknown;
};

/**
 * AWAITING_APPROVAL: another API key must approve it. WAITING: the destination is too new. QUEUED: it will be signed
 * next. SENT: signed and on its way, it can no longer be cancelled. COMPLETED: it arrived; a bank may still give it
 * back, in part or whole (`cameBack`). FAILED, CANCELED: nothing was sent, or all of it came back, and everything but
 * `failureCost` is available again.
 */
export type TransferState = 'AWAITING_APPROVAL' | 'WAITING' | 'QUEUED' | 'SENT' | 'COMPLETED' | 'FAILED' | 'CANCELED';

/**
 * Why it has not left yet, on networks that carry only so many payments at once, as Lightning does. OWN_PAYMENTS: so
 * many of the account are under way that the rest is kept for others; it leaves when one of them has ended. NETWORK: as
 * many are under way as the network carries. Absent while nothing but its turn keeps it.
 */
export type SlotWait = 'OWN_PAYMENTS' | 'NETWORK';

/** Which transfer is approved. */
export type ApproveTransferRequest = {
  /** Id of the transfer. */
  id: string;
};

/** Which transfer is to be cancelled. */
export type CancelTransferRequest = {
  /** Id of the transfer. */
  id: string;
};

/** A page of transfers. */
export type TransferList = {
  /** Newest first. */
  transfers: Transfer[];
  /** Cursor of the next page; null on the last one. */
  next: string | null;
};

/** A page of the webhook log. */
export type WebhookDeliveryList = {
  /** Newest first. */
  deliveries: WebhookDelivery[];
  /** Cursor of the next page; null on the last one. */
  next: string | null;
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
  state: WebhookDeliveryState;
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

/**
 * PENDING: will be tried again. DELIVERED: answered with a 2xx status. FAILED: given up after about four days or
 * because the receiver answered 410. SUPERSEDED: it failed three times, a newer event of the same subject was sent, and
 * an older one never follows a newer one. The newer one shows the record as it was then.
 */
export type WebhookDeliveryState = 'PENDING' | 'DELIVERED' | 'FAILED' | 'SUPERSEDED';

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

/** What is to be sent again. */
export type RedeliverWebhookRequest = {
  /** Id of the delivery to repeat. */
  deliveryId: string;
};

/** The delivery that was made. */
export type RedeliverWebhookReply = {
  /** Id of the new delivery. */
  deliveryId: string;
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

export type PaymentLinkFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
  /** Only links in this state. */
  state?: PaymentLinkState | undefined;
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

export type CustomerFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
  /** Only the customer with this e-mail. */
  email?: string | undefined;
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

export type DepositFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
  /** Only deposits in this state. */
  state?: DepositState | undefined;
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

export type SwapFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
  /** Only swaps in this state. */
  state?: SwapState | undefined;
  /** Only swaps created at or after this moment. */
  from?: Timestamp | undefined;
  /** Only swaps created before this moment. */
  to?: Timestamp | undefined;
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
  memoType?: MemoType | undefined;
};

export type TransferFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
  /** Only transfers in this state. */
  state?: TransferState | undefined;
  /** Only transfers on this network. */
  network?: string | undefined;
  /** Only transfers of this asset; its id or code. */
  asset?: string | undefined;
  /** Only transfers created at or after this moment. */
  from?: Timestamp | undefined;
  /** Only transfers created before this moment. */
  to?: Timestamp | undefined;
};

export type TargetAccountFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
  /** Only destinations on this network. */
  network?: string | undefined;
};

export type BeneficiaryFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
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

export type PaperFilter = {
  /** How many at most. More than 100 means 100. */
  limit?: number | undefined;
  /** `next` of the page before; opaque. */
  cursor?: string | undefined;
  /** Only papers of this kind. */
  kind?: PaperKind | undefined;
  /** Only papers of this checkout. */
  checkoutId?: string | undefined;
  /** Only papers of this customer. */
  customerId?: string | undefined;
  /** The beginning of a number, an order, or a customer: only papers that fit. */
  search?: string | undefined;
  /** Only papers issued at or after this moment. */
  from?: Timestamp | undefined;
  /** Only papers issued before this moment. */
  to?: Timestamp | undefined;
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

/** The beneficiary. With an `id` it is changed, without one it is created. */
export type NewBeneficiary = {
  /** Without it, COMPANY when there is a company, otherwise PERSON. */
  type?: BeneficiaryType | undefined;
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

/** A destination that is to be created or changed. */
export type NewTargetAccount = {
  /** The name that POST /transfer knows it by; unique in the account. */
  label: string;
  /** Network id from GET /networks. */
  network: string;
  /** Ids or codes of the only assets that may be sent there. Without it, or empty: all of the network. */
  assets?: string[] | undefined;
  /** Address on the network; at a bank the IBAN or, where accounts have none, their number (SWIFT). */
  address: string;
  /** Memo that the receiver asks for; an empty text takes it away. */
  memo?: string | number | undefined;
  /** Kind of the memo; text, if there is a memo. */
  memoType?: MemoType | undefined;
  /** Id of the beneficiary whose account it is; an empty text takes it away. */
  beneficiaryId?: string | undefined;
  /** BIC of the bank, where it is needed: by SWIFT, and by SEPA outside the EEA; an empty text takes it away. */
  bic?: string | undefined;
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
  /** Address on the network; at a bank the IBAN or, where accounts have none, their number (SWIFT). */
  address?: string | undefined;
  /** Memo that the receiver asks for; an empty text takes it away. */
  memo?: string | number | undefined;
  /** Kind of the memo; text, if there is a memo. */
  memoType?: MemoType | undefined;
  /** Id of the beneficiary whose account it is; an empty text takes it away. */
  beneficiaryId?: string | undefined;
  /** BIC of the bank, where it is needed: by SWIFT, and by SEPA outside the EEA; an empty text takes it away. */
  bic?: string | undefined;
};

/** What each operation of the API takes and gives. */
export type Operations = {
  time: { input: undefined; reply: ServerTime };
  authTest: { input: undefined; reply: AuthTest };
  getSettings: { input: undefined; reply: SettingsReply };
  health: { input: undefined; reply: Health };
  status: { input: undefined; reply: ServiceStatus };
  networks: { input: undefined; reply: NetworkList };
  assets: { input: undefined; reply: AssetList };
  currencies: { input: undefined; reply: CurrencyList };
  languages: { input: undefined; reply: LanguageList };
  createCheckout: { input: NewCheckout; reply: CreatedCheckout };
  createHostedCheckout: { input: NewCheckout; reply: HostedCheckout };
  commitCheckout: { input: CommitCheckoutRequest; reply: CommittedCheckout };
  cancelCheckout: { input: CancelCheckoutRequest; reply: CheckoutReply };
  acceptUnderpayment: { input: AcceptUnderpaymentRequest; reply: CheckoutReply };
  acceptExcess: { input: AcceptExcessRequest; reply: CheckoutReply };
  createRefund: { input: NewRefund; reply: RefundReply };
  approveRefund: { input: ApproveRefundRequest; reply: RefundReply };
  cancelRefund: { input: CancelRefundRequest; reply: RefundReply };
  getRefund: {
    input: {
      id: string;
    };
    reply: RefundReply;
  };
  listRefunds: { input: RefundFilter; reply: RefundList };
  validateCharge: { input: ValidateChargeRequest; reply: ChargeTotal };
  getCheckout: {
    input: {
      id: string;
    };
    reply: CheckoutReply;
  };
  listCheckouts: { input: CheckoutFilter; reply: CheckoutList };
  checkoutTimeline: {
    input: {
      id: string;
    };
    reply: Timeline;
  };
  createCustomer: { input: CreateCustomerRequest; reply: CustomerIdReply };
  changeCustomer: { input: ChangeCustomerRequest; reply: CustomerIdReply };
  deleteCustomer: { input: DeleteCustomerRequest; reply: CustomerIdReply };
  getCustomer: {
    input: {
      id: string;
    };
    reply: CustomerReply;
  };
  listCustomers: { input: CustomerFilter; reply: CustomerList };
  createPaymentLink: { input: NewPaymentLink; reply: PaymentLinkReply };
  getPaymentLink: {
    input: {
      id: string;
    };
    reply: PaymentLinkReply;
  };
  listPaymentLinks: { input: PaymentLinkFilter; reply: PaymentLinkList };
  listPaymentLinkCheckouts: { input: PaymentLinkCheckoutFilter; reply: PaymentLinkCheckouts };
  getPaymentLinkSecret: {
    input: {
      id: string;
    };
    reply: PaymentLinkSecret;
  };
  closePaymentLink: { input: ClosePaymentLinkRequest; reply: PaymentLinkReply };
  listPapers: { input: PaperFilter; reply: PaperList };
  getPaper: {
    input: {
      id: string;
    };
    reply: PaperReply;
  };
  createCreditNote: { input: NewCreditNote; reply: CreditNoteReply };
  sendPaper: { input: SendPaperRequest; reply: SentPaper };
  listWallets: { input: undefined; reply: WalletList };
  getWallet: {
    input: {
      assetCode: string;
    };
    reply: WalletReply;
  };
  listLedgerEntries: { input: LedgerEntryFilter; reply: LedgerEntryList };
  getStatement: {
    input: {
      period?: string | undefined;
    };
    reply: StatementReply;
  };
  getCheckoutLedger: {
    input: {
      period?: string | undefined;
      limit?: number | undefined;
      cursor?: string | undefined;
    };
    reply: CheckoutLedger;
  };
  createExport: { input: NewExport; reply: ExportReply };
  getExport: {
    input: {
      id: string;
    };
    reply: ExportReply;
  };
  deleteExport: { input: DeleteExportRequest; reply: ExportReply };
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
    reply: DisposalList;
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
  quoteSwap: { input: SwapQuestion; reply: SwapQuoteReply };
  createSwap: { input: NewSwap; reply: CreatedSwap };
  getSwap: {
    input: {
      id: string;
    };
    reply: SwapReply;
  };
  listSwaps: { input: SwapFilter; reply: SwapList };
  createDeposit: { input: NewDeposit; reply: CreatedDeposit };
  getDeposit: {
    input: {
      id: string;
    };
    reply: DepositReply;
  };
  closeDeposit: { input: CloseDepositRequest; reply: DepositReply };
  listDeposits: { input: DepositFilter; reply: DepositList };
  saveTargetAccount: { input: SaveTargetAccountRequest; reply: TargetAccountReply };
  getTargetAccount: {
    input: {
      id?: string | undefined;
      label?: string | undefined;
    };
    reply: TargetAccountReply;
  };
  deleteTargetAccount: { input: DeleteTargetAccountRequest; reply: TargetAccountIdReply };
  listTargetAccounts: { input: TargetAccountFilter; reply: TargetAccountList };
  createBeneficiary: { input: CreateBeneficiaryRequest; reply: BeneficiaryIdReply };
  changeBeneficiary: { input: ChangeBeneficiaryRequest; reply: BeneficiaryIdReply };
  deleteBeneficiary: { input: DeleteBeneficiaryRequest; reply: BeneficiaryIdReply };
  getBeneficiary: {
    input: {
      id: string;
    };
    reply: BeneficiaryReply;
  };
  listBeneficiaries: { input: BeneficiaryFilter; reply: BeneficiaryList };
  estimateTransfer: { input: TransferQuestion; reply: TransferEstimate };
  createTransfer: { input: NewTransfer; reply: TransferReply };
  approveTransfer: { input: ApproveTransferRequest; reply: TransferReply };
  cancelTransfer: { input: CancelTransferRequest; reply: TransferReply };
  getTransfer: {
    input: {
      id: string;
    };
    reply: TransferReply;
  };
  listTransfers: { input: TransferFilter; reply: TransferList };
  listWebhookDeliveries: { input: WebhookDeliveryFilter; reply: WebhookDeliveryList };
  redeliverWebhook: { input: RedeliverWebhookRequest; reply: RedeliverWebhookReply };
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
  listPapers: { method: 'GET', path: '/papers' },
  getPaper: { method: 'GET', path: '/paper' },
  createCreditNote: { method: 'POST', path: '/credit-note' },
  sendPaper: { method: 'POST', path: '/paper/send' },
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
