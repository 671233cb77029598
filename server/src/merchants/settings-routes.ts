import { endpoints } from '@quittance/contract/endpoints';
import type { Query } from '../db/database.ts';
import { type Route, routeFor } from '../http/route.ts';
import type { Merchant } from './merchant.ts';
import { findMerchant, listAllowedAddresses } from './merchant-store.ts';
import { settingsRecordOf } from './settings-record.ts';

const route = routeFor<Merchant>();

export const settingsRoutes = ({ db }: { readonly db: Query }): Route<Merchant>[] => [
  route({
    endpoint: endpoints.getSettings,
    async handle({ merchant }) {
      // As they are now, and not as they were remembered for the key a moment ago.
      const [now, allowed] = await Promise.all([findMerchant(db, merchant.id), listAllowedAddresses(db, merchant.id)]);
      const ranges = allowed.map(({ range }) => range);
      return { settings: settingsRecordOf(now ?? merchant, ranges) };
    },
  }),
];
