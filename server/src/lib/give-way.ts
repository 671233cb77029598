import { setImmediate as nextRound } from 'node:timers/promises';

/** Between two parts of something long: whoever else waits for the event loop has a turn. */
export const giveWay = (): Promise<void> => nextRound();
