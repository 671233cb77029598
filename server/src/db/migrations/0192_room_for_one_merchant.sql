-- One merchant may need more room than all others: a large shop with long descriptions. What was agreed with it, in megabytes; null:
-- as everybody else (MERCHANT_STORED_MB).
--
-- Locks: adds a column without a default, which takes no time. The previous release gives that merchant as much as everybody.
alter table merchant add column stored_megabytes_max integer check (stored_megabytes_max between 1 and 10000000);
