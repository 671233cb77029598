-- What the networks say that we hold against what the books say, as of the last time both were asked.
--
-- Locks: creates tables only.
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

-- The same for tokens that the bridge issues on Stellar. Null: not asked yet.
create table bridge_token (
  asset       text primary key,
  supply      numeric(78, 0),            -- how many there are, as Stellar's ledger reports it
  booked      numeric(78, 0),            -- how many the books say were issued and not burned
  landed      numeric(78, 0),            -- issued there but not booked yet; negative: burned
  underway    numeric(78, 0),            -- may land at any moment; negative: a burn
  counted_at  timestamptz,
  level_at    timestamptz                -- when there last was a token for every coin, by the books
);
