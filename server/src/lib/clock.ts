/** Time is passed in, so that a test can move it and every part of a process agrees on it. */
export type Clock = {
  now(): Date;
  /** It says what time it is in the world, so that it can be compared with that of the database. */
  readonly isReal?: true;
};

export const systemClock: Clock = { now: () => new Date(), isReal: true };

export const addMs = (date: Date, ms: number): Date => new Date(date.getTime() + ms);
export const seconds = (count: number): number => count * 1_000;
export const minutes = (count: number): number => count * 60_000;
export const hours = (count: number): number => count * 3_600_000;

/** W3C form with an explicit offset, to the second (spec §2): `2026-01-31T12:00:00+00:00`. */
export const formatTimestamp = (date: Date): string => `${date.toISOString().slice(0, 19)}+00:00`;
