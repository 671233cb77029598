/** All pages of the operator's area. */
import type { PersonDeps } from '../account/answer-person.ts';
import type { ShownSetting } from './configuration-page.ts';
import type { HouseDeps } from './house-facts.ts';
import type { HouseNews } from './house-news.ts';
import { houseRoutes } from './house-routes.ts';
import { jobsRoutes } from './jobs-routes.ts';
import type { OperatorRoute } from './operator-route.ts';
import { staffNeedsRoutes } from './staff-needs-routes.ts';

export type OperatorPageDeps = PersonDeps &
  HouseDeps & {
    readonly houseNews: HouseNews;
    /** Names of the sources that are asked for rates. */
    readonly rateSources: readonly string[];
    readonly shownSettings: readonly ShownSetting[];
  };

export const operatorArea = (deps: OperatorPageDeps): OperatorRoute[] => [
  ...houseRoutes(deps),
  ...staffNeedsRoutes(deps),
  ...jobsRoutes(deps),
];
