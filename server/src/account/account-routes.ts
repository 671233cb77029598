/** All pages of the account. */
import { type PageRoute, pageRoute, type Route } from '../http/route.ts';
import { notFound } from '../lib/errors.ts';
import { keptForYear, themeCookie } from './account-cookies.ts';
import { accountReply } from './account-layout.ts';
import { themeOf } from './account-look.ts';
import { menuFor } from './account-menu.ts';
import { askedFor, redirect, safeNext } from './account-request.ts';
import { type AccountDeps, type AccountRoute, createAccountRoutes } from './account-route.ts';
import { apiSettingsRoutes } from './api-settings-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { balancesRoutes } from './balances-routes.ts';
import { type BrandPageDeps, brandSettingsRoutes } from './brand-settings-routes.ts';
import { businessSettingsRoutes } from './business-settings-routes.ts';
import { checkoutListRoutes } from './checkout-list-routes.ts';
import { customersRoutes } from './customers-routes.ts';
import { depositingRoutes } from './depositing-routes.ts';
import { destinationsRoutes } from './destinations-routes.ts';
import { developerRoutes } from './developer-routes.ts';
import { exportRoutes } from './export-routes.ts';
import { exportsRoutes } from './exports-routes.ts';
import type { HomeDeps } from './home-facts.ts';
import { homeRoutes } from './home-routes.ts';
import { type LastingLinkDeps, lastingLinkRoutes } from './lasting-link-routes.ts';
import { limitsSettingsRoutes } from './limits-settings-routes.ts';
import { mailsSettingsRoutes } from './mails-settings-routes.ts';
import type { MoneyDeps } from './money-deps.ts';
import { mySignInRoutes } from './my-sign-in-routes.ts';
import { needsYouRoutes } from './needs-you-routes.ts';
import { newTransferRoutes } from './new-transfer-routes.ts';
import { newsRoutes } from './news-routes.ts';
import { notificationsRoutes } from './notifications-routes.ts';
import { oneCheckoutRoutes } from './one-checkout-routes.ts';
import { ownDomainRoutes } from './own-domain-routes.ts';
import { paperSettingsRoutes } from './paper-settings-routes.ts';
import { type PaperPageDeps, papersRoutes } from './papers-routes.ts';
import { type PaymentLinkDeps, paymentLinkRoutes } from './payment-link-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { refundLinkRoute } from './plugin-links.ts';
import { reportRoutes } from './report-routes.ts';
import { searchRoutes } from './search-routes.ts';
import { setUpRoutes } from './set-up-routes.ts';
import { type SettlementPageDeps, settlementSettingsRoutes } from './settlement-settings-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { signUpRoutes } from './sign-up-routes.ts';
import { styleguidePage } from './styleguide-page.ts';
import { swappingRoutes } from './swapping-routes.ts';
import { transfersRoutes } from './transfers-routes.ts';
import { welcomeRoutes } from './welcome-routes.ts';

export const accountRoutes = (
  deps: HomeDeps & PaymentLinkDeps & LastingLinkDeps & MoneyDeps & SettlementPageDeps & BrandPageDeps & PaperPageDeps,
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
