/** All pages of the operator's area. */
import type { PersonDeps } from '../account/answer-person.ts';
import type { OperatorRoute } from './operator-route.ts';
import { overviewRoutes } from './overview-routes.ts';

export const operatorArea = (deps: PersonDeps): OperatorRoute[] => [...overviewRoutes(deps)];
