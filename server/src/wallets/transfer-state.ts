/**
 * Every state a transfer can be in, and every way out of it. No other file decides this. What becomes of it once it is
 * QUEUED is up to `sending`; SENT, which clients see, is QUEUED with a signed transaction.
 */
import type { ShownTransferState } from '@quittance/contract/transfer';

export type TransferState = Exclude<ShownTransferState, 'SENT'>;
export type TransferMove = 'wait' | 'queue' | 'complete' | 'fail' | 'cancel';

export const transferMoves: Readonly<Record<TransferState, Partial<Record<TransferMove, TransferState>>>> = {
  AWAITING_APPROVAL: { wait: 'WAITING', queue: 'QUEUED', fail: 'FAILED', cancel: 'CANCELED' },
  WAITING: { wait: 'WAITING', queue: 'QUEUED', fail: 'FAILED', cancel: 'CANCELED' },
  QUEUED: { complete: 'COMPLETED', fail: 'FAILED', cancel: 'CANCELED' },
  COMPLETED: {}, // Deep enough in the chain: what happens there later is none of the merchant's business.
  FAILED: {},
  CANCELED: {},
};

export function movedTransferState(state: TransferState, move: TransferMove): TransferState {
  const target = transferMoves[state][move];
  if (target === undefined) throw new Error(`a transfer that is ${state} cannot ${move}`);
  return target;
}

/** Where a transfer begins. The waiting time of the destination runs while approval is awaited. */
export function openingState(facts: {
  readonly needsApproval: boolean;
  readonly usableFrom: Date;
  readonly now: Date;
}): 'AWAITING_APPROVAL' | 'WAITING' | 'QUEUED' {
  if (facts.needsApproval) return 'AWAITING_APPROVAL';
  return facts.usableFrom > facts.now ? 'WAITING' : 'QUEUED';
}

export const shownTransferState = (state: TransferState, isSigned: boolean): ShownTransferState =>
  state === 'QUEUED' && isSigned ? 'SENT' : state;
