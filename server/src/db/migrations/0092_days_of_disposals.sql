-- What left an account on each closed day, by kind and asset: the totals of the list are sums of days, like those of all other
-- reports, and say on which days and of which kinds the list has rows at all. Made anew from the ledger like all days.
--
-- Locks: creates a table; the rows of day_position, short. The previous release makes days without these and does not move
-- `statement_to`, up to which all days of an account are made: this release then makes them again from there.
create table disposal_day (
  merchant_id text not null,
  day         date not null,
  asset       text not null,
  kind        text not null,                     -- transfer, refund, swap …
  units       numeric(78, 0) not null,           -- what left, less what of it was undone
  entries     integer not null,
  value       numeric(78, 0),                    -- in the smallest unit of the currency of the position; null: no rate is known
  primary key (merchant_id, day, asset, kind)
);

update day_position set statement_to = null; -- Without these: made anew by itself.
