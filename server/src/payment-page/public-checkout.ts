/**
 * What the hosted page may know about a checkout, field by field. Whoever has the link sees all of this, so nothing is
 * passed through: no webhook, no meta, no key, no settlement; of the customer only what the shop asked to be shown.
 */
import { charge } from '@quittance/contract/checkout';
import { type AssetCatalog, type CatalogAsset, findAsset } from '../catalog/asset-catalog.ts';
import { findCurrency } from '../catalog/currency-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import type { Checkout, CheckoutDossier, Commitment, Quote } from '../checkouts/checkout.ts';
import { standingSettlement } from '../checkouts/checkout-facts.ts';
import { type CheckoutException, type CheckoutState, isAlive, isCredited } from '../checkouts/checkout-state.ts';
import { asksForOther, quoteValidityMs } from '../checkouts/commit-checkout.ts';
import type { CheckoutContact } from '../checkouts/contact-store.ts';
import { type MissingDeps, missingAmount } from '../checkouts/missing-amount.ts';
import type { Customer } from '../counterparties/customer-store.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import { paymentsShown } from '../deposits/payment-totals.ts';
import type { Merchant } from '../http/caller.ts';
import { readInput } from '../http/read-input.ts';
import { present } from '../lib/assert.ts';
import { addMs } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import { formatFixed } from '../money/decimal.ts';
import { type PayerInstructions, plainInstructions } from '../networks/port/payer-instructions.ts';
import { roundPrice } from '../pricing/round-price.ts';
import { buyerLines } from './buyer-lines.ts';
import { type ChargeLine, chargeLines } from './charge-lines.ts';
import { isPageSettingOn, pageSetting, sellerEmail } from './page-setting.ts';
import { type LostPayment, lostPayments, networkName, type PublicPayment, publicPayment } from './public-payment.ts';
import { type PublicRate, publicRate } from './public-rate.ts';

export type PublicMethod = {
  readonly network: string;
  readonly networkName: string;
  readonly assetId: string;
  readonly assetName: string;
  readonly assetCode: string;
  readonly imageSrc: string;
  /** Methods of one group are worth the same: Bitcoin and Lightning, two dollars. */
  readonly group: string;
  readonly groupName: string;
  /** Null when it will be worked out anew. */
  readonly amount: string | null;
};

export type PayInstructions = {
  readonly network: string;
  readonly networkName: string;
  readonly assetId: string;
  readonly assetName: string;
  readonly assetCode: string;
  /** What is left to send. */
  readonly amount: string;
  readonly address: string;
  /** An invoice from before a part arrived: it asks for too much, and a new one is needed. */
  readonly isOutdated: boolean;
  readonly memo: string | null;
  readonly payUntil: Date;
  readonly instructions: PayerInstructions;
  /** False where nothing can be sent back to an address. */
  readonly takesRefundAddress: boolean;
  readonly rate: PublicRate | null;
};

export type PublicContact = {
  /** Enough for its owner to recognise, too little for anybody else. */
  readonly maskedEmail: string | null;
  readonly hasRefundAddress: boolean;
  readonly canChange: boolean;
};

export type PublicCheckout = {
  readonly id: string;
  readonly state: CheckoutState;
  readonly exceptions: readonly CheckoutException[];
  readonly language: string;
  readonly shopName: string;
  readonly sellerEmail: string | null;
  /** The billing address, line by line. */
  readonly buyer: readonly string[] | null;
  readonly total: string;
  readonly currency: string;
  readonly lines: readonly ChargeLine[];
  readonly methods: readonly PublicMethod[];
  /** How to pay by the method that was chosen last, or by the one that `chosen` names. */
  readonly pay: PayInstructions | null;
  /** The commitment of an earlier choice that the customer went back to, for the links of the page. */
  readonly chosen: string | null;
  readonly payments: readonly PublicPayment[];
  readonly lost: readonly LostPayment[];
  /** The shop is credited in another asset than was paid. */
  readonly isConverted: boolean;
  readonly completedAt: Date | null;
  readonly contact: PublicContact;
  readonly hasInvoice: boolean;
  readonly canReturn: boolean;
  readonly canCancel: boolean;
};

export type PageMerchant = Pick<
  Merchant,
  'id' | 'name' | 'email' | 'highRiskAssets' | 'pageSettings' | 'feePercent' | 'feeMinimumUsd'
>;

export type PublicCheckoutDeps = MissingDeps & { readonly health: NetworkHealth };

/** What a checkout's page needs besides the checkout. */
export type Surroundings = {
  readonly merchant: PageMerchant;
  readonly contact: CheckoutContact | null;
  readonly customer: Customer | null;
};

export function publicCheckout(
  deps: PublicCheckoutDeps,
  dossier: CheckoutDossier,
  { merchant, contact, customer }: Surroundings,
  view: { readonly now: Date; readonly chosen?: string | undefined; readonly quotes?: readonly Quote[] },
): PublicCheckout {
  const { checkout, commitments, payments } = dossier;
  const { now } = view;
  const latest = commitments.at(-1);
  const earlier = commitments.find(({ id, expiresAt }) => id === view.chosen && now < expiresAt && id !== latest?.id);
  const decimals = findCurrency(checkout.billingCurrency)?.decimals ?? 2;
  const alive = payments.filter(isAlive);
  const setting = (name: 'shopName' | 'returnUrl' | 'cancelUrl') => pageSetting(checkout, merchant, name);
  const isShown = (name: 'displayBuyerInfo' | 'displaySellerInfo') => isPageSettingOn(checkout, merchant, name);
  return {
    id: checkout.id,
    state: checkout.state,
    exceptions: checkout.exceptions,
    language: checkout.language,
    shopName: setting('shopName') ?? merchant.name,
    sellerEmail: isShown('displaySellerInfo') ? sellerEmail(merchant) : null,
    buyer: customer && isShown('displayBuyerInfo') ? buyerLines(customer) : null,
    total: formatFixed(roundPrice(checkout.total, decimals), decimals),
    currency: checkout.billingCurrency,
    lines: linesOf(checkout, decimals),
    methods: methodsOf(
      deps.assets,
      checkout,
      { isPartlyPaid: alive.length > 0, quotes: view.quotes ?? checkout.quotes },
      now,
    ),
    pay: instructionsOf(deps, dossier, earlier ?? latest, now),
    chosen: earlier?.id ?? null,
    payments: alive.slice(-paymentsShown).map((payment) => publicPayment(deps, dossier, payment)),
    lost: lostPayments(payments),
    isConverted: latest !== undefined && latest.quote.settlement.assetId !== latest.asset,
    completedAt: standingSettlement(dossier)?.settledAt ?? null,
    contact: {
      maskedEmail: contact?.email ? maskedEmail(contact.email) : null,
      hasRefundAddress: Boolean(contact?.refundAddress),
      canChange: payments.length === 0,
    },
    hasInvoice: customer !== null && isCredited(checkout.state),
    canReturn: setting('returnUrl') !== null,
    canCancel: setting('cancelUrl') !== null,
  };
}

const maskedEmail = (email: string): string => email.replace(/^(.)[^@]*@/, '$1…@');

/** The payload is what was posted, so it is read as it was read when it was accepted. */
function linesOf(checkout: Checkout, decimals: number): ChargeLine[] {
  try {
    return chargeLines(readInput(charge, checkout.payload['charge'], { name: 'The charge' }), decimals);
  } catch (error) {
    // A payload accepted by an older or newer release: the total, which is stored apart, is still shown.
    if (error instanceof GatewayError) return [];
    throw error;
  }
}

function methodsOf(
  assets: AssetCatalog,
  checkout: Checkout,
  { isPartlyPaid, quotes }: { readonly isPartlyPaid: boolean; readonly quotes: readonly Quote[] },
  now: Date,
): PublicMethod[] {
  const isRevived = checkout.state === 'EXPIRED' || checkout.state === 'CANCELED';
  const isPriceHeld = !isRevived && !isPartlyPaid && now < addMs(checkout.quotedAt, quoteValidityMs);
  return quotes.map((quote) => {
    const asset = present(findAsset(assets, quote.assetId), `asset ${quote.assetId}`);
    return {
      network: quote.network,
      networkName: networkName(quote.network),
      assetId: quote.assetId,
      assetName: coinName(assets, asset),
      assetCode: quote.paymentCode,
      imageSrc: asset.imageSrc,
      group: asset.group,
      groupName: findAsset(assets, asset.group)?.name ?? asset.group,
      amount: isPriceHeld ? quote.paymentAmount : null,
    };
  });
}

/** Bitcoin on Lightning is bitcoin: the network is said apart. */
const coinName = (assets: AssetCatalog, asset: CatalogAsset): string =>
  findAsset(assets, asset.currencyCode)?.name ?? asset.name;

function instructionsOf(
  deps: PublicCheckoutDeps,
  dossier: CheckoutDossier,
  commitment: Commitment | undefined,
  now: Date,
): PayInstructions | null {
  const amount = commitment && missingAmount(deps, dossier, commitment, now);
  if (!commitment || amount === undefined) return null;
  const asset = present(findAsset(deps.assets, commitment.asset), `asset ${commitment.asset}`);
  // Undefined when the network is no longer configured: its checkouts can still be looked at.
  const network = deps.connectors.get(commitment.network)?.network;
  const { address, memo } = commitment;
  const joint = jointTarget(dossier, network?.jointWith, now);
  const request = { assetCode: asset.assetCode, amount, address, memo, joint };
  return {
    network: commitment.network,
    networkName: networkName(commitment.network),
    assetId: commitment.asset,
    assetName: coinName(deps.assets, asset),
    assetCode: commitment.quote.paymentCode,
    amount,
    address,
    isOutdated: asksForOther(deps, dossier, commitment, now),
    memo,
    payUntil: commitment.expiresAt,
    instructions: network?.payerInstructions?.(request) ?? plainInstructions(request),
    takesRefundAddress: findNetwork(commitment.network)?.hasInvoices !== true,
    // After the window the amount is not of the quote any more.
    rate:
      now < commitment.expiresAt
        ? publicRate(commitment.quote, asset.currencyCode, dossier.checkout.billingCurrency)
        : null,
  };
}

/** Only while nothing has arrived: an invoice asks for the whole price and knows nothing of a part that was paid. */
function jointTarget(
  { commitments, payments }: CheckoutDossier,
  jointWith: string | undefined,
  now: Date,
): string | null {
  const other = commitments.findLast(({ network }) => network === jointWith);
  return other && payments.length === 0 && now < other.expiresAt ? other.address : null;
}
