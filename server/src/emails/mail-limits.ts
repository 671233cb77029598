/**
 * How many status mails go out on a day (UTC), so that nobody uses us to mail strangers: who opens an account could name
 * any address as a customer's. What is beyond is not sent and not kept for later; the checkout goes on as ever.
 */
import type { StatusMailKind } from '../merchants/status-mails.ts';
import type { MailCount } from './mail-count-store.ts';

export type MailLimits = {
  /** To one address, of all merchants together. */
  readonly perAddress: number;
  readonly perMerchant: number;
  /** Of one merchant, where causing one costs nothing: nobody has sent anything yet, or all money is play money. */
  readonly unpaidPerMerchant: number;
};

export const mailLimitNames = ['address', 'merchant', 'unpaid'] as const;
export type MailLimitName = (typeof mailLimitNames)[number];

type Counted = MailCount & { readonly name: MailLimitName };

export const countsOf = (
  limits: MailLimits,
  mail: {
    readonly merchantId: string;
    readonly kind: StatusMailKind;
    readonly addressHash: string;
    readonly isSandbox: boolean;
  },
): Counted[] => [
  { name: 'address', scope: `address ${mail.addressHash}`, most: limits.perAddress },
  { name: 'merchant', scope: `merchant ${mail.merchantId}`, most: limits.perMerchant },
  ...(mail.kind === 'created' || mail.isSandbox
    ? [{ name: 'unpaid', scope: `unpaid ${mail.merchantId}`, most: limits.unpaidPerMerchant } as const]
    : []),
];
