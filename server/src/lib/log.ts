import { type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug' | 'fatal'> & { child(fields: object): Log };

/**
 * JSON lines: a constant message in plain words, the data as fields. Bodies, keys and addresses stay out.
 *
 * Lines are gathered for a tenth of a second, because a busy server would otherwise make a system call for each of
 * them; what is not written yet when the process ends is written then.
 */
export const createLog = (level: string): Log =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 1, sync: false, minLength: 16_000, periodicFlush: 100 }),
  );
