/** All pages of the operator's area. */
import { type MerchantsDeps, merchantsRoutes } from './merchants-routes.ts';
import { moneyRoutes, type OwnMoneyDeps } from './money-routes.ts';
import type { OperatorRoute } from './operator-route.ts';
import { overviewRoutes } from './overview-routes.ts';
import { signUpDecisionRoutes } from './sign-up-decision-routes.ts';
import { staffAuditRoutes } from './staff-audit-routes.ts';
import { staffRoutes } from './staff-routes.ts';
import { suspenseRoutes } from './suspense-routes.ts';

export const operatorArea = (deps: MerchantsDeps & OwnMoneyDeps): OperatorRoute[] => [
  ...overviewRoutes(deps),
  ...merchantsRoutes(deps),
  ...signUpDecisionRoutes(deps),
  ...suspenseRoutes(deps),
  ...moneyRoutes(deps),
  ...staffRoutes(deps),
  ...staffAuditRoutes(deps),
];
