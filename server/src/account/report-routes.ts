/** All reports. */
import { type AccountRoute } from './account-route.ts';
import { reportRoutesOf } from './report-frame.ts';
import { type StatementDeps, statementReport } from './statement-report.ts';

export type ReportDeps = StatementDeps;

export const reportRoutes = (deps: ReportDeps): AccountRoute[] =>
  [statementReport(deps)].flatMap((report) => reportRoutesOf(deps, report));
