/** Reports that are lists, page by page. */
import { endpoints } from '@quittance/contract/endpoints';
import { type Route, routeFor } from '../http/route.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { type CheckoutLedgerDeps, readCheckoutLedger, sumCheckoutLedger } from './checkout-ledger.ts';
import { checkoutLedgerRecord, lineTotalRecord } from './checkout-ledger-record.ts';
import { coveredDays } from './covered-days.ts';
import { coveredRecord } from './covered-record.ts';

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
];
