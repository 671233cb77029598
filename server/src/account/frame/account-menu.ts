/**
 * The column of the account, in its order: areas and the pages in them. This list is all there is to add for a new page;
 * a test holds it against the routes. An area leads to the first of its pages that the role may open, and is not shown
 * where there is none; a page that does not exist yet is not here.
 */
import type { AccountPermission } from '../../people/roles.ts';
import type { IconName } from '../../web/icons.ts';
import type { AccountTextKey } from '../texts/account-texts.ts';
import type { AccountLook } from './account-look.ts';

export type MenuPage = {
  readonly path: string;
  readonly text: AccountTextKey;
  /** Null: for everybody who is signed in. */
  readonly may: AccountPermission | null;
};

export type MenuArea = {
  readonly text: AccountTextKey;
  /** After `g` this letter goes there. */
  readonly key: string;
  readonly icon: IconName;
  readonly pages: readonly MenuPage[];
};

export const menu: readonly MenuArea[] = [
  { text: 'menuHome', key: 'h', icon: 'home', pages: [{ path: '/account', text: 'menuHome', may: 'seeCheckouts' }] },
  {
    text: 'menuNeedsYou',
    key: 'n',
    icon: 'inbox',
    pages: [{ path: '/account/needs-you', text: 'menuNeedsYou', may: 'seeCheckouts' }],
  },
  {
    text: 'menuCheckouts',
    key: 'c',
    icon: 'receipt',
    pages: [{ path: '/account/checkouts', text: 'menuCheckouts', may: 'seeCheckouts' }],
  },
  {
    text: 'paymentLinks',
    key: 'l',
    icon: 'link',
    pages: [{ path: '/account/payment-links', text: 'paymentLinks', may: 'seeCheckouts' }],
  },
  {
    text: 'menuPapers',
    key: 'p',
    icon: 'paper',
    pages: [{ path: '/account/papers', text: 'menuPapers', may: 'seeCheckouts' }],
  },
  {
    text: 'menuCustomers',
    key: 'u',
    icon: 'users',
    pages: [{ path: '/account/customers', text: 'menuCustomers', may: 'seeCustomers' }],
  },
  {
    text: 'menuBalances',
    key: 'b',
    icon: 'wallet',
    pages: [{ path: '/account/balances', text: 'menuBalances', may: 'seeBalances' }],
  },
  {
    text: 'menuTransfers',
    key: 't',
    icon: 'send',
    pages: [{ path: '/account/transfers', text: 'menuTransfers', may: 'seeBalances' }],
  },
  {
    text: 'menuReports',
    key: 'r',
    icon: 'chart',
    pages: [
      { path: '/account/reports/statement', text: 'reportStatement', may: 'seeReports' },
      { path: '/account/reports/checkouts', text: 'reportCheckouts', may: 'seeReports' },
      { path: '/account/reports/tax', text: 'reportTax', may: 'seeReports' },
      { path: '/account/reports/disposals', text: 'reportDisposals', may: 'seeReports' },
      { path: '/account/reports/fees', text: 'reportFees', may: 'seeReports' },
      { path: '/account/reports/daily', text: 'reportDaily', may: 'seeReports' },
      { path: '/account/reports/exports', text: 'menuExports', may: 'exportReports' },
    ],
  },
  {
    text: 'menuDevelopers',
    key: 'd',
    icon: 'code',
    pages: [
      { path: '/account/developers/keys', text: 'menuKeys', may: 'chargeKeys' },
      { path: '/account/developers/webhooks', text: 'menuWebhooks', may: 'webhooks' },
      { path: '/account/developers/requests', text: 'menuRequests', may: 'chargeKeys' },
      { path: '/account/developers/try-it', text: 'menuTryIt', may: 'chargeKeys' },
    ],
  },
  {
    text: 'menuSettings',
    key: 's',
    icon: 'gear',
    pages: [
      { path: '/account/settings/business', text: 'menuBusiness', may: 'business' },
      { path: '/account/settings/papers', text: 'menuPaperNumbers', may: 'business' },
      { path: '/account/settings/api', text: 'menuApi', may: 'business' },
      { path: '/account/settings/settlement', text: 'menuSettlement', may: 'settlement' },
      { path: '/account/settings/payment-page', text: 'menuPaymentPage', may: 'brand' },
      { path: '/account/settings/mails', text: 'menuMails', may: 'brand' },
      { path: '/account/settings/limits', text: 'menuLimits', may: 'limits' },
      { path: '/account/people', text: 'menuPeople', may: 'people' },
      { path: '/account/settings/notifications', text: 'menuNotifications', may: 'seeCheckouts' },
      { path: '/account/settings/audit', text: 'menuAudit', may: 'seeAudit' },
      { path: '/account/my-sign-in', text: 'menuMySignIn', may: null },
    ],
  },
];

/** What is done so often that a search for its name leads there; one of them with a key of its own. */
export const menuActions: readonly (MenuPage & { readonly icon: IconName; readonly key: string | null })[] = [
  { path: '/account/checkouts/new', text: 'newLink', may: 'charge', icon: 'plus', key: 'n' },
  { path: '/account/transfers/new', text: 'newTransfer', may: 'moveMoney', icon: 'send', key: null },
];

export const actionsFor = ({ may }: Pick<AccountLook, 'may'>) =>
  menuActions.filter((action) => action.may === null || may(action.may));

/** What this role may open, and where it is now. */
export const menuFor = ({ path: here, may }: Pick<AccountLook, 'path' | 'may'>) =>
  menu.flatMap(({ pages, ...area }) => {
    const open = pages
      .filter((page) => page.may === null || may(page.may))
      .map((page) => ({ ...page, isHere: isIn(here, page.path) }));
    const [first] = open;
    return first ? [{ ...area, pages: open, path: first.path, isHere: open.some(({ isHere }) => isHere) }] : [];
  });

/** Below a page are its details. Below the first one of all is everything, so that does not count. */
const isIn = (here: string, page: string): boolean =>
  here === page || (page !== '/account' && here.startsWith(`${page}/`));
