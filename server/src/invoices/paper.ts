/**
 * What a receipt or an invoice says, in the words and numbers of its language. The page and the PDF are both made from
 * this alone, so that they cannot say different things.
 */
import { isCredited } from '../checkouts/checkout-state.ts';
import { postalAddressOf } from '../merchants/settings-record.ts';
import { timeZoneOf } from '../merchants/time-zone.ts';
import { addressText, buyerLines } from '../payment-page/buyer-lines.ts';
import { detailText, labelText } from '../payment-page/charge-lines.ts';
import type { FoundPage } from '../payment-page/find-page.ts';
import { accountText, orderFacts, sellerEmail } from '../payment-page/page-setting.ts';
import type { PublicCheckout } from '../payment-page/public-checkout.ts';
import type { PublicPayment } from '../payment-page/public-payment.ts';
import { acceptedText, excessRows, isPaidAtOnce, worthyText } from '../payment-page/receipt-rows.ts';
import { coinText, paperDate, paperDay, priceText, rateText } from '../web/number-text.ts';
import type { PageLook } from '../web/page-layout.ts';
import type { PaperKind } from '../web/paper-path.ts';
import { type ChargeSums, chargeSums } from './charge-sums.ts';

export type PaperLine = { readonly label: string; readonly detail: string | null; readonly amount: string };

export type Party = { readonly title: string; readonly lines: readonly string[] };

export type PaperPayment = {
  readonly amount: string;
  readonly networkName: string;
  readonly rate: string | null;
  readonly txHash: string;
  readonly href: string | null;
};

export type Paper = {
  readonly kind: PaperKind;
  readonly id: string;
  readonly title: string;
  readonly shopName: string;
  /** Written over everything else: that this is only a test. */
  readonly warning: string | null;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly parties: readonly Party[];
  /** The buyer is left out until the reader has shown to be the buyer. */
  readonly isBuyerVeiled: boolean;
  /** With which the reader did so; null: there was no need, or it was not done. */
  readonly buyerKey: string | null;
  readonly lines: readonly PaperLine[];
  /** Between the items and the total: the net amount, the taxes and the difference by rounding. */
  readonly sums: readonly PaperLine[];
  readonly total: PaperLine;
  readonly note: string | null;
  /** The stamp. What was paid and then given back has papers too, which say so. */
  readonly mark: { readonly text: string; readonly isPaid: boolean };
  readonly payments: readonly PaperPayment[];
  /** What of it was too much, and what of that was sent back. */
  readonly excess: readonly (readonly [name: string, value: string])[];
} & Pick<PublicCheckout, 'legalLine' | 'legalLinks'>;

/** The parts of a found page that a paper is made from. */
type Facts = Pick<FoundPage, 'shown' | 'surroundings' | 'look'> & {
  readonly dossier: { readonly checkout: Pick<FoundPage['dossier']['checkout'], 'payload'> };
};

/**
 * Null if the checkout was never paid, and for an invoice if the shop did not say who the customer is. `buyerKey`: one that
 * was found to be right.
 */
export function paperOf(kind: PaperKind, found: Facts, buyerKey: string | null = null): Paper | null {
  const { shown, surroundings, look } = found;
  const { merchant } = surroundings;
  const isPaid = isCredited(shown.state);
  if (!(isPaid || shown.state === 'REFUNDED') || shown.completedAt === null) return null;
  if (kind === 'invoice' && !shown.hasInvoice) return null;
  const { say, language } = look;
  const price = (amount: string): string => priceText(language, amount, shown.currency);
  const lineOf = (line: (typeof shown.lines)[number]): PaperLine => ({
    label: labelText(say, line),
    detail: detailText(language, line),
    amount: price(line.amount),
  });
  const sums = chargeSums(shown.lines, shown.total);
  const timeZone = timeZoneOf(merchant.pageSettings);
  const date: [string, string] =
    kind === 'invoice'
      ? [say('invoiceDate'), paperDay(language, shown.completedAt, timeZone)]
      : [say('paidWhen'), paperDate(language, shown.completedAt, timeZone)];
  const notes = [acceptedText(look, shown), isPaid ? null : say('refundedText')].filter((note) => note !== null);
  return {
    kind,
    id: shown.id,
    title: say(kind),
    shopName: shown.shopName,
    warning: look.isSandbox ? say('sandbox') : null,
    facts: [...orderFacts(say, shown), date],
    parties: partiesOf(kind, found, buyerKey !== null),
    isBuyerVeiled: kind === 'invoice' && buyerKey === null && buyerWish(found) === undefined,
    buyerKey,
    lines: sums.items.map(lineOf),
    sums: sumLines(look, sums).map((line) => ({ ...line, amount: price(line.amount) })),
    total: { label: say('total'), detail: null, amount: price(shown.total) },
    note: notes.length === 0 ? null : notes.join(' '),
    mark: { text: say(isPaid ? 'paid' : 'refunded'), isPaid },
    payments: shown.payments.map((payment) => paymentOf(look, payment, shown)),
    excess: excessRows(look, shown),
    legalLine: shown.legalLine,
    legalLinks: shown.legalLinks,
  };
}

/** The net amount is left out if it would only repeat the total. */
function sumLines({ say, language }: PageLook, { net, taxes, rounding }: ChargeSums): PaperLine[] {
  return [
    ...(taxes.length > 0 ? [{ label: say('netAmount'), detail: null, amount: net }] : []),
    ...taxes.map((tax) => ({
      label: labelText(say, tax),
      detail: detailText(language, tax),
      amount: tax.amount,
    })),
    ...(rounding === null ? [] : [{ label: say('rounding'), detail: null, amount: rounding }]),
  ];
}

/**
 * What the shop says about showing the buyer to whoever has the link of the payment: true, the page and the invoice do;
 * false, neither ever does; undefined, only the buyer sees it.
 */
function buyerWish({ surroundings: { merchant }, dossier }: Facts): boolean | undefined {
  const wishes = [
    dossier.checkout.payload.pageSettings?.['displayBuyerInfo'],
    merchant.pageSettings['displayBuyerInfo'],
  ];
  return wishes.find((wish) => typeof wish === 'boolean');
}

/**
 * An invoice names both sides: always the seller's address, whatever the page shows, and the buyer's as the shop wishes.
 * Everybody who has the link gets the receipt, so it names only those whom the page names.
 */
function partiesOf(kind: PaperKind, found: Facts, isBuyer: boolean): Party[] {
  const { shown, surroundings, look } = found;
  const { say } = look;
  const { merchant, customer } = surroundings;
  const taxId = accountText(merchant, 'taxId');
  const email = kind === 'invoice' ? sellerEmail(merchant) : shown.sellerEmail;
  const postal = kind === 'invoice' ? (postalAddressOf(merchant)?.split('\n') ?? []) : [];
  const seller = [
    shown.shopName,
    ...postal,
    shown.legalLine,
    taxId === null ? null : addressText(look, { taxId }),
    email,
  ];
  const isBuyerNamed = buyerWish(found) ?? isBuyer;
  const buyer =
    kind === 'receipt' || customer === null || !isBuyerNamed
      ? []
      : buyerLines(customer).map((line) => addressText(look, line));
  return [
    { title: say('seller'), lines: seller.filter((line) => line !== null) },
    { title: say('buyer'), lines: buyer },
  ].filter(({ lines }) => lines.length > 0);
}

function paymentOf(look: PageLook, payment: PublicPayment, checkout: PublicCheckout): PaperPayment {
  const { language } = look;
  const { rate, networkName, txHash, href } = payment;
  return {
    amount: isPaidAtOnce(checkout)
      ? coinText(language, payment.amount, payment.assetCode)
      : worthyText(look, payment, checkout.currency),
    networkName,
    rate: rate === null ? null : rateText(language, rate),
    txHash,
    href,
  };
}
