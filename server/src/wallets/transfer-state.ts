/**
 * Every state of a transfer, and every move between them. No other file decides this. What becomes of it once it is
 * QUEUED is up to `sending`; SENT, which clients see, is QUEUED with a signed transaction.
 */
import type { ShownTransferState } from '@quittance/contract/transfer';
import { statesByMove } from '../lib/state-table.ts';

export type TransferState = Exclude<ShownTransferState, 'SENT'>;

export const transferStates = statesByMove({
  column: 'transfer.state',
  noun: 'transfer',
  states: ['AWAITING_APPROVAL', 'WAITING', 'QUEUED', 'COMPLETED', 'FAILED', 'CANCELED'] satisfies TransferState[],
  first: ['AWAITING_APPROVAL', 'WAITING', 'QUEUED'],
  last: ['FAILED', 'CANCELED'],
  moves: {
    wait: { AWAITING_APPROVAL: 'WAITING', WAITING: 'WAITING' },
    queue: { AWAITING_APPROVAL: 'QUEUED', WAITING: 'QUEUED' },
    /** Deep enough in the chain. What a reorganisation does later does not concern the merchant. */
    complete: { QUEUED: 'COMPLETED' },
    /** It had arrived, and all of it came back; or a part of it. */
    comeBack: { COMPLETED: 'FAILED' },
    comeBackInPart: { COMPLETED: 'COMPLETED' },
    fail: { AWAITING_APPROVAL: 'FAILED', WAITING: 'FAILED', QUEUED: 'FAILED' },
    cancel: { AWAITING_APPROVAL: 'CANCELED', WAITING: 'CANCELED', QUEUED: 'CANCELED' },
  },
});

export type TransferMove = keyof typeof transferStates.moves;

/** The first state of a transfer. The destination's waiting time runs while the transfer waits for approval. */
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
