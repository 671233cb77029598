import { type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug' | 'fatal'> & { child(fields: object): Log };

/**
 * JSON lines: a constant message in plain words, the data as fields. Without bodies, keys and addresses.
 *
 * Lines are collected for a tenth of a second, because a busy server would otherwise make a system call for each of
 * them. When the process ends, the rest is written.
 */
export const createLog = (level: string): Log =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 1, sync: false, minLength: 16_000, periodicFlush: 100 }),
  );
