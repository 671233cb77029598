/** The keys by which anybody proves signed daily statements. */
import type { Query } from '../db/database.ts';
import { pageRoute, type Route } from '../http/route.ts';
import { publishedKeys, readPublicKeys, statementKeysPath } from '../reports/statement-key.ts';

export const statementKeyRoutes = ({ db }: { readonly db: Query }): Route[] => [
  pageRoute({
    methods: ['GET'],
    path: statementKeysPath,
    handle: async () => ({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8', 'access-control-allow-origin': '*' },
      body: JSON.stringify(publishedKeys(await readPublicKeys(db))),
    }),
  }),
];
