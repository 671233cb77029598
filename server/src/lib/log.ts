import { type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug' | 'fatal'> & { child(fields: object): Log };

/** JSON lines: a constant message in plain words, the data as fields. Bodies, keys and addresses stay out. */
export const createLog = (level: string): Log => pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
