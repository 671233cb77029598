/**
 * The invoices of the sandbox's node, as LND keeps them: each has an index of when it was made, and one of when it was
 * settled.
 */
import { join } from 'node:path';
import { type Journal, noJournal, openJournal } from '../journal.ts';

export type BookedInvoice = {
  readonly addIndex: number;
  readonly hash: string; // hex, like the preimage
  readonly preimage: string;
  readonly memo: string;
  readonly valueSat: string;
  readonly expirySeconds: number;
  readonly createdAt: number; // seconds
  readonly paymentRequest: string;
};

export type Settlement = {
  readonly hash: string;
  readonly settleIndex: number;
  readonly settledAt: number; // seconds
  readonly paidMsat: string;
};

type Entry = { readonly invoice: BookedInvoice } | { readonly settlement: Settlement };
export type Listener = (invoice: BookedInvoice) => void;

export type InvoiceBook = ReturnType<typeof openInvoiceBook>;

export function openInvoiceBook(options: { readonly folder?: string | undefined; readonly now: () => Date }) {
  const invoices: BookedInvoice[] = [];
  const byHash = new Map<string, BookedInvoice>();
  const settled: Settlement[] = [];
  const settlementOf = new Map<string, Settlement>();
  const listeners = new Set<Listener>();
  let journal: Journal<Entry> = noJournal;

  function apply(entry: Entry): void {
    if ('invoice' in entry) {
      invoices.push(entry.invoice);
      byHash.set(entry.invoice.hash, entry.invoice);
    } else {
      settled.push(entry.settlement);
      settlementOf.set(entry.settlement.hash, entry.settlement);
    }
  }
  function record(entry: Entry, invoice: BookedInvoice): void {
    journal.append(entry);
    apply(entry);
    for (const listener of listeners) listener(invoice);
  }
  if (options.folder !== undefined) {
    const opened = openJournal<Entry>(join(options.folder, 'lightning.jsonl'));
    opened.entries.forEach(apply);
    journal = opened.journal;
  }
  const seconds = (): number => Math.floor(options.now().getTime() / 1000);

  return {
    invoices,
    byHash,
    settlementOf,
    listeners,
    add(invoice: Omit<BookedInvoice, 'addIndex' | 'createdAt'>): BookedInvoice {
      const added = { ...invoice, addIndex: invoices.length + 1, createdAt: seconds() };
      record({ invoice: added }, added);
      return added;
    },
    settle(hash: string, paidMsat: bigint): void {
      const invoice = byHash.get(hash);
      if (!invoice || settlementOf.has(hash)) throw new Error(`${hash} cannot be settled`);
      const settlement = { hash, settleIndex: settled.length + 1, settledAt: seconds(), paidMsat: String(paidMsat) };
      record({ settlement }, invoice);
    },
    settledSince: (index: number): BookedInvoice[] =>
      settled.slice(index).map(({ hash }) => byHash.get(hash) as BookedInvoice),
    isExpired: (invoice: BookedInvoice): boolean => seconds() >= invoice.createdAt + invoice.expirySeconds,
    close: () => journal.close(),
  };
}
