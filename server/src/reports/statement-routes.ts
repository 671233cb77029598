import { endpoints } from '@quittance/contract/endpoints';
import { type Route, routeFor } from '../http/route.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { coveredDays } from './covered-days.ts';
import { readStatement, type StatementDeps } from './statement.ts';
import { statementRecord } from './statement-record.ts';

const route = routeFor<Merchant>();

export const statementRoutes = (deps: StatementDeps): Route<Merchant>[] => [
  route({
    endpoint: endpoints.getStatement,
    async handle({ merchant, query }) {
      const covered = await coveredDays(deps.db, merchant, query.period ?? '');
      return { statement: statementRecord(await readStatement(deps, merchant.id, covered)) };
    },
  }),
];
