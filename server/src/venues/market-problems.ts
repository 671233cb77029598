import type { NetworkSettings } from '../networks/registry.ts';
import type { VenueRule } from './venue-plan.ts';

/** Why pairs cannot be exchanged on Stellar although the rules say so. */
export const marketProblems = (rules: readonly VenueRule[], { STELLAR: stellar }: NetworkSettings): string[] =>
  rules.some(({ venues }) => venues.includes('stellar-dex')) && !stellar?.secret
    ? ['STELLAR_SECRET must be set, because VENUES names stellar-dex.']
    : [];
