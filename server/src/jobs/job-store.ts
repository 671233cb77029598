import type { Query } from '../db/database.ts';

export type QueueDepth = { due: number; waiting: number; parked: number; oldestDueSeconds: number };

export async function queueDepth(query: Query, now: Date): Promise<QueueDepth> {
  const [row] = await query<{ due: string; waiting: string; parked: string; oldest: Date | null }>`
    select count(*) filter (where parked_reason is null and run_at <= ${now}) as due,
           count(*) filter (where parked_reason is null and run_at > ${now}) as waiting,
           count(*) filter (where parked_reason is not null) as parked,
           min(run_at) filter (where parked_reason is null and run_at <= ${now}) as oldest
      from job`;
  return {
    due: Number(row?.due ?? 0),
    waiting: Number(row?.waiting ?? 0),
    parked: Number(row?.parked ?? 0),
    oldestDueSeconds: row?.oldest ? Math.max(0, (now.getTime() - row.oldest.getTime()) / 1000) : 0,
  };
}
