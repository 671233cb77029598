-- What the networks say that we hold against what the books say, as of the last time both were asked.
--
-- Locks: creates a table only.
create table reconciliation (
  network     text not null,
  asset       text not null,
  held        numeric(78, 0) not null,   -- as the network reports it
  booked      numeric(78, 0) not null,   -- what the books say that we hold there
  arriving    numeric(78, 0) not null,   -- in a block, but not deep enough to be booked
  leaving     numeric(78, 0) not null,   -- gone from the chain, but not deep enough to be booked
  underway    numeric(78, 0) not null,   -- may have left at any moment: broadcast and in no block
  difference  numeric(78, 0) not null,   -- held − arriving + leaving − booked: zero
  checked_at  timestamptz not null,
  primary key (network, asset)
);
