/** Reports beside the statement: those that are lists, page by page, and those that are sums. */
import { endpoints } from '@quittance/contract/endpoints';
import { type Route, routeFor } from '../http/route.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { type CheckoutLedgerDeps, readCheckoutLedger, sumCheckoutLedger } from './checkout-ledger.ts';
import { checkoutLedgerRecord, lineTotalRecord } from './checkout-ledger-record.ts';
import { coveredDays } from './covered-days.ts';
import { coveredRecord } from './covered-record.ts';
import { disposalRecord, disposalTotalRecord } from './disposal-record.ts';
import { readDisposals, sumDisposals } from './disposals.ts';
import { readFees } from './fees.ts';
import { feeReportRecord, taxReportRecord } from './sum-report-records.ts';
import { readTaxes } from './taxes.ts';

const route = routeFor<Merchant>();

export const reportListRoutes = (deps: CheckoutLedgerDeps): Route<Merchant>[] => [
  route({
    endpoint: endpoints.getCheckoutLedger,
    async handle({ merchant, query }) {
      const covered = await coveredDays(deps.db, merchant, query.period ?? '');
      const { assets } = deps;
      const { rows, next } = await readCheckoutLedger(deps, merchant.id, covered, query);
      // Whoever turns pages knows them already.
      const totals = query.cursor === undefined ? await sumCheckoutLedger(deps.db, merchant.id, covered) : null;
      return {
        report: coveredRecord(covered),
        totals: totals?.map((sum) => lineTotalRecord(assets, covered.currency, sum)) ?? null,
        rows: rows.map((row) => checkoutLedgerRecord(assets, covered.currency, row)),
        next,
      };
    },
  }),
  route({
    endpoint: endpoints.listDisposals,
    async handle({ merchant, query }) {
      const covered = await coveredDays(deps.db, merchant, query.period ?? '');
      const { assets } = deps;
      const { rows, next } = await readDisposals(deps, merchant.id, covered, query);
      const totals = query.cursor === undefined ? await sumDisposals(deps, merchant.id, covered) : null;
      return {
        report: coveredRecord(covered),
        totals: totals?.map((sum) => disposalTotalRecord(assets, covered.currency, sum)) ?? null,
        rows: rows.map((row) => disposalRecord(assets, covered.currency, row)),
        next,
      };
    },
  }),
  route({
    endpoint: endpoints.getTaxReport,
    async handle({ merchant, query }) {
      const covered = await coveredDays(deps.db, merchant, query.period ?? '');
      return taxReportRecord(covered, await readTaxes(deps, merchant.id, covered));
    },
  }),
  route({
    endpoint: endpoints.getFeeReport,
    async handle({ merchant, query }) {
      const covered = await coveredDays(deps.db, merchant, query.period ?? '');
      return feeReportRecord(deps.assets, covered, await readFees(deps, merchant.id, covered));
    },
  }),
];
