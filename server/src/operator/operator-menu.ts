/**
 * The column of the operator's area, in its order. As in the account this list is all there is to add for a new page: a test
 * holds it against the routes. What a role may not open is not shown, nor a page that does not exist yet.
 */
import type { StaffPermission } from '../people/staff-roles.ts';
import type { IconName } from '../web/icons.ts';

export type OperatorMenuPage = {
  readonly path: string;
  readonly text: string;
  readonly may: StaffPermission;
  readonly icon: IconName;
  /** After `g` this letter goes there. */
  readonly key: string;
  /** Only where there is a network that is told in files. */
  readonly isForBanks?: true;
};

export const operatorMenu: readonly OperatorMenuPage[] = [
  { path: '/operator', text: 'Overview', may: 'seeHouse', icon: 'home', key: 'o' },
  { path: '/operator/needs-you', text: 'Needs you', may: 'seeHouse', icon: 'inbox', key: 'n' },
  { path: '/operator/merchants', text: 'Merchants', may: 'seeMerchants', icon: 'users', key: 'm' },
  { path: '/operator/suspense', text: 'Suspense', may: 'seeSuspense', icon: 'help', key: 'u' },
  { path: '/operator/sending', text: 'Sending', may: 'seeHouse', icon: 'send', key: 's' },
  { path: '/operator/jobs', text: 'Jobs', may: 'seeHouse', icon: 'clock', key: 'j' },
  { path: '/operator/money', text: 'Money', may: 'seeMoney', icon: 'wallet', key: 'y' },
  { path: '/operator/bank', text: 'Bank', may: 'seeBank', icon: 'upload', key: 'b', isForBanks: true },
  { path: '/operator/networks', text: 'Networks', may: 'seeHouse', icon: 'globe', key: 'w' },
  { path: '/operator/rates', text: 'Rates', may: 'seeHouse', icon: 'swap', key: 'r' },
  { path: '/operator/staff', text: 'Staff', may: 'staff', icon: 'key', key: 't' },
  { path: '/operator/audit', text: 'Audit', may: 'seeAudit', icon: 'receipt', key: 'a' },
  { path: '/operator/configuration', text: 'Configuration', may: 'seeConfiguration', icon: 'gear', key: 'c' },
];

/** Below a page are its details. Below the first one of all is everything, so that does not count. */
export const isIn = (here: string, page: string): boolean =>
  here === page || (page !== '/operator' && here.startsWith(`${page}/`));

/** What this role may open, and where it is now. */
export const operatorMenuFor = (look: {
  readonly path: string;
  readonly staffMay: (permission: StaffPermission) => boolean;
  readonly hasBanks: boolean;
}) =>
  operatorMenu
    .filter((page) => look.staffMay(page.may) && (look.hasBanks || !page.isForBanks))
    .map((page) => ({ ...page, isHere: isIn(look.path, page.path) }));
