-- The kept answer of an Idempotency-Key may open something: a link to claim money, a secret. It is sealed with the master
-- key from now on. What the previous release wrote stays readable in `body` and is forgotten after a day; that release
-- takes a sealed answer for work that is still running and says so, and never does it twice.
-- Locks idempotency_key for a moment; no row is rewritten.
alter table idempotency_key add column sealed_body bytea;
