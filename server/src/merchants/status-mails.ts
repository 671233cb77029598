/**
 * Which mails about an order its customer gets. The account decides; what it has never decided is as it is here. Stored
 * with the settings of the page, because it is part of what customers see of a shop.
 */
import type { Merchant } from './merchant.ts';

export const statusMailKinds = ['created', 'paid', 'underpaid', 'expired', 'refunded'] as const;
export type StatusMailKind = (typeof statusMailKinds)[number];

export type StatusMailChoices = Readonly<Record<StatusMailKind, boolean>>;

/** `created` is off: most shops write that themselves, and it is the only one that nobody has to pay for. */
const unlessChosen: StatusMailChoices = { created: false, paid: true, underpaid: true, expired: true, refunded: true };

export function statusMailsOf({ pageSettings }: Pick<Merchant, 'pageSettings'>): StatusMailChoices {
  const given = pageSettings['statusMails'];
  const chosen = typeof given === 'object' && given !== null ? given : {};
  const of = (kind: StatusMailKind): boolean => {
    const value: unknown = Reflect.get(chosen, kind);
    return typeof value === 'boolean' ? value : unlessChosen[kind];
  };
  return {
    created: of('created'),
    paid: of('paid'),
    underpaid: of('underpaid'),
    expired: of('expired'),
    refunded: of('refunded'),
  };
}
