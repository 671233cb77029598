import { endpoints } from '@quittance/contract/endpoints';
import type { Db } from '../db/database.ts';
import { inOneMoment } from '../db/one-moment.ts';
import { type Route, routeFor } from '../http/route.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { coveredDays } from './covered-days.ts';
import { readStatement, type StatementDeps } from './statement.ts';
import { statementRecord } from './statement-record.ts';

const route = routeFor<Merchant>();

export const statementRoutes = (deps: StatementDeps & { readonly db: Db }): Route<Merchant>[] => [
  route({
    endpoint: endpoints.getStatement,
    async handle({ merchant, query }) {
      const { assets } = deps;
      const statement = await inOneMoment(deps.db, async (db) =>
        readStatement({ db, assets }, merchant.id, await coveredDays(db, merchant, query.period ?? '')),
      );
      return { statement: statementRecord(statement) };
    },
  }),
];
