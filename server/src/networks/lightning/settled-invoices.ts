/**
 * The invoices that a node has settled, by settle index. LND lists invoices by the time when they were made; only a
 * subscription goes by settlement. It begins with everything after an index, then stays open, and does not say where
 * the old ones end and the new ones begin. So we leave it open, and keep what it brought until the caller's cursor is
 * past it. If this memory is lost, a new subscription begins at the stored cursor, and no invoice is lost.
 */
import { NetworkError } from '../port/connector.ts';
import { isSettled, type LndInvoice, settleIndexOf } from './lnd-invoice.ts';
import type { LndRest, LndSubscription } from './lnd-rest.ts';

export type SettledInvoices = {
  /**
   * Those after `index`, in order, at most a round of them. Waits for those up to `known`, which are known to exist.
   */
  after(index: number, known: number): Promise<readonly LndInvoice[]>;
};

export const invoicesPerRound = 500;
const patienceMs = 10_000;
/** A connection can be dead without either side noticing. */
const renewAfterMs = 300_000;

type Opened = {
  readonly since: number;
  readonly openedAt: number;
  invoices: LndInvoice[];
  last: number;
  isOver: boolean;
  subscription?: LndSubscription;
  wake: () => void;
};

export function createSettledInvoices(lnd: LndRest): SettledInvoices {
  let current: Opened | undefined;

  function open(since: number): Opened {
    current?.subscription?.close();
    const openedAt = performance.now();
    const opened: Opened = { since, openedAt, invoices: [], last: since, isOver: false, wake: () => undefined };
    opened.subscription = lnd.subscribe(`/v1/invoices/subscribe?settle_index=${since}`, {
      onMessage(message) {
        const invoice = message as LndInvoice;
        // New invoices are told on the same subscription.
        if (!isSettled(invoice) || settleIndexOf(invoice) <= since) return;
        opened.invoices.push(invoice);
        opened.last = Math.max(opened.last, settleIndexOf(invoice));
        if (opened.invoices.length >= 2 * invoicesPerRound) opened.subscription?.pause();
        opened.wake();
      },
      onEnd() {
        opened.isOver = true; // Any other question to the node will say what is wrong.
        opened.wake();
      },
    });
    return opened;
  }

  function openedFor(index: number): Opened {
    const isUsable = current && !current.isOver && index >= current.since;
    const isOld = current && performance.now() - current.openedAt > renewAfterMs;
    if (!current || !isUsable || isOld) current = open(index);
    return current;
  }

  async function arrival(opened: Opened, isThere: () => boolean): Promise<void> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      opened.wake();
    }, patienceMs);
    try {
      while (!isThere() && !opened.isOver && !isLate) {
        const { promise, resolve } = Promise.withResolvers<void>();
        opened.wake = resolve;
        await promise;
      }
    } finally {
      clearTimeout(timer);
    }
    if (isThere()) return;
    opened.subscription?.close();
    opened.isOver = true;
    throw new NetworkError('The Lightning node does not tell of invoices that it has settled.', { isRetryable: true });
  }

  return {
    async after(index, known) {
      const opened = openedFor(index);
      const isPast = (invoice: LndInvoice): boolean => settleIndexOf(invoice) <= index;
      if (opened.invoices.some(isPast)) {
        opened.invoices = opened.invoices.filter((invoice) => !isPast(invoice));
        opened.subscription?.resume();
      }
      await arrival(opened, () => opened.last >= known || opened.invoices.length >= invoicesPerRound);
      return opened.invoices.toSorted((a, b) => settleIndexOf(a) - settleIndexOf(b)).slice(0, invoicesPerRound);
    },
  };
}
