/** All reports. */
import type { Encryption } from '../lib/encryption.ts';
import type { StatementDeps } from '../reports/statement.ts';
import type { AccountDeps, AccountRoute } from './account-route.ts';
import { checkoutLedgerReport } from './checkout-ledger-report.ts';
import { dailyReport } from './daily-report.ts';
import { reportRoutesOf } from './report-frame.ts';
import { statementReport } from './statement-report.ts';

export type ReportDeps = AccountDeps & Pick<StatementDeps, 'assets'> & { readonly encryption: Encryption };

export const reportRoutes = (deps: ReportDeps): AccountRoute[] =>
  [statementReport(deps), checkoutLedgerReport(deps), dailyReport(deps)].flatMap((report) =>
    reportRoutesOf(deps, report),
  );
