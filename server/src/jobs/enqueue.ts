import type { Tx } from '../db/database.ts';
import type { JobCatalog, JobName } from './job-catalog.ts';

export type NewJob = { [N in JobName]: { name: N; payload: JobCatalog[N]; runAt: Date } }[JobName];

/** Enqueues in the caller's transaction: the change and what it causes commit together or not at all. */
export async function enqueue(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await tx`
    insert into job (name, payload, run_at)
    select * from unnest(${jobs.map((job) => job.name)}::text[],
                         ${jobs.map((job) => JSON.stringify(job.payload))}::jsonb[],
                         ${jobs.map((job) => job.runAt.toISOString())}::timestamptz[])`;
}

const onlyOneLockClass = 7_012; // The first half of the advisory lock: "someone asks for the only job of this name".

/**
 * For work that is needed only once: nothing is added while such a job waits or runs, however many ask for it. One that
 * was parked is tried again instead.
 */
export async function enqueueUnlessThere(tx: Tx, { name, payload, runAt }: NewJob): Promise<void> {
  await tx`select pg_advisory_xact_lock(${onlyOneLockClass}::integer, hashtext(${name}))`;
  await tx`
    update job set parked_reason = null, attempts = 0, payload = ${JSON.stringify(payload)}::jsonb, run_at = ${runAt}
     where name = ${name} and parked_reason is not null`;
  await tx`
    insert into job (name, payload, run_at)
    select ${name}::text, ${JSON.stringify(payload)}::jsonb, ${runAt}::timestamptz
     where not exists (select from job where name = ${name})`;
}

/** Of these, all with one name, those that are not there yet with the same payload: whether they wait, run or were parked. */
export async function enqueueMissing(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
  const [first] = jobs;
  if (!first) return;
  await tx`select pg_advisory_xact_lock(${onlyOneLockClass}::integer, hashtext(${first.name}))`;
  await tx`
    insert into job (name, payload, run_at)
    select wanted.* from unnest(${jobs.map((job) => job.name)}::text[],
                                ${jobs.map((job) => JSON.stringify(job.payload))}::jsonb[],
                                ${jobs.map((job) => job.runAt.toISOString())}::timestamptz[]) as wanted (name, payload, run_at)
     where not exists (select from job where job.name = wanted.name and job.payload = wanted.payload)`;
}
