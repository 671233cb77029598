-- Fees agreed with a merchant, and swaps between what a merchant holds.
--
-- Locks: creates tables and indexes, and adds columns without a default; short on any table that exists.

-- Null: the fees that the operator takes from everybody. In percent and in dollars.
alter table merchant
  add column fee_percent numeric check (fee_percent between 0 and 50),
  add column fee_minimum_usd numeric check (fee_minimum_usd between 0 and 1000);

-- A price for a swap that holds for a short while. Amounts are at the ledger scales of their assets.
create table swap_quote (
  merchant_id  text not null references merchant,
  id           text not null,
  source_asset text not null,
  target_asset text not null,
  source_units numeric(78, 0) not null check (source_units > 0),
  gross_units  numeric(78, 0) not null check (gross_units > 0),
  fee_units    numeric(78, 0) not null check (fee_units >= 0),
  rate         text not null,                 -- what one unit of the source is worth in the target, for showing
  created_at   timestamptz not null,
  valid_until  timestamptz not null,
  primary key (merchant_id, id)
);
create index swap_quote_age on swap_quote (valid_until);

create table swap (
  merchant_id     text not null references merchant,
  id              text not null,
  api_key         text not null,              -- who asked; its current secret signs the compatible webhook header
  idempotency_key text,                       -- a repeated request finds its swap, whatever became of the answer
  quote_id        text,                       -- a quote is good for one swap
  state           text not null check (state in ('PROCESSING', 'COMPLETED', 'FAILED')),
  venue           text,                       -- where it was done, or is being done
  source_asset    text not null,
  target_asset    text not null,
  source_units    numeric(78, 0) not null check (source_units > 0),
  gross_units     numeric(78, 0) not null check (gross_units > 0),   -- as priced, and as given once it is completed
  fee_units       numeric(78, 0) not null check (fee_units >= 0),
  least_units     numeric(78, 0) not null,    -- below this gross it is not done
  is_fixed        boolean not null,           -- the priced amount is what is given, whatever the venue gave
  rate            text not null,
  tx_hash         text,
  failure         text,
  webhook         text,
  meta            json,                       -- as it was posted, digit by digit
  created_at      timestamptz not null,
  ended_at        timestamptz,
  primary key (merchant_id, id),
  unique (id)
);
create index swap_listed on swap (merchant_id, created_at, id);
create unique index swap_quoted on swap (merchant_id, quote_id) where quote_id is not null;
create index swap_asked on swap (merchant_id, idempotency_key) where idempotency_key is not null;

-- Exchanges at a venue outside the books. The money travels as an outgoing transfer with the same id.
create table venue_order (
  id             text primary key,
  reference      text not null,               -- of the settlement, or the id of the swap
  purpose        text not null check (purpose in ('checkout', 'swap')),
  merchant_id    text not null,
  owner_id       text not null,
  attempt        integer not null,
  source_asset   text not null,
  source_units   numeric(78, 0) not null check (source_units > 0),
  target_asset   text not null,
  least_units    numeric(78, 0) not null check (least_units > 0),
  state          text not null check (state in ('PENDING', 'DONE', 'FAILED')),
  received_units numeric(78, 0),
  tx_hash        text,
  failure        text,
  created_at     timestamptz not null,
  ended_at       timestamptz
);
create index venue_order_owner on venue_order (owner_id);

-- An outgoing transfer may be an exchange with ourselves, or bring tokens into being.
alter table outgoing_transfer
  add column exchange_asset text,
  add column exchange_least_units numeric(78, 0),
  add column received_units numeric(78, 0),   -- what an exchange gave, once it happened
  add column is_issue boolean not null default false;

-- The bridge issues tokens on Stellar against coins that arrived elsewhere: which transfer covers a payment, and, once
-- it has happened, its transaction.
alter table payment
  add column bridge_id text,
  add column bridge_tx text,
  add column bridged_at timestamptz;
create index payment_unbridged on payment (asset) where bridge_id is null;
create index payment_bridge on payment (bridge_id) where bridge_id is not null;
create index outgoing_transfer_bridge on outgoing_transfer (asset, requested_at) where purpose = 'bridge';
