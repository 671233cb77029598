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
