/** What became of a mail to a customer or payer, in words. */
import type { StatusMail } from '../../checkouts/status-mail-store.ts';
import { isMailFailure } from '../../counterparties/mail-failure.ts';
import type { AccountLook } from './account-look.ts';

const failureText = ({ say }: AccountLook, reason: string | null): string =>
  say(`mailFailure_${reason !== null && isMailFailure(reason) ? reason : 'other'}`);

type Ended = Pick<StatusMail, 'outcome' | 'reason'>;

/** Null: nobody was to get it, because a receipt says it or it was not so any more. That is no news. */
export function mailOutcomeText(look: AccountLook, { outcome, reason }: Ended): string | null {
  const { say } = look;
  if (outcome === 'receipt' || outcome === 'over') return null;
  if (outcome !== 'limited') return say(`mailOutcome_${outcome}`, { reason: failureText(look, reason) });
  return say(reason !== null && ofAccount.includes(reason) ? 'mailOutcome_limited' : 'mailOutcome_limitedAddress');
}

/** Limits of the account, as the names of `emails/mail-limits`; all others are of the address. */
const ofAccount: readonly string[] = ['merchant', 'unpaid'];

export const mailBouncedText = (look: AccountLook, { reason }: Ended): string =>
  look.say('mailOutcome_bounced', { reason: failureText(look, reason) });
