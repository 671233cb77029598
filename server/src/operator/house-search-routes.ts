/** The search of the operator's area, on a page of its own; the palette takes its results from there. */
import { accountReply } from '../account/frame/account-layout.ts';
import { askedText } from '../account/frame/money-words.ts';
import { searchHouse } from '../finding/search-house.ts';
import { namesOfMerchants } from '../merchants/merchant-name-store.ts';
import { houseSearchPage } from './house-search-page.ts';
import { houseSearchPath } from './operator-layout.ts';
import { createOperatorRoutes, type OperatorRoute, type StaffDeps } from './operator-route.ts';

const shown = 8;

export const houseSearchRoutes = (deps: StaffDeps): OperatorRoute[] => [
  createOperatorRoutes(deps)({
    method: 'GET',
    path: houseSearchPath,
    access: { may: 'seeHouse' },
    async handle({ look, request }) {
      const text = askedText(request, 'q').slice(0, 200);
      const found = await searchHouse(deps.db, text, { may: look.staffMay, limit: shown });
      const names = await namesOfMerchants(
        deps.db,
        found.things.map(({ merchantId }) => merchantId),
      );
      return accountReply(200, look, houseSearchPage(look, { text, found, names, limit: shown }));
    },
  }),
];
