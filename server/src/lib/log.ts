import { type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug' | 'fatal'> & { child(fields: object): Log };

/**
 * Lines are collected for a tenth of a second, because a busy server would otherwise make a system call for each of
 * them. When the process ends, the rest is written. One for all logs of a process: each would have a timer of its own.
 */
let lines: ReturnType<typeof pino.destination> | undefined;

/** JSON lines: a constant message in plain words, the data as fields. Without bodies, keys and addresses. */
export function createLog(level: string): Log {
  lines ??= pino.destination({ dest: 1, sync: false, minLength: 16_000, periodicFlush: 100 });
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, lines);
}
