-- A bank takes back what matched nobody: by the amount it is found among all that waits, however much that is.
--
-- Locks: the index lets nobody write to unmatched_payment until it is made, less than a second for a hundred thousand rows. The
-- previous release runs on.
create index unmatched_payment_amounts on unmatched_payment (network, asset, units)
 where returned_at is null and reversed_at is null;
