/** All pages of the operator's area. */
import type { ImportDeps } from '../bank-files/import-bank-file.ts';
import type { MakeDeps } from '../bank-files/make-payment-file.ts';
import { bankRoutes } from './bank-routes.ts';
import type { ShownSetting } from './configuration-page.ts';
import { type HeldBackDeps, heldBackRoutes } from './held-back-routes.ts';
import type { HouseDeps } from './house-facts.ts';
import type { HouseNews } from './house-news.ts';
import { houseRoutes } from './house-routes.ts';
import { houseSearchRoutes } from './house-search-routes.ts';
import { jobsRoutes } from './jobs-routes.ts';
import { type MerchantsDeps, merchantsRoutes } from './merchants-routes.ts';
import { moneyRoutes, type OwnMoneyDeps } from './money-routes.ts';
import { movementRoutes } from './movement-routes.ts';
import type { OperatorRoute, StaffDeps } from './operator-route.ts';
import { signUpDecisionRoutes } from './sign-up-decision-routes.ts';
import { staffAuditRoutes } from './staff-audit-routes.ts';
import { staffNeedsRoutes } from './staff-needs-routes.ts';
import { staffRoutes } from './staff-routes.ts';
import { suspenseRoutes } from './suspense-routes.ts';

export type OperatorPageDeps = StaffDeps &
  HouseDeps & {
    readonly houseNews: HouseNews;
    /** Names of the sources that are asked for rates. */
    readonly rateSources: readonly string[];
    readonly shownSettings: readonly ShownSetting[];
  };

export const operatorArea = (
  deps: OperatorPageDeps & MerchantsDeps & OwnMoneyDeps & HeldBackDeps & ImportDeps & MakeDeps,
): OperatorRoute[] => [
  ...houseRoutes(deps),
  ...houseSearchRoutes(deps),
  ...staffNeedsRoutes(deps),
  ...merchantsRoutes(deps),
  ...heldBackRoutes(deps),
  ...signUpDecisionRoutes(deps),
  ...suspenseRoutes(deps),
  ...movementRoutes(deps),
  ...bankRoutes(deps),
  ...jobsRoutes(deps),
  ...moneyRoutes(deps),
  ...staffRoutes(deps),
  ...staffAuditRoutes(deps),
];
