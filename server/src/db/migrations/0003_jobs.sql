-- Durable jobs. A change and the job it causes commit together; a worker claims with `for update skip locked`.
--
-- A claim names the worker by the number of an advisory lock that its session holds. When the process dies, by
-- whatever death, PostgreSQL frees the lock at once and the claim is void: no lease to wait out.
--
-- Locks: creates tables only.
create sequence worker_number as integer cycle;

create table job (
  id            bigint generated always as identity primary key,
  name          text not null,
  payload       jsonb not null,
  run_at        timestamptz not null,
  attempts      integer not null default 0,
  claimed_by    integer,
  last_error    text,
  parked_reason text                    -- set: given up, waiting for a person
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index job_due on job (run_at, id) where claimed_by is null and parked_reason is null;
create index job_claimed on job (claimed_by) where claimed_by is not null;
create index job_parked on job (id) where parked_reason is not null;
