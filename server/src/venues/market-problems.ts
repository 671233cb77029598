import type { NetworkSettings } from '../networks/registry.ts';
import type { VenueRule } from './venue-plan.ts';

/** What keeps pairs from being exchanged on Stellar although the rules name it. */
export const marketProblems = (rules: readonly VenueRule[], { STELLAR: stellar }: NetworkSettings): string[] =>
  rules.some(({ venues }) => venues.includes('stellar-dex')) && !stellar?.secret
    ? ['STELLAR_SECRET must be set, because VENUES names stellar-dex.']
    : [];
