/** Whether a wait is worth a word. One for the next block is not; one that lasts is, and again every hour. Pure. */
import { addMs, hours, minutes } from '../lib/clock.ts';

const firstNewsMs = minutes(1);
const furtherNewsMs = hours(1);

export type LastingWait = {
  /** It waits now, as before. What for may change meanwhile: it is the same wait. */
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
