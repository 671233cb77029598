import { minutes } from '../lib/clock.ts';

/** From the choice of a network on: what is seen within it is on time. */
export const paymentWindowMs = minutes(60);

/** From the making of a checkout on: whoever chooses within it gets the prices that were quoted then. */
export const quoteValidityMs = minutes(60);
