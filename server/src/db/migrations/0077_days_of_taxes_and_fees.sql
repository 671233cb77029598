-- What taxes and fees each closed day brought: reports about them are sums of days, like a statement. Made anew from the
-- ledger like all days; the country of a customer is the one that was known when the day was made.
--
-- Locks: creates tables; the rows of day_position, short. The previous release makes days without these and does not move
-- `statement_to`, up to which all days of an account are made: this release then makes them again from there.
create table tax_day (
  merchant_id     text not null,
  day             date not null,
  country         text not null,                 -- two letters; empty: nobody knows
  tax             text not null,                 -- as the charge calls it; empty: without a tax
  rate            text not null,                 -- as a plain decimal: 0.19; empty: without a tax
  currency        text not null,                 -- in which it was billed
  entries         integer not null,
  base            numeric(78, 0) not null,       -- in the smallest unit of that currency, as all before the values
  counted_base    numeric(78, 0) not null,       -- the same, but of a charge with several taxes only in one of the rows
  amount          numeric(78, 0) not null,       -- of the tax
  base_value      numeric(78, 0),                -- in the smallest unit of the currency of the position; null: no rate is known
  counted_base_value numeric(78, 0),
  amount_value    numeric(78, 0),
  primary key (merchant_id, day, country, tax, rate, currency)
);

create table fee_day (
  merchant_id text not null,
  day         date not null,
  asset       text not null,
  kind        text not null,                     -- what it was taken for
  units       numeric(78, 0) not null,           -- what was taken, less what was given back
  entries     integer not null,
  value       numeric(78, 0),                    -- in the smallest unit of the currency of the position; null: no rate is known
  primary key (merchant_id, day, asset, kind)
);

update day_position set statement_to = null; -- Without these: made anew by itself.
