/**
 * How many mails about orders go out on a day (UTC), so that nobody uses us to mail strangers: who opens an account could name
 * any address as a customer's. What is beyond is not sent and not kept for later; the checkout goes on as ever.
 */
import type { CustomerMailKind } from '../checkouts/status-mail-store.ts';
import { addressHash } from '../counterparties/mail-token.ts';
import type { MailCount } from './mail-count-store.ts';

export type MailLimits = {
  /** To one address, of all merchants together. */
  readonly perAddress: number;
  /** Of these, what costs nothing to cause: so that nobody takes all the room from those who were paid. */
  readonly unpaidPerAddress: number;
  readonly perMerchantAndAddress: number;
  readonly perMerchant: number;
  /** Of one merchant, where causing one costs nothing: nobody has sent anything yet, or all money is play money. */
  readonly unpaidPerMerchant: number;
};

export type MailLimitName = 'address' | 'unpaidAddress' | 'merchantAddress' | 'merchant' | 'unpaid';

type Counted = MailCount & { readonly name: MailLimitName };

/** Nobody has sent anything yet; or it is written once more, as often as somebody presses a button. */
const freeKinds: readonly CustomerMailKind[] = ['created', 'receipt', 'paper'];

export function countsOf(
  limits: MailLimits,
  mail: {
    readonly merchantId: string;
    readonly kind: CustomerMailKind;
    readonly to: string;
    readonly isSandbox: boolean;
  },
): Counted[] {
  const { merchantId, kind } = mail;
  const mailbox = mailboxHash(mail.to);
  const isUnpaid = kind === 'created' || mail.isSandbox;
  return [
    { name: 'address', scope: `address ${mailbox}`, most: limits.perAddress },
    ...(freeKinds.includes(kind)
      ? [{ name: 'unpaidAddress', scope: `unpaid address ${mailbox}`, most: limits.unpaidPerAddress } as const]
      : []),
    { name: 'merchantAddress', scope: `address ${merchantId} ${mailbox}`, most: limits.perMerchantAndAddress },
    { name: 'merchant', scope: `merchant ${merchantId}`, most: limits.perMerchant },
    ...(isUnpaid ? [{ name: 'unpaid', scope: `unpaid ${merchantId}`, most: limits.unpaidPerMerchant } as const] : []),
  ];
}

/**
 * `ada+1@…` and `ada+2@…` are read by the same person nearly everywhere. Only counted together: where that is not so, they are two
 * people who share a limit, and each gets their own mails and stops their own.
 */
const mailboxHash = (email: string): string => addressHash(email.trim().replace(/^([^+@]+)\+[^@]*@/, '$1@'));
