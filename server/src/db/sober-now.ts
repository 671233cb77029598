/**
 * Now, for what cannot be undone: the time of this process or of PostgreSQL, whichever is earlier. A process whose clock is
 * ahead does too late what it does, and never too early.
 */
import type { Clock } from '../lib/clock.ts';
import type { Query } from './database.ts';

export async function soberNow(query: Query, clock: Clock): Promise<Date> {
  const now = clock.now();
  if (!clock.isReal) return now;
  const [row] = await query<{ now: Date }>`select clock_timestamp() as now`;
  return row && row.now < now ? row.now : now;
}
