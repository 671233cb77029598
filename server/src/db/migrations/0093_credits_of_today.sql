-- What was credited today to each account, counted up to a while ago: the operator's overview adds what came since, however
-- many credits a day has.
--
-- Locks: creates tables. The previous release does not know them, and nobody counts while only that one runs: then all of a
-- day is read once.
create table credited_today (
  day         date not null,                     -- in UTC, as the house counts
  merchant_id text not null,
  asset       text not null,
  units       numeric(78, 0) not null,           -- less what was taken back
  primary key (day, merchant_id, asset)
);
create table credited_position (
  is_only    boolean primary key default true check (is_only),
  counted_to timestamptz not null                -- of its day, all before this moment is counted
);
