-- The audit log of an account that has a million rows: who is in it, what one of them did, and what was done of a kind,
-- each looked up instead of gone through; and where a period begins.
--
-- Locks: each `create index` lets nobody write to the audit log until this migration is done, about three seconds for a
-- million rows; reading goes on.
create index audit_log_of_deed on audit_log (merchant_id, actor, action, id);
create index audit_log_of_time on audit_log (merchant_id, at, id);
