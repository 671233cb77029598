import type { Query, Tx } from '../db/database.ts';

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

export type QueueNow = {
  /** For a worker; counted up to a limit, as what is parked. */
  readonly waiting: number;
  readonly parked: number;
  /** Since when the oldest of them waits. */
  readonly oldest: Date | null;
};

/** What waits for a worker at this moment. Over the indexes of just that: most rows are for a later time. */
export async function queueNow(query: Query, now: Date, limit: number): Promise<QueueNow> {
  const [row] = await query<{ waiting: number; parked: number; oldest: Date | null }>`
    select (select count(*)::integer from (select from job where claimed_by is null and parked_reason is null
              and run_at <= ${now} limit ${limit}) as due) as waiting,
           (select count(*)::integer from (select from job where parked_reason is not null limit ${limit}) as given_up) as parked,
           (select min(run_at) from job where claimed_by is null and parked_reason is null and run_at <= ${now}) as oldest`;
  return { waiting: row?.waiting ?? 0, parked: row?.parked ?? 0, oldest: row?.oldest ?? null };
}

export type ParkedJob = {
  readonly id: string;
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly attempts: number;
  readonly reason: string;
  /** When it was last due. */
  readonly since: Date;
};

/** Oldest first. */
export async function parkedJobs(query: Query, limit: number): Promise<ParkedJob[]> {
  return query<ParkedJob>`
    select id, name, payload, attempts, parked_reason as reason, run_at as since from job
     where parked_reason is not null order by id limit ${limit}`;
}

export type WaitingKind = {
  readonly name: string;
  readonly due: number;
  readonly later: number;
  readonly next: Date;
  /** Have failed before. */
  readonly failing: number;
  readonly lastError: string | null;
};

/** By kind, of the `limit` that are next. */
export async function waitingByKind(query: Query, now: Date, limit: number): Promise<WaitingKind[]> {
  return query<WaitingKind>`
    select name, count(*) filter (where run_at <= ${now})::integer as due,
           count(*) filter (where run_at > ${now})::integer as later, min(run_at) as next,
           count(*) filter (where attempts > 0 and last_error is not null)::integer as failing,
           max(last_error) filter (where attempts > 0) as "lastError"
      from (select name, run_at, attempts, last_error from job
             where claimed_by is null and parked_reason is null order by run_at, id limit ${limit}) as waiting
     group by name order by 2 desc, 3 desc, name`;
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

/** The name of a job that is parked, which nobody else changes until the transaction ends; undefined: there is none. */
export async function lockParkedJob(tx: Tx, id: string): Promise<string | undefined> {
  const [row] = await tx<{ name: string }>`
    select name from job where id = ${id} and parked_reason is not null for update`;
  return row?.name;
}

/** One that is locked. */
export async function deleteParkedJob(tx: Tx, id: string): Promise<void> {
  await tx`delete from job where id = ${id} and parked_reason is not null`;
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

/** How the job that takes such an order of the operator is going; null: it is done. */
export async function orderJob(
  query: Query,
  name: 'withdrawal.request' | 'return.request' | 'bank.import' | 'bank.file',
  orderId: string,
): Promise<{ isParked: boolean; lastError: string | null } | null> {
  const [row] = await query<{ is_parked: boolean; last_error: string | null }>`
    select parked_reason is not null as is_parked, coalesce(parked_reason, last_error) as last_error from job
     where name = ${name} and ${orderId} in (payload ->> 'transferId', payload ->> 'orderId')`;
  return row ? { isParked: row.is_parked, lastError: row.last_error } : null;
}
