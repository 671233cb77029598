/** All pages of the account. */
import { type PageRoute, pageRoute, type Route } from '../http/route.ts';
import { notFound } from '../lib/errors.ts';
import { checkoutListRoutes } from './checkouts/checkout-list-routes.ts';
import { type LastingLinkDeps, lastingLinkRoutes } from './checkouts/lasting-link-routes.ts';
import { oneCheckoutRoutes } from './checkouts/one-checkout-routes.ts';
import { type PaymentLinkDeps, paymentLinkRoutes } from './checkouts/payment-link-routes.ts';
import { refundLinkRoute } from './checkouts/plugin-links.ts';
import { customersRoutes } from './customers/customers-routes.ts';
import { type PaperPageDeps, papersRoutes } from './customers/papers-routes.ts';
import { developerRoutes } from './developers/developer-routes.ts';
import { exportRoutes } from './exports/export-routes.ts';
import { exportsRoutes } from './exports/exports-routes.ts';
import { keptForYear, themeCookie } from './frame/account-cookies.ts';
import { accountReply } from './frame/account-layout.ts';
import { themeOf } from './frame/account-look.ts';
import { menuFor } from './frame/account-menu.ts';
import { askedFor, redirect, safeNext } from './frame/account-request.ts';
import { type AccountDeps, type AccountRoute, createAccountRoutes } from './frame/account-route.ts';
import { newsRoutes } from './frame/news-routes.ts';
import { searchRoutes } from './frame/search-routes.ts';
import type { HomeDeps } from './home/home-facts.ts';
import { homeRoutes } from './home/home-routes.ts';
import { needsYouRoutes } from './home/needs-you-routes.ts';
import { notificationsRoutes } from './home/notifications-routes.ts';
import { setUpRoutes } from './home/set-up-routes.ts';
import { balancesRoutes } from './money/balances-routes.ts';
import { depositingRoutes } from './money/depositing-routes.ts';
import { destinationsRoutes } from './money/destinations-routes.ts';
import type { MoneyDeps } from './money/money-deps.ts';
import { newTransferRoutes } from './money/new-transfer-routes.ts';
import { swappingRoutes } from './money/swapping-routes.ts';
import { transfersRoutes } from './money/transfers-routes.ts';
import type { ReportDeps } from './reports/report-frame.ts';
import { reportRoutes } from './reports/report-routes.ts';
import { apiSettingsRoutes } from './settings/api-settings-routes.ts';
import { auditRoutes } from './settings/audit-routes.ts';
import { type BrandPageDeps, brandSettingsRoutes } from './settings/brand-settings-routes.ts';
import { businessSettingsRoutes } from './settings/business-settings-routes.ts';
import { limitsSettingsRoutes } from './settings/limits-settings-routes.ts';
import { mailsSettingsRoutes } from './settings/mails-settings-routes.ts';
import { ownDomainRoutes } from './settings/own-domain-routes.ts';
import { paperSettingsRoutes } from './settings/paper-settings-routes.ts';
import { peopleRoutes } from './settings/people-routes.ts';
import { type SettlementPageDeps, settlementSettingsRoutes } from './settings/settlement-settings-routes.ts';
import { mySignInRoutes } from './sign-in/my-sign-in-routes.ts';
import { signInRoutes } from './sign-in/sign-in-routes.ts';
import { signUpRoutes } from './sign-in/sign-up-routes.ts';
import { welcomeRoutes } from './sign-in/welcome-routes.ts';
import { styleguidePage } from './styleguide/styleguide-page.ts';

export const accountRoutes = (
  deps: HomeDeps &
    PaymentLinkDeps &
    LastingLinkDeps &
    MoneyDeps &
    SettlementPageDeps &
    BrandPageDeps &
    PaperPageDeps &
    ReportDeps,
): AccountRoute[] => [
  ...homeRoutes(deps),
  ...newsRoutes(deps),
  ...exportRoutes(deps),
  ...setUpRoutes(deps),
  ...searchRoutes(deps),
  createAccountRoutes(deps)({
    method: 'POST',
    path: '/account/theme',
    access: 'anybody',
    handle({ form }) {
      return redirect(safeNext(form.get('back')), keptForYear(themeCookie, themeOf(form.get('theme'))));
    },
  }),
  ...(deps.isSandbox ? [styleguideRoute(deps)] : []),
  ...signInRoutes(deps),
  ...signUpRoutes(deps),
  ...welcomeRoutes(deps),
  ...mySignInRoutes(deps),
  ...needsYouRoutes(deps),
  ...checkoutListRoutes(deps),
  ...paymentLinkRoutes(deps),
  ...lastingLinkRoutes(deps),
  ...oneCheckoutRoutes(deps),
  refundLinkRoute(deps),
  ...papersRoutes(deps),
  ...customersRoutes(deps),
  ...balancesRoutes(deps),
  ...swappingRoutes(deps),
  ...depositingRoutes(deps),
  ...transfersRoutes(deps),
  ...newTransferRoutes(deps),
  ...destinationsRoutes(deps),
  ...reportRoutes(deps),
  ...exportsRoutes(deps),
  ...developerRoutes(deps),
  ...businessSettingsRoutes(deps),
  ...paperSettingsRoutes(deps),
  ...apiSettingsRoutes(deps),
  ...settlementSettingsRoutes(deps),
  ...brandSettingsRoutes(deps),
  ...ownDomainRoutes(deps),
  ...mailsSettingsRoutes(deps),
  ...limitsSettingsRoutes(deps),
  ...peopleRoutes(deps),
  ...notificationsRoutes(deps),
  ...auditRoutes(deps),
];

/**
 * What nobody made, as people of an account are told it: not as payers are. The beginning of an area's addresses, which
 * somebody typed or cut off, leads to the first of its pages that the role may open.
 */
export function missingAccountPage(deps: AccountDeps): PageRoute['handle'] {
  const { handle } = createAccountRoutes(deps)({
    method: 'GET',
    path: '/account',
    access: 'person',
    handle({ look, request }) {
      const root = request.path.replace(/\/$/, '');
      const area = menuFor(look).find(({ pages }) => pages.some(({ path }) => path.startsWith(`${root}/`)));
      if (area === undefined || root === '/account') throw notFound('page', request.path);
      return redirect(area.path);
    },
  });
  return handle;
}

export const isForPeople = (path: string): boolean => /^\/(?:account|operator)(?:\/|$)/.test(path);

const styleguideRoute = (deps: AccountDeps): AccountRoute =>
  createAccountRoutes(deps)({
    method: 'GET',
    path: '/account/styleguide',
    access: 'anybody',
    handle({ look, request }) {
      const wished = request.query['theme'];
      const shown = typeof wished === 'string' ? { ...look, theme: themeOf(wished) } : look;
      return accountReply(200, shown, styleguidePage(shown, deps.files.styleguide));
    },
  });

/**
 * What people sign in to has an origin of its own, if only because passkeys do not exist on an IP address and a sandbox is at
 * 127.0.0.1. Whoever asks for it at the address of the payment pages is led there; nothing is changed here.
 */
export function atAccountHost(
  { accountUrl, publicUrl }: { accountUrl: string; publicUrl: string },
  route: PageRoute,
): Route {
  const elsewhere = new URL(publicUrl).host;
  if (new URL(accountUrl).host === elsewhere) return route;
  return pageRoute({
    ...route,
    handle(context) {
      if (String(context.headers['host'] ?? '') !== elsewhere) return route.handle(context);
      return redirect(`${accountUrl}${context.method === 'GET' ? askedFor(context) : '/account'}`);
    },
  });
}
