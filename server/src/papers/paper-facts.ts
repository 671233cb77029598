/**
 * What a receipt, an invoice or a credit note says, in no language: amounts as decimal texts with the decimals of the currency,
 * moments in ISO 8601, words of ours as names. Stored when the paper is issued, and never changed; page, PDF and e-invoice are
 * drawn from it alone.
 *
 * Others build on: `PaperFacts` with its parts, `PaperKind`, `makeFacts`. Fields are added, never renamed; what was stored
 * before a field existed lacks it, so a new one is optional.
 */
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import { findCurrency } from '../catalog/currency-catalog.ts';
import type { Buyer } from '../checkouts/buyer-store.ts';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { isAlive, isConfirmed } from '../checkouts/checkout-state.ts';
import { orderReference } from '../checkouts/order-of-checkout.ts';
import { readCharge } from '../checkouts/read-charge.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import { paymentsShown } from '../deposits/payment-totals.ts';
import { dayOf } from '../lib/local-day.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { NumberedKind } from '../merchants/paper-prefix.ts';
import { type SellerData, sellerDataOf } from '../merchants/seller-data.ts';
import { postalAddressOf } from '../merchants/settings-record.ts';
import { timeZoneOf } from '../merchants/time-zone.ts';
import { decimal, formatFixed } from '../money/decimal.ts';
import type { KnownNetwork } from '../networks/port/connector.ts';
import { accountText, isPageSettingOn, pageSetting, sellerEmail } from '../payment-page/page-setting.ts';
import { publicPayments } from '../payment-page/public-payment.ts';
import type { PublicRate } from '../payment-page/public-rate.ts';
import { publicSums } from '../payment-page/public-sums.ts';
import { roundPrice } from '../pricing/round-price.ts';
import type { PageLanguage } from '../web/texts/page-texts.ts';
import { paperSums } from './paper-sums.ts';

export type PaperKind = NumberedKind;

export type FactLine = {
  /** `accepted`: what the shop let go of the price. `part`: what a credit note takes back of many lines. */
  readonly kind: 'item' | 'discount' | 'shipping' | 'accepted' | 'part';
  /** The shop's name for it; null: our word. */
  readonly label: string | null;
  readonly quantity: string;
  /** Net, exactly as the shop sent it, of one piece; null where there is no such thing. Of a discount without a sign. */
  readonly unitPrice: string | null;
  /** Net, rounded; of a discount and of what was let go, negative. */
  readonly amount: string;
  readonly isTaxed: boolean;
};

/** All taxes of a charge are on the same base. `percent`: 19, not 0.19. */
export type FactTax = {
  readonly name: string;
  readonly percent: string;
  readonly base: string;
  readonly amount: string;
};

export type PaperSums = {
  readonly lines: readonly FactLine[];
  /** The sum of the lines. */
  readonly net: string;
  readonly taxes: readonly FactTax[];
  /** What is left of the total after net and taxes, of either sign. */
  readonly rounding: string;
  /** What was charged, and paid; of a credit note what it takes back, always positive. */
  readonly total: string;
};

export type FactPayment = {
  readonly amount: string;
  readonly assetCode: string;
  readonly network: string;
  readonly networkName: string;
  readonly rate: PublicRate | null;
  readonly txHash: string;
  readonly href: string | null;
  /** In the currency of the paper; null where its rate does not say that. */
  readonly worth: string | null;
};

export type FactSum = { readonly amount: string; readonly assetCode: string; readonly price: string | null };

export type Seller = {
  /** That of the business, which only its people set. */
  readonly name: string;
  /** What the shop calls itself on its pages, where that is another name. */
  readonly tradingName?: string | null;
  /** Its company and seat, in one line. */
  readonly legalLine: string | null;
  /** As the business wrote it, line by line. None on a receipt. */
  readonly postalAddress: readonly string[];
  readonly taxId: string | null;
  readonly email: string | null;
  /** What an electronic invoice must have in parts. None on a receipt. */
  readonly data?: SellerData;
};

/** Why there is a credit note. `text`: what a person wrote about it. */
export type CreditReason = { readonly kind: 'refund' | 'reversal' | 'hand'; readonly text: string | null };

export type Correction = {
  readonly paperId: string;
  readonly kind: 'receipt' | 'invoice';
  /** As it is printed. */
  readonly number: string;
  /** On which it was issued, where the shop was: 2026-11-17. */
  readonly day: string;
  readonly reason: CreditReason;
};

export type PaperFacts = PaperSums & {
  readonly kind: PaperKind;
  readonly checkoutId: string;
  /** The shop's own number of the order. */
  readonly orderReference: string | null;
  /** When the order was paid; of a credit note, when the money went back or the payment was found to be undone. */
  readonly paidAt: string;
  readonly timeZone: string;
  /** The day of supply, for want of a better one that of the payment; a credit note has that of what it corrects. */
  readonly suppliedOn?: string;
  /** In which it would be sent. It can be read in any. */
  readonly language: PageLanguage;
  readonly currency: string;
  readonly decimals: number;
  readonly isSandbox: boolean;
  readonly seller: Seller;
  /** Null on a receipt. */
  readonly buyer: Buyer | null;
  /** The price, where the shop accepted less; null: `total` is the price. */
  readonly asked: string | null;
  /** What was paid; of a credit note for a refund, what was sent back. */
  readonly payments: readonly FactPayment[];
  /** What came beyond the price, and what had been sent back of it by then. */
  readonly excess: readonly FactSum[];
  readonly returned: readonly FactSum[];
  /** Of a credit note. */
  readonly corrects: Correction | null;
};

export type FactDeps = {
  readonly assets: AssetCatalog;
  readonly connectors: ReadonlyMap<string, KnownNetwork>;
  readonly health: NetworkHealth;
  readonly isSandbox: boolean;
};

type PaperMerchant = Pick<Merchant, 'name' | 'email' | 'pageSettings'>;

/** Of a checkout that is credited, by its settlement that stands. `buyer` null: a receipt. */
export function makeFacts(
  deps: FactDeps,
  kind: 'receipt' | 'invoice',
  about: {
    readonly dossier: CheckoutDossier;
    readonly settledAt: Date;
    readonly merchant: PaperMerchant;
    readonly buyer: Buyer | null;
    readonly language: PageLanguage;
    readonly now: Date;
  },
): PaperFacts {
  const { dossier, merchant, buyer, settledAt } = about;
  const { checkout } = dossier;
  const currency = checkout.billingCurrency;
  const decimals = findCurrency(currency)?.decimals ?? 2;
  const { acceptedPrice, excess, returned } = publicSums(deps.assets, dossier, about.now);
  const price = roundPrice(checkout.total, decimals);
  const paid = acceptedPrice === null ? price : decimal(acceptedPrice);
  const counted = dossier.payments.filter((payment) => isAlive(payment) && isConfirmed(payment));
  const shown = publicPayments(deps, dossier, counted.slice(-paymentsShown), acceptedPrice);
  const sums = paperSums(readCharge(checkout), { price, paid, decimals });
  return {
    kind,
    checkoutId: checkout.id,
    orderReference: orderReference(checkout),
    paidAt: settledAt.toISOString(),
    timeZone: timeZoneOf(merchant.pageSettings),
    suppliedOn: dayOf(timeZoneOf(merchant.pageSettings), settledAt),
    language: about.language,
    currency,
    decimals,
    isSandbox: deps.isSandbox,
    seller: sellerOf(kind, checkout, merchant),
    buyer,
    ...sums,
    asked: acceptedPrice === null ? null : formatFixed(price, decimals),
    payments: shown.map(({ amount, assetCode, network, networkName, rate, txHash, href, price: worth }) => ({
      amount,
      assetCode,
      network,
      networkName,
      rate,
      txHash,
      href,
      worth,
    })),
    excess,
    returned,
    corrects: null,
  };
}

/**
 * The name of the business, not that of the shop: a checkout may bring the latter, so whoever may charge could name any seller.
 * An invoice names the seller with its address, whatever the page shows; a receipt has only the e-mail address, as the page does.
 */
function sellerOf(kind: 'receipt' | 'invoice', checkout: CheckoutDossier['checkout'], merchant: PaperMerchant): Seller {
  const isInvoice = kind === 'invoice';
  const hasEmail = isInvoice || isPageSettingOn(checkout, merchant, 'displaySellerInfo');
  const shopName = pageSetting(checkout, merchant, 'shopName')?.replaceAll(/[\s\p{Cc}]+/gu, ' ') ?? null;
  const name = merchant.name.trim() || (shopName ?? '');
  return {
    name,
    tradingName: shopName === null || isSameName(shopName, name) ? null : shopName,
    legalLine: accountText(merchant, 'legalLine'),
    postalAddress: isInvoice ? (postalAddressOf(merchant)?.split('\n') ?? []) : [],
    taxId: accountText(merchant, 'taxId'),
    email: hasEmail ? sellerEmail(merchant) : null,
    ...(isInvoice && { data: sellerDataOf(merchant) }),
  };
}

/** Whatever letters and blanks they are written with. */
export const isSameName = (a: string, b: string): boolean => plainName(a) === plainName(b);

const plainName = (name: string): string => name.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim().toLowerCase();
