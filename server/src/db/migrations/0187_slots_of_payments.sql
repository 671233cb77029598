-- On some networks every payment that is under way takes slots, of which there are only so many, and whoever is paid decides
-- for how long: `slots` is how many a transaction may take while it is open, so that no merchant gets all of them. 0: the
-- network has none, or the previous release signed it, and it counts as one.
--
-- `waits_for`: why a payout that is QUEUED was passed over when it was looked at last; null: it was not.
--
-- Locks: adds columns whose default needs no rewrite, which takes no time. The previous release goes on without them.
alter table outgoing_transaction add column slots integer not null default 0 check (slots >= 0);
alter table outgoing_transfer add column waits_for text check (waits_for in ('OWN_PAYMENTS', 'NETWORK'));
