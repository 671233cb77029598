import { minutes } from '../lib/clock.ts';

/** From the making of a checkout on: whoever chooses within it gets the prices that were quoted then. */
export const quoteValidityMs = minutes(60);
