/** Where a payout is on its way, and why it does not go on, in words. */
import type { PayoutPurpose } from '../sending/payout-store.ts';
import type { WaitingPayout } from '../sending/waiting-payout-store.ts';

export const purposeWords: Readonly<Record<PayoutPurpose, string>> = {
  transfer: 'Transfer',
  refund: 'Refund',
  settlement: 'Exchange',
  return: 'Return',
  withdrawal: 'Withdrawal',
  bridge: 'Bridge',
};

/** In the order in which they follow. */
export const payoutSteps = {
  heldBack: 'Its merchant is suspended',
  unpaid: 'Waits for a payment to be confirmed',
  queued: 'Waits to be signed',
  signed: 'Signed, not yet sent',
  sent: 'Waits for a block',
  included: 'Waits for more blocks',
} as const;

export type PayoutStep = keyof typeof payoutSteps;

export function payoutStep({ state, isHeldBack, isUnpaid, isIncluded, broadcastAt }: WaitingPayout): PayoutStep {
  if (state === 'QUEUED') return isHeldBack ? 'heldBack' : isUnpaid ? 'unpaid' : 'queued';
  if (isIncluded) return 'included';
  return broadcastAt === null ? 'signed' : 'sent';
}

const reasons: Readonly<Record<PayoutStep, string>> = {
  heldBack: 'It is sent when the account works again',
  unpaid: 'A payment that it gives back is not confirmed any more',
  queued: 'Too few coins that can be spent, a fee that is too high, or a node that does not answer',
  signed: 'The node has not taken it yet',
  sent: 'No block has taken it yet',
  included: 'In a block, and not deep enough yet',
};

/** Why it is still here. What a network refused is said in its own words. */
export function payoutReason(payout: WaitingPayout): string {
  const { failure, versions } = payout;
  const step = payoutStep(payout);
  const raised = step === 'sent' && versions > 1 ? `, although its fee was raised ${versions - 1} times` : '';
  return failure ?? `${reasons[step]}${raised}`;
}
