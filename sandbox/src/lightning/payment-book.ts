/**
 * The payments that the sandbox's node was asked to make, as LND keeps them: by their hash. One that is going on or
 * done is not begun again, one that failed may be.
 */
import { join } from 'node:path';
import { type Journal, noJournal, openJournal } from '../journal.ts';

export type BookedPayment = {
  readonly hash: string;
  readonly invoice: string;
  readonly msat: string;
  readonly begunAt: number; // milliseconds
  readonly outcome?: PaymentOutcome;
};

export type PaymentOutcome = { readonly at: number } & (
  | { readonly preimage: string; readonly feeMsat: string }
  | { readonly failure: string }
);

type Entry = { readonly begun: BookedPayment } | { readonly ended: { hash: string; outcome: PaymentOutcome } };
export type PaymentListener = (payment: BookedPayment) => void;

export type PaymentBook = ReturnType<typeof openPaymentBook>;

export function openPaymentBook(options: { readonly folder?: string | undefined } = {}) {
  const payments = new Map<string, BookedPayment>();
  const listeners = new Set<PaymentListener>();
  let journal: Journal<Entry> = noJournal;

  function apply(entry: Entry): void {
    if ('begun' in entry) return void payments.set(entry.begun.hash, entry.begun);
    const { hash, outcome } = entry.ended;
    const payment = payments.get(hash);
    if (payment) payments.set(hash, { ...payment, outcome });
  }
  function record(entry: Entry, hash: string): void {
    journal.append(entry);
    apply(entry);
    const payment = payments.get(hash);
    if (payment) for (const listener of listeners) listener(payment);
  }
  const end = (hash: string, outcome: PaymentOutcome): void => record({ ended: { hash, outcome } }, hash);

  if (options.folder !== undefined) {
    const opened = openJournal<Entry>(join(options.folder, 'lightning-payments.jsonl'));
    opened.entries.forEach(apply);
    journal = opened.journal;
  }

  return {
    payments,
    listeners,
    begin: (payment: Omit<BookedPayment, 'begunAt' | 'outcome'>): void =>
      record({ begun: { ...payment, begunAt: Date.now() } }, payment.hash),
    succeed: (hash: string, preimage: string, feeMsat: bigint): void =>
      end(hash, { at: Date.now(), preimage, feeMsat: String(feeMsat) }),
    fail: (hash: string, failure: string): void => end(hash, { at: Date.now(), failure }),
    underWay: (): BookedPayment[] => [...payments.values()].filter(({ outcome }) => outcome === undefined),
    close: () => journal.close(),
  };
}
