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

export type ListedJob = {
  readonly id: string;
  readonly name: string;
  readonly state: 'due' | 'waiting' | 'running' | 'parked';
  readonly payload: Readonly<Record<string, unknown>>;
  readonly runAt: Date;
  readonly attempts: number;
  readonly lastError: string | null;
};

/** For the operator: what needs a person first, then what is next. */
export async function listJobs(query: Query, now: Date, limit: number): Promise<ListedJob[]> {
  return query<ListedJob>`
    select id, name, payload, run_at as "runAt", attempts, last_error as "lastError",
           case when parked_reason is not null then 'parked'
                when claimed_by is not null then 'running'
                when run_at <= ${now} then 'due'
                else 'waiting' end as state
      from job order by parked_reason is null, run_at, id limit ${limit}`;
}

/** False when there is no such job, or it was not parked. */
export async function retryParkedJob(query: Query, id: string, now: Date): Promise<boolean> {
  const rows = await query`
    update job set parked_reason = null, attempts = 0, run_at = ${now}
     where id = ${id} and parked_reason is not null
    returning id`;
  return rows.length > 0;
}

/** How the job that makes a funding target is going; null: it is done. */
export async function fundingAddressJob(
  query: Query,
  targetId: string,
): Promise<{ isParked: boolean; lastError: string | null } | null> {
  const [row] = await query<{ is_parked: boolean; last_error: string | null }>`
    select parked_reason is not null as is_parked, coalesce(parked_reason, last_error) as last_error from job
     where name = 'funding.address' and payload ->> 'targetId' = ${targetId}`;
  return row ? { isParked: row.is_parked, lastError: row.last_error } : null;
}

/** How the job that takes the operator's order is going; null: it is done. */
export async function withdrawalJob(
  query: Query,
  transferId: string,
): Promise<{ isParked: boolean; lastError: string | null } | null> {
  const [row] = await query<{ is_parked: boolean; last_error: string | null }>`
    select parked_reason is not null as is_parked, coalesce(parked_reason, last_error) as last_error from job
     where name = 'withdrawal.request' and payload ->> 'transferId' = ${transferId}`;
  return row ? { isParked: row.is_parked, lastError: row.last_error } : null;
}
