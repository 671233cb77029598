/** The parts of LND's invoices that we read, and how a node lists them. */
import type { LndRest } from './lnd-rest.ts';

export type LndInvoice = {
  readonly r_hash: string; // base64
  readonly payment_request: string;
  readonly state: 'OPEN' | 'SETTLED' | 'CANCELED' | 'ACCEPTED';
  readonly add_index: string;
  readonly settle_index: string; // counts the settled invoices of a node from 1; 0: not settled
  readonly settle_date: string; // seconds
  readonly amt_paid_sat: string; // whole satoshis: LND leaves parts of one out
  readonly amt_paid_msat: string;
};

const pageSize = 1_000;

export const settleIndexOf = (invoice: LndInvoice): number => Number(invoice.settle_index);
export const isSettled = (invoice: LndInvoice): boolean => invoice.state === 'SETTLED' && settleIndexOf(invoice) > 0;

const highest = (invoices: readonly LndInvoice[]): number =>
  invoices.reduce((most, invoice) => (isSettled(invoice) ? Math.max(most, settleIndexOf(invoice)) : most), 0);

type Page = { readonly invoices?: readonly LndInvoice[]; readonly first_index_offset?: string };

/** From the newest to the oldest. */
async function* invoicePages(lnd: LndRest): AsyncGenerator<readonly LndInvoice[]> {
  for (let before = '0'; ; ) {
    const path = `/v1/invoices?reversed=true&num_max_invoices=${pageSize}&index_offset=${before}`;
    const { invoices = [], first_index_offset: first = '0' } = await lnd.get<Page>(path);
    if (invoices.length > 0) yield invoices;
    if (invoices.length < pageSize || Number(first) <= 1) return;
    before = first;
  }
}

/** The highest settle index among the newest invoices: at most the node's own, and usually the same. */
export async function newestSettleIndex(lnd: LndRest, count: number): Promise<number> {
  const { invoices = [] } = await lnd.get<Page>(`/v1/invoices?reversed=true&num_max_invoices=${count}`);
  return highest(invoices);
}

/** Where to begin on a node that we have not watched before: at one of the last settled invoices, or at 0. */
export async function recentSettleIndex(lnd: LndRest): Promise<number> {
  for await (const page of invoicePages(lnd)) {
    const index = highest(page);
    if (index > 0) return index;
  }
  return 0;
}

/**
 * The first invoice that a node ever settled. No subscription tells it, because LND takes settle index 0 for "only what
 * is new". We ask only while a node has settled nothing else, so the lists are short. Invoices may settle while we read
 * the pages: if a later one is seen without the first, the first is in a second reading, or it is of a kind that is not
 * listed.
 */
export async function findFirstSettled(lnd: LndRest): Promise<LndInvoice | 'none yet' | 'not listed'> {
  for (const isLastReading of [false, true]) {
    let isAnySettled = false;
    for await (const page of invoicePages(lnd)) {
      const first = page.find((invoice) => isSettled(invoice) && settleIndexOf(invoice) === 1);
      if (first) return first;
      isAnySettled ||= highest(page) > 0;
    }
    if (!isAnySettled && !isLastReading) return 'none yet';
  }
  return 'not listed';
}
