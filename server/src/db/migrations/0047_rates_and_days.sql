-- What rates were, by the hour, and what happened in an account, by its days. Without rates of the past no report has a
-- value; without days a month is a scan of the ledger.
--
-- Locks: creates tables only. The previous release does not know them: what rates are while only it runs is not kept.

-- The first good rate of each hour: the price of one unit in US dollars. Never changed.
create table rate_hour (
  code text not null,
  hour timestamptz not null,
  usd  numeric not null check (usd > 0),
  primary key (code, hour)
);

-- Closed days of the merchants' accounts, in the time zone of the account. Made anew from the ledger, never added to; a day
-- without lines has no row.
create table ledger_day (
  merchant_id text not null,
  day         date not null,
  account_id  text not null,
  units_in    numeric(78, 0) not null,
  units_out   numeric(78, 0) not null,
  lines       integer not null,
  primary key (merchant_id, day, account_id)
);

-- Likewise what became of checkouts on a day. `credited` is in the currency of the position, at the rates of each hour.
create table checkout_day (
  merchant_id text not null,
  day         date not null,
  created     integer not null,
  paid        integer not null,                  -- checkouts that were credited on this day
  credited    numeric not null,
  is_valued   boolean not null,                  -- false: for some of it no rate is known
  primary key (merchant_id, day)
);

-- How far the days of an account are made, and for which settings: other ones make all days anew. No row: not begun.
create table day_position (
  merchant_id text primary key,
  time_zone   text not null,
  currency    text not null,
  folded_to   date not null,                     -- the days before this one are made
  due_at      timestamptz not null               -- when that day is closed
);
