/**
 * Whether a wait is worth a line in the log. Waiting for the next block is not; waiting for longer is, and again every
 * hour. Pure.
 */
import { addMs, hours, minutes } from '../lib/clock.ts';

const firstNewsMs = minutes(1);
const furtherNewsMs = hours(1);

export type LastingWait = {
  /** Something waits, now as before. The reason may change meanwhile: it is the same wait. */
  isNews(now: Date): boolean;
  /** Nothing waits any more. */
  end(): void;
};

export function createLastingWait(): LastingWait {
  let newsAt: Date | null = null;
  return {
    isNews(now) {
      newsAt ??= addMs(now, firstNewsMs);
      if (now < newsAt) return false;
      newsAt = addMs(now, furtherNewsMs);
      return true;
    },
    end() {
      newsAt = null;
    },
  };
}
