-- What moved on each closed day, by the lines of a statement: a statement of any period is a sum of days. Made anew from the
-- ledger like all days.
--
-- Locks: creates a table; adds a column without a default to day_position, short. The previous release makes days without
-- these and does not move `statement_to`: this release then makes them again from there.
create table statement_day (
  merchant_id text not null,
  day         date not null,
  asset       text not null,
  line        text not null,
  units       numeric(78, 0) not null,           -- what it brought to what is available, less what it took
  entries     integer not null,
  value       numeric(78, 0),                    -- in the smallest unit of the currency of the position; null: no rate is known
  primary key (merchant_id, day, asset, line)
);

-- The days before this one are made with their statements. Null: not begun.
alter table day_position add column statement_to date;
