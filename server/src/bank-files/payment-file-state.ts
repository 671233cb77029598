/** Every state of a payment file, and every move between them; and what people are told of a file and of the orders in it. */
import { statesByMove } from '../lib/state-table.ts';
import type { OutgoingTransactionState } from '../sending/outgoing-transaction-state.ts';

/**
 * MADE: nobody has its bytes. DOWNLOADED: somebody has, and may sign it at any moment. VOID_DECLARED: the operator says that
 * nobody will; whether that is so, statements must show, order by order. VOID: it was never downloaded, and never will be.
 */
export type PaymentFileState = 'MADE' | 'DOWNLOADED' | 'VOID_DECLARED' | 'VOID';

export const paymentFileStates = statesByMove({
  column: 'payment_file.state',
  noun: 'payment file',
  states: ['MADE', 'DOWNLOADED', 'VOID_DECLARED', 'VOID'] satisfies PaymentFileState[],
  first: ['MADE'],
  last: ['VOID_DECLARED', 'VOID'],
  moves: {
    /** Also a second time, for who confirms it. */
    download: { MADE: 'DOWNLOADED', DOWNLOADED: 'DOWNLOADED' },
    void: { MADE: 'VOID' },
    declareVoid: { DOWNLOADED: 'VOID_DECLARED' },
  },
});

/** What has become of a payment at a bank, as people say it. Those that wait for a file are in none, so they have no order yet. */
export const orderStates = ['IN_FILE', 'DOWNLOADED', 'BOOKED', 'SETTLED', 'REJECTED', 'RETURNED', 'VOID'] as const;
export type OrderState = (typeof orderStates)[number];

export type OrderFacts = {
  readonly state: OutgoingTransactionState;
  /** It was booked, and has come back: known before it ends. */
  readonly isReturned: boolean;
};

export function orderState(file: PaymentFileState, { state, isReturned }: OrderFacts): OrderState {
  if (isReturned) return 'RETURNED';
  const states: Readonly<Record<OutgoingTransactionState, OrderState>> = {
    OPEN: file === 'MADE' ? 'IN_FILE' : 'DOWNLOADED',
    INCLUDED: 'BOOKED',
    DONE: 'SETTLED',
    FAILED: 'REJECTED',
    EXPIRED: 'VOID',
    REPLACED: 'VOID', // No order has a second version.
  };
  return states[state];
}

export type OrderCounts = Readonly<Partial<Record<OrderState, number>>>;

/** Of a file whose orders are all decided what became of them counts, and no longer how far the file was. */
export type FileFate = PaymentFileState | 'BOOKED' | 'CLOSED';

export function fileFate(state: PaymentFileState, counts: OrderCounts): FileFate {
  const countOf = (...states: OrderState[]): number => states.reduce((sum, each) => sum + (counts[each] ?? 0), 0);
  if (countOf('IN_FILE', 'DOWNLOADED') > 0) return state;
  if (countOf('BOOKED') > 0) return 'BOOKED';
  return countOf('SETTLED', 'REJECTED', 'RETURNED') > 0 ? 'CLOSED' : 'VOID';
}
