import { endpoints } from '@quittance/contract/endpoints';
import { type Route, route } from '../http/route.ts';
import type { Clock } from '../lib/clock.ts';

export const authRoutes = ({ clock }: { clock: Clock }): Route[] => [
  route({
    endpoint: endpoints.time,
    handle: () => ({ time: Math.floor(clock.now().getTime() / 1000) }),
  }),
  route({
    endpoint: endpoints.authTest,
    handle: ({ authMethod }) => ({ authenticated: true, method: authMethod }),
  }),
];
