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
  /** Of one merchant about orders for which nobody has sent anything: those cost nothing to cause. */
  readonly unpaidPerMerchant: number;
};

export const mailLimitNames = ['address', 'merchant', 'unpaid'] as const;
export type MailLimitName = (typeof mailLimitNames)[number];

type Counted = MailCount & { readonly name: MailLimitName };

export const countsOf = (
  limits: MailLimits,
  { merchantId, kind, addressHash }: { merchantId: string; kind: StatusMailKind; addressHash: string },
): Counted[] => [
  { name: 'address', scope: `address ${addressHash}`, most: limits.perAddress },
  { name: 'merchant', scope: `merchant ${merchantId}`, most: limits.perMerchant },
  ...(kind === 'created'
    ? [{ name: 'unpaid', scope: `unpaid ${merchantId}`, most: limits.unpaidPerMerchant } as const]
    : []),
];
