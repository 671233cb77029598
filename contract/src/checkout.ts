/** Checkouts: what creates one (§4.4), what commits it to a network (§4.5), and how it is shown (§2.5, §2.7). */
import type { Static, TSchema } from 'typebox';
import { Type } from './json-schema.ts';
import { chargeNumber, decimalText } from './money.ts';
import { createdBetween, nextPage, pageQuery } from './page.ts';
import { paymentTotals } from './payment-total.ts';
import { refundRecord } from './refund.ts';
import { absentWord, customObject, idInput, idText, named, nullable, textOrNumber, timestamp, url } from './text.ts';

const itemsMax = 500;

const description = Type.String({ minLength: 1, maxLength: 200, description: 'What it is, for the customer.' });

const lineItem = Type.Object(
  {
    description,
    netAmount: chargeNumber({ description: 'Net price of one piece, in the billing currency.' }),
    quantity: chargeNumber({ description: 'How many pieces.', minimum: '0', default: '1' }),
    productId: Type.Optional(textOrNumber(20, "The shop's own id of the product.")),
  },
  { title: 'LineItem', description: 'Something that is sold.' },
);

/** Some shops post discounts without a label, and for virtual orders a shipping item with neither name nor price. */
const optionalDescription = (word: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: `What it is, for the customer. Without it the page says “${word}”, in its language.`,
    }),
  );

const discountItem = Type.Object(
  {
    description: optionalDescription('Discount'),
    netAmount: chargeNumber({ description: 'Net amount that is taken off.', default: '0' }),
  },
  { title: 'DiscountItem', description: 'Something that makes it cheaper.' },
);

const shippingCostItem = Type.Object(
  {
    description: optionalDescription('Shipping'),
    netAmount: chargeNumber({ description: 'Net cost of shipping.', default: '0' }),
    taxable: Type.Boolean({ default: false, description: 'Whether the item is included in the tax calculation.' }),
  },
  { title: 'ShippingCostItem', description: 'What it costs to send the goods.' },
);

const taxItem = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the tax.' }),
    percent: chargeNumber({
      description: 'The rate in decimal notation: 0.0825 means 8.25 %.',
      minimum: '0',
      maximum: '1',
    }),
  },
  { title: 'TaxItem', description: 'A tax on the charge.' },
);

const list = <T extends TSchema>(item: T, what: string) =>
  Type.Array(item, { maxItems: itemsMax, default: [], description: what });

export const charge = Type.Object(
  {
    customerId: Type.Optional(idInput('Id of the customer, as returned by POST /customer. Enables invoices.')),
    billingCurrency: Type.String({
      minLength: 1,
      maxLength: 12,
      description: 'Currency code from GET /currencies in which the charge is written. Not the payment currency.',
      ...named(['currency']),
    }),
    lineItems: Type.Array(lineItem, { minItems: 1, maxItems: itemsMax, description: 'What is sold.' }),
    discountItems: list(discountItem, 'What is taken off.'),
    shippingCostItems: list(shippingCostItem, 'What shipping costs.'),
    taxItems: list(taxItem, 'Taxes. Their rates add up.'),
  },
  {
    title: 'Charge',
    description:
      'The charge. net = lineItems − discountItems + shippingCostItems; taxable = net without the shipping items that ' +
      'are not taxable; total = net + taxable × sum of the tax rates.',
  },
);

export const checkoutLanguages = ['auto', 'en', 'de', 'pt', 'es', 'it', 'tr', 'pl', 'fr'] as const;

/** Characters of a shop's own order number. */
export const orderReferenceMax = 30;

export const pageSettings = Type.Object(
  {
    returnUrl: Type.Optional(
      url('Where the customer goes after paying. `checkoutId` is appended. Never take a visit for a payment.'),
    ),
    cancelUrl: Type.Optional(url('Where the customer goes after cancelling. `checkoutId` is appended.')),
    shopName: Type.Optional(
      Type.String({ maxLength: 100, description: 'Name on top of the page; the account default if absent.' }),
    ),
    orderReference: Type.Optional(
      textOrNumber(
        orderReferenceMax,
        "The shop's own order number, as the customer knows it: shown on the page, on papers and in mails.",
      ),
    ),
    displayBuyerInfo: Type.Optional(
      Type.Boolean({ description: "Whether the linked customer's billing address is shown." }),
    ),
    displaySellerInfo: Type.Optional(Type.Boolean({ description: "Whether the merchant's mail address is shown." })),
  },
  { title: 'PageSettings', description: 'How the hosted page looks. Overrides the account settings.' },
);

export const checkoutBody = Type.Object(
  {
    charge,
    settlementAsset: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 80,
        description:
          'Id of the asset to be credited (GET /assets); a bare code such as USDC is understood. ORIGIN credits what ' +
          'the customer pays in, without conversion. Left out: what the account has set, which is ORIGIN until it ' +
          'chooses an asset (GET /settings).',
        ...named(['settlementCurrency']),
        ...absentWord('default'),
      }),
    ),
    checkoutLanguage: Type.Enum([...checkoutLanguages], {
      title: 'CheckoutLanguage',
      default: 'auto',
      description:
        'Language of the hosted page, one of GET /languages. `auto` follows the browser, also to a language that is not ' +
        'among these, such as Arabic, and falls back to en.',
      ...absentWord('default'),
    }),
    webhook: Type.Optional(url("URL on the merchant's server that receives the events of the checkout.")),
    anchors: Type.Record(Type.String({ maxLength: 40 }), Type.String({ minLength: 1, maxLength: 80 }), {
      default: {},
      maxProperties: 50,
      description: 'Preferred SEP-6 anchors: network id to the id of the anchored asset.',
    }),
    pageSettings: Type.Unsafe<Static<typeof pageSettings>>({ ...pageSettings, default: {}, ...named(['links']) }),
    meta: Type.Optional(customObject('Anything; echoed in webhooks and in replies that show the checkout.')),
  },
  { title: 'NewCheckout', description: 'A new checkout.' },
);

export const settlementQuote = Type.Object(
  {
    assetId: Type.String({ description: 'Id of the asset that will be credited.' }),
    amount: decimalText('What is credited before the fee.'),
    netAmount: decimalText('What is credited after the fee.'),
    fee: decimalText("The service's fee."),
  },
  {
    title: 'SettlementQuote',
    description:
      'What the merchant receives. Valid for 60 minutes; once chosen, for the time to pay, which at a bank is some days. Where the merchant takes the rate of the booking, it is an estimate.',
  },
);

export const paymentMethod = Type.Object(
  {
    assetCode: Type.String({ description: 'Code of the asset the customer would pay in.' }),
    blockchain: Type.String({ description: 'Name of the blockchain or bank network.' }),
    network: Type.String({ description: 'Network id, for POST /checkout/commit.' }),
    relatedAssetId: Type.String({ description: 'Asset id, for POST /checkout/commit.' }),
    paymentAmount: decimalText('What the customer would pay.'),
    settlement: settlementQuote,
  },
  { title: 'PaymentMethod', description: 'One way to pay a checkout.' },
);

const postedMeta = Type.Optional(
  Type.Unsafe<unknown>({ description: 'What was posted as meta. Absent when nothing was posted.' }),
);

export const checkoutReply = Type.Object(
  {
    id: idText('Id of the checkout. Store it to match payments.'),
    paymentMethods: Type.Array(paymentMethod, { description: 'The ways to pay. Methods without a rate are left out.' }),
    meta: postedMeta,
  },
  { title: 'CreatedCheckout', description: 'A checkout that waits for a choice among the ways to pay it.' },
);

export const hostedCheckoutReply = Type.Object(
  {
    id: idText('Id of the checkout.'),
    checkoutId: idText('The same id, under the name that older clients read.'),
    url: Type.String({ format: 'uri', description: 'The hosted payment page. Unique, for one payment.' }),
    meta: postedMeta,
  },
  { title: 'HostedCheckout', description: 'A checkout with a payment page.' },
);

export const commitBody = Type.Object(
  {
    checkoutId: idInput('Id returned by POST /checkout or POST /checkout/hosted.', ['id']),
    network: Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'Id of the chosen network, from paymentMethods.',
      ...named(['depositNetwork']),
    }),
    asset: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 80,
        description: "The chosen relatedAssetId, from paymentMethods. Without it, the network's default asset.",
        ...named(['relatedAssetId']),
      }),
    ),
  },
  { title: 'CommitCheckoutRequest', description: 'How the customer wants to pay.' },
);

export const depositInstructions = Type.Object(
  {
    assetCode: Type.String({ description: 'Code of the asset to pay in.' }),
    blockchain: Type.String({ description: 'Name of the blockchain.' }),
    network: Type.String({ description: 'Network id.' }),
    amount: decimalText('What to pay: the price or, once a part has arrived, what is missing.'),
    address: Type.String({ description: 'Where to pay: at a bank the IBAN, over Pix the code that is pasted.' }),
    holder: nullable(
      Type.String({
        description: 'Who holds the account at a bank: must be shown, because the bank of the payer compares it.',
      }),
    ),
    bic: nullable(
      Type.String({ description: 'BIC of that bank. Transfers from abroad cannot be ordered without it.' }),
    ),
    memo: nullable(Type.String({ description: 'Must be shown and sent with the payment when it is not null.' })),
    memoType: nullable(Type.String({ description: 'Kind of the memo, for example text.' })),
  },
  { title: 'DepositInstructions', description: 'What the customer needs to know to pay.' },
);

export const commitReply = Type.Object(
  {
    checkoutId: idText('Id of the checkout.'),
    depositInstructions,
    settlement: settlementQuote,
    expirationTime: timestamp(
      'Until when this way to pay is on time at this price: 60 minutes, at a bank some days. A later payment is still credited.',
    ),
    meta: postedMeta,
  },
  { title: 'CommittedCheckout', description: 'A checkout that waits for a payment.' },
);

export const checkoutStates = [
  'CREATED',
  'PENDING',
  'PROCESSING',
  'COMPLETED',
  'DELAYED_COMPLETED',
  'UNDERPAID',
  'RESOLVED',
  'EXPIRED',
  'CANCELED',
  'REFUNDED',
] as const;

export const checkoutExceptions = [
  'PARTIAL',
  'OVERPAID',
  'LATE',
  'DUPLICATE',
  'REORGED',
  'NO_MARKET',
  'WRONG_ASSET',
] as const;

const checkoutException = Type.Enum([...checkoutExceptions], {
  title: 'CheckoutException',
  description:
    'PARTIAL: less than the price was paid. OVERPAID: more. LATE: after the window. DUPLICATE: again, when it was paid ' +
    'already. REORGED: the network took a payment back. NO_MARKET: it cannot be converted at the moment. WRONG_ASSET: ' +
    'another asset was paid.',
});

export const blockchainTransaction = Type.Object(
  {
    type: Type.Enum(['CHECKOUT_ORIGIN', 'CHECKOUT_BRIDGE', 'CHECKOUT_SETTLEMENT'], {
      title: 'BlockchainTransactionType',
      description:
        "The customer's payment, the way of its coins to Stellar, or the credit to the account. A credit waits for the " +
        'coins to get there, so that its event has all three. If that takes longer than ten minutes it goes ahead, and ' +
        'CHECKOUT_BRIDGE is not added to it afterwards; nor is it there where nothing is bridged.',
    }),
    typeDescription: Type.String({ description: 'The type in plain words.' }),
    network: Type.String({
      description: 'Network id. Of a settlement: where the credited asset lives, which need not be where it was paid.',
    }),
    networkName: Type.String({ description: 'Network name.' }),
    timestamp: timestamp('When it happened.'),
    tx: Type.String({ description: 'Hash of the transaction, or the reference of a ledger entry.' }),
    amount: decimalText('What was moved.'),
    amountAssetCode: Type.String({ description: 'Code of the asset that was moved.' }),
    exception: nullable(Type.String({ description: 'What was odd about it.' })),
  },
  { title: 'BlockchainTransaction', description: 'A movement of money for a checkout.' },
);

export const checkoutRecord = Type.Object(
  {
    id: idText('Id of the checkout.'),
    timestamp: timestamp('When the checkout was created.'),
    state: Type.Enum([...checkoutStates], {
      title: 'CheckoutState',
      description: 'COMPLETED, DELAYED_COMPLETED and RESOLVED mean that the account was credited. No other state does.',
    }),
    exceptions: Type.Array(checkoutException, {
      description:
        'What was odd. UNDERPAID with LATE: enough was sent after the window, but it was worth less than the price, less the ' +
        'late tolerance, when it was first seen.',
    }),
    type: Type.Enum(['API', 'HOSTED'], {
      title: 'CheckoutType',
      description: 'API: the shop shows how to pay. HOSTED: the payment page does.',
    }),
    origin: Type.String({ description: 'Where it was created: API, ACCOUNT or PAYMENT_LINK.' }),
    settlementAssetId: nullable(Type.String({ description: 'Id of the credited asset.' })),
    settlementAmountRequired: nullable(decimalText('What is to be credited.')),
    settlementAmountReceived: nullable(decimalText('What was credited.')),
    settlementAmountFeePaid: nullable(decimalText('The fee that was taken.')),
    sourceAssetId: nullable(Type.String({ description: 'Id of the asset the customer pays in.' })),
    sourceAmountRequired: nullable(decimalText('What the customer has to pay.')),
    sourceAmountReceived: nullable(decimalText('What the customer has paid.')),
    sourceNetwork: nullable(Type.String({ description: 'Network id of the payment.' })),
    sourceNetworkName: nullable(Type.String({ description: 'Network name of the payment.' })),
    depositAddress: nullable(Type.String({ description: 'Where the customer pays to.' })),
    expirationTime: nullable(
      timestamp(
        'Until when the checkout waits: the latest end of all ways to pay that were chosen; null before POST /checkout/commit.',
      ),
    ),
    blockchainTransactions: Type.Array(blockchainTransaction, {
      description:
        'Every movement: payments (the newest hundred), then their way to Stellar, then credits. Anybody can send any ' +
        'number of payments: paymentTotals has them all.',
    }),
    paymentTotals,
    refunds: Type.Array(refundRecord, { description: 'Every refund, oldest first.' }),
    payload: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'What was posted to create the checkout.',
    }),
    meta: postedMeta,
    paymentLinkId: Type.Optional(
      idText('The payment link that was paid. Absent when the checkout was created in another way.'),
    ),
    hostedCheckoutUrl: nullable(Type.String({ description: 'The hosted page; null for a self-hosted checkout.' })),
  },
  { title: 'Checkout', description: 'A checkout as it is shown in replies and webhooks.' },
);

export const oneCheckoutReply = Type.Object(
  { checkout: checkoutRecord },
  { title: 'CheckoutReply', description: 'A checkout.' },
);

export const checkoutQuery = Type.Object({ id: idInput('Id of the checkout.', ['checkoutId']) });

const filter = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }));

export const checkoutsQuery = Type.Object({
  ...pageQuery,
  search: filter(
    200,
    'Only checkouts that this text may mean: an id (of the checkout or a refund of it), a transaction, an address that was ' +
      "given to pay to, a customer's e-mail address or id (with the scope `read`), a price (`12.50`, `12,50 EUR`), or the " +
      'beginning of a word that came with the charge: `orderReference`, values of `meta`, a `productId`, a description. ' +
      'Of what is found by a word, 500 at most. A new checkout is found by its words after a few seconds.',
  ),
  state: filter(200, `Only checkouts in one of these states, with commas between them: ${checkoutStates.join(', ')}.`),
  exception: filter(
    200,
    `Only checkouts with one of these exceptions, with commas between them: ${checkoutExceptions.join(', ')}; ANY: with any.`,
  ),
  network: filter(40, 'Only checkouts that were committed to this network.'),
  asset: filter(80, 'Only checkouts that were committed to this asset: an id, or a bare code.'),
  amount: filter(40, 'Only checkouts with this price in their billing currency.'),
  currency: filter(12, 'Only checkouts with this billing currency.'),
  customerId: Type.Optional(idInput('Only checkouts of this customer.')),
  ...createdBetween('checkouts'),
});

export const checkoutsReply = Type.Object(
  { checkouts: Type.Array(checkoutRecord, { description: 'Newest first.' }), next: nextPage },
  { title: 'CheckoutList', description: 'A page of checkouts.' },
);

const timelineEntry = Type.Object(
  {
    at: timestamp('When.'),
    what: Type.String({ description: 'What happened.' }),
    why: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The facts it follows from.',
    }),
  },
  { title: 'TimelineEntry', description: 'Something that happened to a checkout.' },
);

export const timelineReply = Type.Object(
  {
    timeline: Type.Array(timelineEntry, {
      description: 'What happened to the checkout, oldest first: the newest 500 notes.',
    }),
  },
  { title: 'Timeline', description: 'The history of a checkout.' },
);

/** Clients often send only `{charge}`: the rest is allowed and ignored. */
export const validateChargeBody = Type.Object(
  { charge },
  { title: 'ValidateChargeRequest', description: 'A charge that is to be added up.' },
);

export const validateChargeReply = Type.Object(
  {
    total: decimalText('The total of the charge, exact.'),
    decimals: Type.Integer({ description: 'Decimals of the billing currency.' }),
  },
  { title: 'ChargeTotal', description: 'What a charge comes to.' },
);

export const cancelBody = Type.Object(
  { checkoutId: idInput('Id of the checkout.', ['id']) },
  { title: 'CancelCheckoutRequest', description: 'Which checkout is to be cancelled.' },
);

export const acceptUnderpaymentBody = Type.Object(
  { checkoutId: idInput('Id of the underpaid checkout.', ['id']) },
  { title: 'AcceptUnderpaymentRequest', description: 'Which checkout is paid enough.' },
);

export const acceptExcessBody = Type.Object(
  { checkoutId: idInput('Id of the checkout.', ['id']) },
  { title: 'AcceptExcessRequest', description: 'Of which checkout everything is to be kept.' },
);

export type Charge = Static<typeof charge>;
export type CheckoutBody = Static<typeof checkoutBody>;
export type PageSettings = Static<typeof pageSettings>;
export type CheckoutLanguage = (typeof checkoutLanguages)[number];
export type CheckoutState = (typeof checkoutStates)[number];
export type SettlementQuote = Static<typeof settlementQuote>;
export type PaymentMethod = Static<typeof paymentMethod>;
export type CheckoutReply = Static<typeof checkoutReply>;
export type CommitBody = Static<typeof commitBody>;
export type CommitReply = Static<typeof commitReply>;
export type DepositInstructions = Static<typeof depositInstructions>;
export type BlockchainTransaction = Static<typeof blockchainTransaction>;
export type CheckoutRecord = Static<typeof checkoutRecord>;
export type CheckoutsQuery = Static<typeof checkoutsQuery>;
