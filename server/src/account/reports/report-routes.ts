/** All reports. */
import type { Encryption } from '../../lib/encryption.ts';
import type { AccountRoute } from '../frame/account-route.ts';
import { checkoutLedgerReport } from './checkout-ledger-report.ts';
import { dailyReport } from './daily-report.ts';
import { disposalsReport } from './disposals-report.ts';
import { feesReport } from './fees-report.ts';
import { type ReportDeps, reportRoutesOf } from './report-frame.ts';
import { statementReport } from './statement-report.ts';
import { taxReport } from './tax-report.ts';

export const reportRoutes = (deps: ReportDeps & { readonly encryption: Encryption }): AccountRoute[] =>
  [
    statementReport(deps),
    checkoutLedgerReport(deps),
    taxReport(deps),
    disposalsReport(deps),
    feesReport(deps),
    dailyReport(deps),
  ].flatMap((report) => reportRoutesOf(deps, report));
