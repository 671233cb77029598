/** What follows from an attempt to deliver an event. Pure. */
import { attemptsMax, nextAttemptAt } from './delivery-schedule.ts';
import { type Attempt, type AttemptOutcome, urlGone, type WaitingDelivery } from './webhook-store.ts';

/** `attempts`: those before this one. */
export function deliveryOutcome(
  { responseStatus: status }: Pick<Attempt, 'responseStatus'>,
  { attempts, isTest }: Pick<WaitingDelivery, 'attempts' | 'isTest'>,
  now: Date,
  random: () => number,
): AttemptOutcome {
  if (status !== null && status >= 200 && status < 300) return { move: 'deliver' };
  if (status === 410) return { move: 'giveUp', failure: urlGone, isUrlGone: true };
  if (isTest) return { move: 'giveUp', failure: 'A test event is sent once.', isUrlGone: false };
  const nextAt = nextAttemptAt(attempts + 1, now, random);
  if (nextAt !== null) return { move: 'retry', nextAt };
  return { move: 'giveUp', failure: `Given up after ${attemptsMax} attempts.`, isUrlGone: false };
}
