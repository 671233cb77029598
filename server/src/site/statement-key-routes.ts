/** The keys by which anybody proves signed daily statements. */
import type { Query } from '../db/database.ts';
import { pageRoute, type Route } from '../http/route.ts';
import type { Encryption } from '../lib/encryption.ts';
import { openStatementKeys, publishedKeys, statementKeysPath } from '../reports/statement-key.ts';

export const statementKeyRoutes = ({
  db,
  encryption,
}: {
  readonly db: Query;
  readonly encryption: Encryption;
}): Route[] => [
  pageRoute({
    methods: ['GET'],
    path: statementKeysPath,
    handle: async () => ({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8', 'access-control-allow-origin': '*' },
      body: JSON.stringify(publishedKeys(await openStatementKeys(db, encryption))),
    }),
  }),
];
