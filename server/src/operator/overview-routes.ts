/** How the house is, on one page. */
import { accountReply } from '../account/account-layout.ts';
import type { PersonDeps } from '../account/answer-person.ts';
import { createOperatorRoutes, type OperatorRoute } from './operator-route.ts';
import { overviewPage } from './overview-page.ts';

export const overviewRoutes = (deps: PersonDeps): OperatorRoute[] => [
  createOperatorRoutes(deps)({
    method: 'GET',
    path: '/operator',
    access: { may: 'seeHouse' },
    handle: ({ look }) => accountReply(200, look, overviewPage(look)),
  }),
];
