/** An e-invoice as a file. A thread does it: an invoice of a thousand positions is a megabyte. */
import { ciiInvoice } from '../papers/cii-invoice.ts';
import type { EInvoice } from '../papers/e-invoice.ts';
import { ublInvoice } from '../papers/ubl-invoice.ts';

export type EInvoiceFormat = 'xml' | 'ubl';

export const writeEInvoice = (format: EInvoiceFormat, invoice: EInvoice): Buffer =>
  Buffer.from((format === 'xml' ? ciiInvoice : ublInvoice)(invoice));
