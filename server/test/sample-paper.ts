/** Receipts, invoices and credit notes of a paid checkout, made up. */
import { charge } from '@quittance/contract/checkout';
import { chargeTotal } from '../src/checkouts/charge-total.ts';
import type { CheckoutState } from '../src/checkouts/checkout-state.ts';
import { readInput } from '../src/http/read-input.ts';
import { type Paper, paperOf } from '../src/invoices/paper.ts';
import { present } from '../src/lib/assert.ts';
import { sellerDataOf } from '../src/merchants/seller-data.ts';
import { timeZoneOf } from '../src/merchants/time-zone.ts';
import { decimal } from '../src/money/decimal.ts';
import { noteFacts } from '../src/papers/credit-note.ts';
import type { CreditReason, PaperFacts } from '../src/papers/paper-facts.ts';
import type { StoredPaper } from '../src/papers/paper-store.ts';
import { paperSums } from '../src/papers/paper-sums.ts';
import { sampleCheckout } from '../src/payment-page/sample-checkouts.ts';
import { roundPrice } from '../src/pricing/round-price.ts';
import { createLook, type PageLook } from '../src/web/page-layout.ts';
import type { PageLanguage } from '../src/web/texts/page-texts.ts';

const now = new Date('2026-11-15T16:45:00Z');
export const files = { stylesheet: '/css/page.css', script: '/js/pay.mjs' };
export const lookIn = (language: PageLanguage): PageLook => createLook(language, { isSandbox: false, files });

const beans = {
  lineItems: [{ description: 'Coffee beans', netAmount: '9.00', quantity: '2' }],
  discountItems: [{ description: 'Voucher', netAmount: '2.00' }],
  shippingCostItems: [{ description: 'Shipping', netAmount: '5.25', taxable: true }],
  taxItems: [{ name: 'VAT', percent: '0.2' }],
};

type Settings = Readonly<Record<string, unknown>>;
type Wish = {
  readonly kind: 'receipt' | 'invoice';
  readonly settings?: Settings;
  readonly sold?: Readonly<Record<string, unknown>>;
  /** What the shop accepted in place of the total. */
  readonly accepted?: string | null;
  readonly isSandbox?: boolean;
};

export function factsOf({ kind, settings = {}, sold = beans, accepted = null, isSandbox = false }: Wish): PaperFacts {
  const read = readInput(charge, { billingCurrency: 'EUR', ...sold }, { name: 'The charge' });
  const price = roundPrice(chargeTotal(read), 2);
  const textOf = (name: string): string | null => {
    const given = settings[name];
    return typeof given === 'string' ? given : null;
  };
  const [paid] = sampleCheckout('completed', now, 'en').payments;
  const { networkName, network, amount, assetCode, txHash } = present(paid, 'a payment');
  const { excess } = sampleCheckout('overpaid', now, 'en').sums;
  const isInvoice = kind === 'invoice';
  const fields = { firstname: 'Ada', lastname: 'Łukasiewicz', city: 'İstanbul', countrycode: 'tr', taxid: 'TR 4711' };
  return {
    kind,
    checkoutId: sampleCheckout('completed', now, 'en').id,
    orderReference: null,
    paidAt: now.toISOString(),
    timeZone: timeZoneOf(settings),
    language: 'en',
    currency: 'EUR',
    decimals: 2,
    isSandbox,
    seller: {
      name: 'Sample shop',
      legalLine: textOf('legalLine'),
      postalAddress: isInvoice ? (textOf('postalAddress')?.split('\n') ?? []) : [],
      taxId: textOf('taxId'),
      email: isInvoice ? 'account@nord.example' : 'shop@example.com',
      ...(isInvoice && { data: sellerDataOf({ pageSettings: settings }) }),
    },
    buyer: isInvoice ? { customerId: 'customer00001', email: 'ada@customer.example', fields } : null,
    ...paperSums(read, { price, paid: accepted === null ? price : decimal(accepted), decimals: 2 }),
    asked: accepted === null ? null : '25.50',
    payments: [
      {
        amount,
        assetCode,
        network,
        networkName,
        rate: { code: 'BTC', price: '55555.56', currency: 'EUR', sources: ['kraken'], conversionPercent: null },
        txHash,
        href: 'https://explorer.example/tx/7d1f',
        worth: accepted,
      },
    ],
    excess: accepted === null ? excess : [],
    returned: accepted === null ? excess : [],
    corrects: null,
  };
}

export const storedOf = (facts: PaperFacts): StoredPaper => ({
  merchantId: 'merchant00001',
  id: facts.kind,
  kind: facts.kind,
  checkoutId: facts.checkoutId,
  customerId: facts.buyer?.customerId ?? null,
  generation: 1,
  cause: 'settlement:1',
  correctsId: facts.corrects?.paperId ?? null,
  series: '',
  number: `${{ receipt: 'RCT', invoice: 'INV', creditNote: 'CRN' }[facts.kind]}-2026-00007`,
  issuedAt: now,
  facts,
});

/** A credit note about that paper, of so much. */
export function noteOn(corrects: StoredPaper, amount: string, reason: CreditReason): StoredPaper {
  const [paid] = corrects.facts.payments;
  const sent = { ...present(paid, 'a payment'), rate: null, worth: null };
  const payments = reason.kind === 'refund' ? [sent] : [];
  return storedOf(noteFacts({ corrects, amount, reason, paidAt: now, payments }, [corrects], corrects.facts.timeZone));
}

export const drawnIn = (
  look: PageLook,
  paper: StoredPaper,
  papers = [paper],
  settings: Settings = {},
  state: CheckoutState = 'COMPLETED',
): Paper =>
  paperOf(
    paper,
    papers,
    {
      look,
      shown: sampleCheckout('completed', now, look.language),
      surroundings: { merchant: { pageSettings: settings } },
      dossier: { checkout: { payload: {}, state } },
    },
    { buyerKey: paper.kind === 'receipt' ? null : 'key' },
  );

export function paperIn(
  look: PageLook,
  kind: 'receipt' | 'invoice',
  settings: Settings = {},
  more: Pick<Wish, 'sold' | 'accepted'> = {},
): Paper {
  return drawnIn(look, storedOf(factsOf({ kind, settings, isSandbox: look.isSandbox, ...more })));
}
