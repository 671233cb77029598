-- What of a payment was seen when, and what came late is worth: a replacement has the first sight of what it replaced
-- only up to the units that were seen, and a late payment is credited while it is worth the price.
--
-- Rows of before have inherited nothing: their first sight is the one that was stored then. Checkouts of before are
-- treated like those of a merchant who has changed nothing.
--
-- Locks: adds columns with constant defaults, which rewrites nothing. The index reads all payments and lets nobody write
-- one meanwhile: seconds for millions of them; a watcher waits and goes on where it was.
alter table payment
  add column inherited jsonb not null default '[]',   -- units seen earlier, as payments that this one replaced
  add column valuations jsonb not null default '[]';  -- what the price cost in this asset when a late one was seen
create index payment_replacement on payment (network, replaced_by) where replaced_by is not null;

alter table checkout
  add column late_tolerance numeric not null default 0.05;  -- the part of the price that late ones may have lost

alter table merchant
  add column late_tolerance_percent numeric not null default 5 check (late_tolerance_percent between 0 and 100);
