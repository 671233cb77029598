-- Checkouts for which nobody ever chose a way to pay are forgotten after a while. How many there were on a day stays known: by the
-- quarter of an hour in which they were made, because days begin at one in every time zone, and are made anew when that changes.
--
-- Locks: creates a table; the index lets nobody write to `checkout` until this migration is done, about a second for a million.
-- The previous release knows none of it and runs on; it forgets nothing.
create table forgotten_checkouts (
  merchant_id text not null,
  quarter     timestamptz not null,              -- its beginning
  checkouts   integer not null,
  primary key (merchant_id, quarter)
);

-- The end of the window stands there since a way to pay was chosen.
create index checkout_never_chosen on checkout (created_at) where window_ends_at is null and state = 'CREATED';
