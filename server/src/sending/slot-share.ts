/**
 * How many slots of a network a merchant may take (`Sender.slots`). Whoever is paid can hold a payment for days, and with it
 * its slots. So the first slot of a merchant is whatever is free. Those that merchants have beyond their first, all of them
 * together, are at most half, and of what is left of that half nobody takes more than is left afterwards. The slots can be
 * held by no fewer merchants than half of them, whatever they order and in whatever order they come. Pure.
 */
import type { NetworkSlots } from '../networks/port/sending.ts';

export type SlotUse = {
  /** Of each merchant who has some: by payments that are under way or about to be. */
  readonly held: readonly number[];
  /** Of all of these, what the network cannot know yet. */
  readonly unsent: number;
  /** Of `held`, the merchant's own. */
  readonly own: number;
};

/** A first one is missing only where none is free. */
export function slotShare({ total, free }: NetworkSlots, { held, unsent, own }: SlotUse): number {
  const unused = Math.max(0, free - unsent);
  if (unused === 0) return 0;
  const beyond = held.reduce((sum, slots) => sum + beyondFirst(slots), 0);
  // What others send through our node is not ours to count, but it leaves less.
  const left = Math.min(Math.floor(total / 2) - beyond, Math.floor(unused / 2));
  const further = Math.max(0, Math.floor((left - beyondFirst(own)) / 2));
  return own === 0 ? 1 + further : further;
}

const beyondFirst = (slots: number): number => Math.max(0, slots - 1);

/** Why a payout is passed over. OWN_PAYMENTS: its merchant has some under way, and what is free is kept for others. */
export type SlotWait = 'OWN_PAYMENTS' | 'NETWORK';

export const slotWaitOf = ({ own }: Pick<SlotUse, 'own'>): SlotWait => (own > 0 ? 'OWN_PAYMENTS' : 'NETWORK');
