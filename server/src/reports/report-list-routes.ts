/**
 * Reports beside the statement: those that are lists, page by page, and those that are sums. Each is read in one moment: rows and
 * totals agree, and no sum is of days that are being made again.
 */
import { endpoints } from '@quittance/contract/endpoints';
import type { Db } from '../db/database.ts';
import { inOneMoment } from '../db/one-moment.ts';
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

export const reportListRoutes = ({
  db: anyMoment,
  assets,
}: CheckoutLedgerDeps & { readonly db: Db }): Route<Merchant>[] => [
  route({
    endpoint: endpoints.getCheckoutLedger,
    handle: ({ merchant, query }) =>
      inOneMoment(anyMoment, async (db) => {
        const covered = await coveredDays(db, merchant, query.period ?? '');
        const { rows, next } = await readCheckoutLedger({ db, assets }, merchant.id, covered, query);
        // Whoever turns pages knows them already.
        const totals = query.cursor === undefined ? await sumCheckoutLedger(db, merchant.id, covered) : null;
        return {
          report: coveredRecord(covered),
          totals: totals?.map((sum) => lineTotalRecord(assets, covered.currency, sum)) ?? null,
          rows: rows.map((row) => checkoutLedgerRecord(assets, covered.currency, row)),
          next,
        };
      }),
  }),
  route({
    endpoint: endpoints.listDisposals,
    handle: ({ merchant, query }) =>
      inOneMoment(anyMoment, async (db) => {
        const covered = await coveredDays(db, merchant, query.period ?? '');
        const { rows, next } = await readDisposals({ db, assets }, merchant.id, covered, query);
        const totals = query.cursor === undefined ? await sumDisposals({ db, assets }, merchant.id, covered) : null;
        return {
          report: coveredRecord(covered),
          totals: totals?.map((sum) => disposalTotalRecord(assets, covered.currency, sum)) ?? null,
          rows: rows.map((row) => disposalRecord(assets, covered.currency, row)),
          next,
        };
      }),
  }),
  route({
    endpoint: endpoints.getTaxReport,
    handle: ({ merchant, query }) =>
      inOneMoment(anyMoment, async (db) => {
        const covered = await coveredDays(db, merchant, query.period ?? '');
        return taxReportRecord(covered, await readTaxes({ db }, merchant.id, covered));
      }),
  }),
  route({
    endpoint: endpoints.getFeeReport,
    handle: ({ merchant, query }) =>
      inOneMoment(anyMoment, async (db) => {
        const covered = await coveredDays(db, merchant, query.period ?? '');
        return feeReportRecord(assets, covered, await readFees({ db, assets }, merchant.id, covered));
      }),
  }),
];
