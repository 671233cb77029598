/**
 * What the hosted page may know about a checkout, field by field. Whoever has the link sees all of this, so nothing is
 * passed through: no webhook, no meta, no key, no settlement; of the customer only what the shop asked to be shown.
 */
import { findAsset } from '../catalog/asset-catalog.ts';
import { findCurrency } from '../catalog/currency-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import type { Buyer } from '../checkouts/buyer-store.ts';
import type { Checkout, CheckoutDossier, Commitment, Quote } from '../checkouts/checkout.ts';
import { standingSettlement } from '../checkouts/checkout-facts.ts';
import { type CheckoutException, type CheckoutState, isAlive } from '../checkouts/checkout-state.ts';
import { arePricesHeld, asksForOther } from '../checkouts/commit-checkout.ts';
import type { CheckoutContact } from '../checkouts/contact-store.ts';
import { type MissingDeps, missingAmount, missingByQuote } from '../checkouts/missing-amount.ts';
import { commitmentEnd } from '../checkouts/payment-portions.ts';
import { readCharge } from '../checkouts/read-charge.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import { paymentsShown } from '../deposits/payment-totals.ts';
import { present } from '../lib/assert.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { timeZoneOf } from '../merchants/time-zone.ts';
import { decimal, formatFixed } from '../money/decimal.ts';
import { goesBackToPayer, networkAsset } from '../networks/port/definition.ts';
import { type OfferedAs, type PayerInstructions, plainInstructions } from '../networks/port/payer-instructions.ts';
import type { KeptPlace } from '../payment-links/take-places.ts';
import { roundPrice } from '../pricing/round-price.ts';
import type { WayBack } from '../refunds/way-back.ts';
import { type PagePlace, topOfPage } from '../web/page-language.ts';
import { type AddressLine, buyerLines } from './buyer-lines.ts';
import { type ChargeLine, chargeLines } from './charge-lines.ts';
import {
  accountText,
  helpEmail,
  isPageSettingOn,
  type LegalLinks,
  legalLinks,
  orderReference,
  pageSetting,
  sellerEmail,
} from './page-setting.ts';
import { payableLate } from './payable-late.ts';
import { coinOf, type PublicCoin, publicCoins, type WayName } from './public-coins.ts';
import { type LostPayment, lostPayments, networkName, type PublicPayment, publicPayments } from './public-payment.ts';
import { type PublicRate, publicRate } from './public-rate.ts';
import { type PublicRefund, publicRefunds } from './public-refund.ts';
import { type PublicSums, publicSums } from './public-sums.ts';
import { maskedEmail, type PublicWayBack, publicWayBack } from './public-way-back.ts';
import { asksForMoney, shownState } from './shown-state.ts';

export type PayInstructions = {
  readonly network: string;
  readonly networkName: string;
  /** Its name among other ways of paying the same coin. */
  readonly wayName: WayName;
  readonly assetId: string;
  readonly assetName: string;
  readonly assetCode: string;
  /** What is left to send. */
  readonly amount: string;
  readonly address: string;
  /** The invoice was made before a part arrived, or was paid and that went back: a new one is needed. */
  readonly isOutdated: boolean;
  readonly memo: string | null;
  readonly payUntil: Date;
  /** How long the network gives a payer, from the choice on. */
  readonly windowMs: number;
  /** Another way that was chosen is open longer: then the page shows that one. */
  readonly isFollowed: boolean;
  readonly instructions: PayerInstructions;
  /** What the QR code says: only this way, though the link may name both. A code with both is hard to scan. Null: none. */
  readonly codeText: string | null;
  /** How to pay the same on the joint network: Lightning besides Bitcoin, or the other way round. */
  readonly joint: PayInstructions | null;
  /** Null: a coin, paid from a wallet. */
  readonly offeredAs: OfferedAs | null;
  /** False where nothing can be sent back to an address. */
  readonly takesRefundAddress: boolean;
  readonly rate: PublicRate | null;
};

export type PublicContact = {
  /** Its owner recognises it, and nobody else can read it. */
  readonly maskedEmail: string | null;
  /** The last characters of the refund address, by which its owner recognises it; null: there is none. */
  readonly refundEnding: string | null;
  readonly canChange: boolean;
};

export type PublicCheckout = {
  readonly id: string;
  /** The shop's own number of the order; null: it gave none for the page. */
  readonly orderReference: string | null;
  /** As it will be once all that has come is decided about: see `shownState`. */
  readonly state: CheckoutState;
  readonly exceptions: readonly CheckoutException[];
  readonly language: string;
  readonly shopName: string;
  readonly sellerEmail: string | null;
  /** Where a payer may ask for help. */
  readonly helpEmail: string | null;
  readonly legalLinks: LegalLinks;
  /** Who the shop is, in one line: its company, its seat. */
  readonly legalLine: string | null;
  /** The billing address, line by line. */
  readonly buyer: readonly AddressLine[] | null;
  readonly total: string;
  readonly currency: string;
  readonly lines: readonly ChargeLine[];
  /** The ways to pay, by coin: each with the networks that carry it. */
  readonly coins: readonly PublicCoin[];
  /** How to pay by the method that was chosen last; null where nothing is asked for, or nobody can say how much. */
  readonly pay: PayInstructions | null;
  /** The commitment by which it is paid now; null: nothing was chosen yet, or nothing takes the rest. */
  readonly commitmentId: string | null;
  /** The commitment that was chosen last, whether or not it is the one by which a rest is paid. */
  readonly choiceId: string | null;
  /** Who chooses now pays at the prices that were seen before. */
  readonly arePricesHeld: boolean;
  /** What else the links of the page keep. */
  readonly place: PagePlace;
  /** What was asked for, has come, is missing and is too much. */
  readonly sums: PublicSums;
  readonly payments: readonly PublicPayment[];
  readonly lost: readonly LostPayment[];
  /** Whether the shop is credited in another asset than was paid. */
  readonly isConverted: boolean;
  readonly completedAt: Date | null;
  /** The shop's: what was paid is dated there, on the slip, on papers and in mails. */
  readonly timeZone: string;
  readonly contact: PublicContact;
  /** Money that is held for the payer, or was sent back; null: there is none. */
  readonly wayBack: PublicWayBack | null;
  /** It goes to the account that it came from, so that nobody is asked where to. */
  readonly goesBackToPayer: boolean;
  /** Of a link that can be paid only so often, where a place is kept for less time than there is to pay. */
  readonly keptPlace: KeptPlace | null;
  /** What was sent back, oldest first. */
  readonly refunds: readonly PublicRefund[];
  readonly hasInvoice: boolean;
  readonly canReturn: boolean;
  readonly canCancel: boolean;
  /** The operator lets the shop take nothing. What arrives is credited all the same. */
  readonly isSuspended: boolean;
};

export type PageMerchant = Pick<
  Merchant,
  | 'id'
  | 'name'
  | 'email'
  | 'highRiskAssets'
  | 'riskTolerance'
  | 'takesRateOfBooking'
  | 'pageSettings'
  | 'feePercent'
  | 'feeMinimumUsd'
  | 'suspended'
>;

export type PublicCheckoutDeps = MissingDeps & { readonly health: NetworkHealth };

/** What a checkout's page needs besides the checkout. */
export type Surroundings = {
  readonly merchant: PageMerchant;
  readonly contact: CheckoutContact | null;
  readonly buyer: Pick<Buyer, 'email' | 'fields'> | null;
  /** Since when nothing is known of the customer any more; left out where somebody is. */
  readonly erasedAt?: Date | null;
  readonly keptPlace?: KeptPlace | null;
  /** Left out where nobody is told how to get money back. */
  readonly wayBack?: WayBack | null | undefined;
};

export function publicCheckout(
  deps: PublicCheckoutDeps,
  dossier: CheckoutDossier,
  { merchant, contact, buyer, wayBack, erasedAt = null, keptPlace = null }: Surroundings,
  view: {
    readonly now: Date;
    /** The earlier choice to which the payer went back. */
    readonly chosenAgain?: string | null;
    readonly place?: PagePlace;
    readonly quotes?: readonly Quote[];
  },
): PublicCheckout {
  const { checkout, commitments, payments } = dossier;
  const { now } = view;
  const state = shownState(dossier, now);
  const latest = commitments.at(-1);
  // One way may be open longer than another that was chosen later.
  const open = commitments.filter(({ expiresAt }) => now < expiresAt);
  const wished = open.find(({ id }) => id === view.chosenAgain) ?? open.at(-1) ?? latest;
  const chosen = payableLate(dossier, wished, now);
  const decimals = findCurrency(checkout.billingCurrency)?.decimals ?? 2;
  const alive = payments.filter(isAlive);
  const quotes = view.quotes ?? checkout.quotes;
  const sums = publicSums(deps.assets, dossier, now);
  const completedAt = standingSettlement(dossier)?.settledAt ?? null;
  const setting = (name: 'shopName' | 'returnUrl' | 'cancelUrl') => pageSetting(checkout, merchant, name);
  const isShown = (name: 'displayBuyerInfo' | 'displaySellerInfo') => isPageSettingOn(checkout, merchant, name);
  return {
    id: checkout.id,
    orderReference: orderReference(checkout),
    state,
    exceptions: checkout.exceptions,
    language: checkout.language,
    shopName: setting('shopName') ?? merchant.name,
    sellerEmail: isShown('displaySellerInfo') ? sellerEmail(merchant) : null,
    helpEmail: helpEmail(checkout, merchant),
    legalLinks: legalLinks(merchant),
    legalLine: accountText(merchant, 'legalLine'),
    buyer: buyer && isShown('displayBuyerInfo') ? buyerLines(buyer) : null,
    total: formatFixed(roundPrice(checkout.total, decimals), decimals),
    currency: checkout.billingCurrency,
    lines: linesOf(checkout, decimals),
    coins: publicCoins(
      deps,
      checkout.billingCurrency,
      quotes.map((quote) => ({ quote, amount: missingByQuote(deps, dossier, quote, now) ?? null })),
    ),
    pay: asksForMoney(state) ? instructionsOf(deps, dossier, chosen, now) : null,
    commitmentId: chosen?.id ?? null,
    choiceId: wished?.id ?? null,
    arePricesHeld: arePricesHeld(checkout, now),
    place: view.place ?? topOfPage,
    sums,
    payments: publicPayments(deps, dossier, alive.slice(-paymentsShown), sums.acceptedPrice),
    lost: lostPayments(payments),
    isConverted: latest !== undefined && latest.quote.settlement.assetId !== latest.asset,
    completedAt,
    timeZone: timeZoneOf(merchant.pageSettings),
    contact: {
      maskedEmail: contact?.email ? maskedEmail(contact.email) : null,
      refundEnding: contact?.refundAddress?.slice(-5) ?? null,
      canChange: payments.length === 0,
    },
    wayBack: wayBack ? publicWayBack(dossier.refunds, wayBack, now) : null,
    goesBackToPayer: alive.length > 0 && alive.every(({ network }) => goesBackToPayer(findNetwork(network))),
    keptPlace,
    refunds: publicRefunds(deps, dossier.refunds),
    // Whatever was paid before the customer was erased has its invoice.
    hasInvoice: completedAt !== null && (buyer !== null || (erasedAt !== null && completedAt < erasedAt)),
    canReturn: setting('returnUrl') !== null,
    canCancel: setting('cancelUrl') !== null,
    isSuspended: merchant.suspended !== null,
  };
}

/** Where the charge cannot be read any more, the total is still shown. */
function linesOf(checkout: Checkout, decimals: number): ChargeLine[] {
  const charge = readCharge(checkout);
  return charge ? chargeLines(charge, decimals) : [];
}

function instructionsOf(
  deps: PublicCheckoutDeps,
  dossier: CheckoutDossier,
  commitment: Commitment | undefined,
  now: Date,
  isJoint = false,
): PayInstructions | null {
  const missing = commitment && missingAmount(deps, dossier, commitment, now);
  if (!commitment || missing === undefined) return null;
  const asset = present(findAsset(deps.assets, commitment.asset), `asset ${commitment.asset}`);
  // Undefined when the network is no longer configured: its checkouts can still be shown.
  const network = deps.connectors.get(commitment.network)?.network;
  const { address, memo } = commitment;
  // As banks write money: 9.90, not 9.9.
  const amount = network?.takesOwnCurrencyOnly
    ? formatFixed(decimal(missing), networkAsset(network, asset.assetCode).scale)
    : missing;
  const payUntil = commitmentEnd(dossier.checkout, commitment);
  const other = jointCommitment(dossier, network?.jointWith, now);
  const request = { assetCode: asset.assetCode, amount, address, memo, joint: other?.address ?? null };
  const instructionsFor = network?.payerInstructions ?? plainInstructions;
  return {
    network: commitment.network,
    networkName: networkName(commitment.network),
    wayName: network?.wayName ?? networkName(commitment.network),
    assetId: commitment.asset,
    assetName: coinOf(deps.assets, asset).name,
    assetCode: commitment.quote.paymentCode,
    amount,
    address,
    isOutdated: asksForOther(deps, dossier, commitment, now),
    memo,
    payUntil,
    windowMs: commitment.expiresAt.getTime() - commitment.committedAt.getTime(),
    isFollowed: dossier.commitments.some((each) => commitmentEnd(dossier.checkout, each) > payUntil),
    instructions: instructionsFor(request),
    codeText: instructionsFor({ ...request, joint: null }).link.qrText,
    joint: isJoint ? null : instructionsOf(deps, dossier, other, now, true),
    takesRefundAddress: takesRefundAddress(commitment.network),
    offeredAs: findNetwork(commitment.network)?.offeredAs ?? null,
    // After the window the amount is no longer the quote's, so its rate would be wrong.
    rate: now < payUntil ? publicRate(commitment.quote, asset.currencyCode, dossier.checkout.billingCurrency) : null,
  };
}

/** An invoice of today is of no use then; and at banks, money goes back to where it came from. */
function takesRefundAddress(id: string): boolean {
  const network = findNetwork(id);
  return network?.hasInvoices !== true && !goesBackToPayer(network);
}

/** Only while nothing has arrived: an invoice asks for the whole price and knows nothing of a part that was paid. */
function jointCommitment(
  { commitments, payments }: CheckoutDossier,
  jointWith: string | undefined,
  now: Date,
): Commitment | undefined {
  const other = commitments.findLast(({ network }) => network === jointWith);
  return other && payments.length === 0 && now < other.expiresAt ? other : undefined;
}
