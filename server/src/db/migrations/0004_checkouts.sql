-- Checkouts, what the customer committed to, and the deposit targets that were given out.
--
-- Locks: creates tables only.
create table checkout (
  merchant_id        text not null references merchant,
  id                 text not null,
  api_key            text not null,            -- its current secret signs the compatible webhook header
  type               text not null check (type in ('API', 'HOSTED')),
  origin             text not null,
  state              text not null,
  exceptions         text[] not null default '{}',
  billing_currency   text not null,
  total              numeric not null check (total > 0),   -- exact
  settlement_asset   text not null,            -- an asset id, or ORIGIN
  language           text not null,
  webhook            text,
  customer_id        text,
  tolerance          numeric not null,         -- the fraction of the price that may be missing
  extra_confirmations integer not null,
  payload            json not null,            -- what was posted, digit by digit
  quotes             jsonb not null,
  quoted_at          timestamptz not null,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  window_ends_at     timestamptz,              -- of the latest commitment
  canceled_at        timestamptz,
  accepted_at        timestamptz,
  settlements        integer not null default 0,           -- how often it was settled: the generation of references
  primary key (merchant_id, id)
);
create index checkout_public on checkout (id);             -- the hosted page knows no merchant
create index checkout_listed on checkout (merchant_id, created_at, id);
create index checkout_customer on checkout (merchant_id, customer_id) where customer_id is not null;

create table timeline (
  id          bigint generated always as identity,
  merchant_id text not null,
  checkout_id text not null,
  at          timestamptz not null,
  what        text not null,
  why         jsonb not null default '{}',
  primary key (merchant_id, checkout_id, id)
);

-- Blocks of fifty: a process takes a block and hands the indexes out from memory. Gaps are harmless, reuse is not.
create sequence deposit_index_block;

-- Watched for ever: people pay again to an address they once used.
create table deposit_target (
  network     text not null,
  key         text not null,            -- what an observation is matched by
  id          text not null,
  purpose     text not null check (purpose in ('checkout', 'deposit', 'funding', 'change')),
  merchant_id text not null,            -- 'operator' for the operator's own money
  owner_id    text not null,            -- the checkout or deposit it belongs to
  index       bigint not null,
  address     text not null,
  memo        text,
  memo_type   text,
  created_at  timestamptz not null,
  primary key (network, key)
);
-- For the thousands of addresses of a block, nearly all of them strangers': one page each, however many targets there are.
create index deposit_target_any on deposit_target using hash (key);

create table commitment (
  merchant_id text not null,
  checkout_id text not null,
  id          text not null,
  network     text not null,
  asset       text not null,
  due_units   numeric(78, 0) not null check (due_units > 0),   -- the full price, at the asset's ledger scale
  quote       jsonb not null,
  target_key  text not null,
  address     text not null,
  memo        text,
  memo_type   text,
  committed_at timestamptz not null,
  expires_at  timestamptz not null,
  primary key (merchant_id, checkout_id, id)
);
-- With the time, so that the recent ones are found in the order of their keys without looking at the rows of all.
create index commitment_target on commitment (network, target_key, committed_at);
create index commitment_recent on commitment (network, committed_at);
