/** A receipt or an invoice of a paid checkout, made up. */
import { type Paper, paperOf } from '../src/invoices/paper.ts';
import { present } from '../src/lib/assert.ts';
import { sampleCheckout } from '../src/payment-page/sample-checkouts.ts';
import { createLook, type PageLook } from '../src/web/page-layout.ts';
import type { PaperKind } from '../src/web/paper-path.ts';
import type { PageLanguage } from '../src/web/texts/page-texts.ts';

const now = new Date('2026-11-15T16:45:00Z');
export const files = { stylesheet: '/css/page.css', script: '/js/pay.mjs' };
export const lookIn = (language: PageLanguage): PageLook => createLook(language, { isSandbox: false, files });

export function paperIn(
  look: PageLook,
  kind: PaperKind,
  pageSettings: Record<string, unknown> = {},
  lines = sampleCheckout('completed', now, 'en').lines,
  /** What the shop accepted in place of the total. */
  acceptedPrice: string | null = null,
): Paper {
  const legalLine = typeof pageSettings['legalLine'] === 'string' ? pageSettings['legalLine'] : null;
  const shown = { ...sampleCheckout('completed', now, look.language), hasInvoice: true, lines, legalLine };
  const { sums } = sampleCheckout('overpaid', now, 'en');
  const paidSums = acceptedPrice === null ? { ...sums, returned: sums.excess } : { ...sums, excess: [], acceptedPrice };
  const [paid] = shown.payments;
  const rate = { code: 'BTC', price: '55555.56', currency: 'EUR', sources: ['kraken'], conversionPercent: null };
  const payments = [
    { ...present(paid, 'a payment'), rate, price: acceptedPrice, href: 'https://explorer.example/tx/7d1f' },
  ];
  const merchant = {
    id: 'merchant00001',
    name: 'Nord',
    email: 'account@nord.example',
    highRiskAssets: [],
    riskTolerance: 'MEDIUM' as const,
    pageSettings,
    feePercent: null,
    feeMinimumUsd: null,
    suspended: null,
  };
  const fields = { firstname: 'Ada', lastname: 'Łukasiewicz', city: 'İstanbul', countrycode: 'tr', taxid: 'TR 4711' };
  const customer = { id: 'customer00001', email: 'ada@customer.example', fields, meta: null, createdAt: now };
  const surroundings = { merchant, contact: null, customer };
  const dossier = { checkout: { payload: {} } };
  return present(
    paperOf(
      kind,
      { shown: { ...shown, payments, sums: paidSums }, surroundings, look, dossier },
      kind === 'invoice' ? 'key' : null,
    ),
    'a paper',
  );
}
