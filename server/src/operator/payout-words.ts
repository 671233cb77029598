/** Where a payout is on its way, and why it does not go on, in words. */
import { isPaidByFile } from '../finding/bank-needs.ts';
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
  inDoubt: 'May have been paid',
  unpaid: 'Waits for a payment to be confirmed',
  owed: 'Its account owes money',
  queued: 'Waits to be signed',
  unfiled: 'Waits for a payment file',
  signed: 'Signed, not yet sent',
  sent: 'Waits for a block',
  included: 'Waits for more blocks',
  filed: 'In a payment file',
  booked: 'Booked by the bank',
} as const;

export type PayoutStep = keyof typeof payoutSteps;

export function payoutStep(payout: WaitingPayout): PayoutStep {
  const { network, state, purpose, isHeldBack, isInDoubt, isUnpaid, isIncluded, broadcastAt } = payout;
  const byFile = isPaidByFile(network);
  if (state === 'QUEUED' && isInDoubt) return 'inDoubt';
  const waitsFor = purpose === 'transfer' ? 'owed' : 'unpaid';
  if (state === 'QUEUED') return isHeldBack ? 'heldBack' : isUnpaid ? waitsFor : byFile ? 'unfiled' : 'queued';
  if (byFile) return isIncluded ? 'booked' : 'filed';
  if (isIncluded) return 'included';
  return broadcastAt === null ? 'signed' : 'sent';
}

const reasons: Readonly<Record<PayoutStep, string>> = {
  heldBack: 'It is sent when the account works again',
  inDoubt: 'Something was booked that names it: say under Suspense what that was',
  unpaid: 'A payment that it gives back is not confirmed any more',
  owed: 'What the account was credited for was taken back: it is sent when that is paid, or is cancelled',
  queued: 'Too few coins that can be spent, a fee that is too high, or a node that does not answer',
  unfiled: 'Somebody makes a file under Bank',
  signed: 'The node has not taken it yet',
  sent: 'No block has taken it yet',
  included: 'In a block, and not deep enough yet',
  filed: 'No statement has shown it yet',
  booked: 'The bank may still return it',
};

/** Why it is still here. What a network refused is said in its own words. */
export function payoutReason(payout: WaitingPayout): string {
  const { failure, versions } = payout;
  const step = payoutStep(payout);
  const raised = step === 'sent' && versions > 1 ? `, although its fee was raised ${versions - 1} times` : '';
  return failure ?? `${reasons[step]}${raised}`;
}
