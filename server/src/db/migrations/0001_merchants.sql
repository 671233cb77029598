-- Who uses the service: merchants, the keys their servers sign with, where these may call from, and their customers.
--
-- Every table that belongs to a merchant has merchant_id first in its key, so that the data can later be split by
-- merchant without a rewrite, and so that a query that forgets the merchant is visibly odd.
--
-- Locks: creates tables only.
create table merchant (
  id                        text primary key,
  name                      text not null,
  email                     text,
  account_currency          text not null default 'USD',
  is_basic_allowed          boolean not null default true,   -- X-Basic is static and weaker: it can be switched off
  is_address_list_enforced  boolean not null default false,
  high_risk_assets          text[] not null default '{}',    -- codes of HIGH assets the merchant has asked for
  tolerance_percent         numeric not null default 0.5 check (tolerance_percent between 0 and 5),
  tolerance_absolute        numeric not null default 0.50 check (tolerance_absolute >= 0), -- in account_currency
  extra_confirmations       integer not null default 0 check (extra_confirmations between 0 and 100),
  page_settings             jsonb not null default '{}',
  webhook_secret            bytea not null,                  -- encrypted; signs the Standard Webhooks headers
  is_webhook_https_required boolean not null default false,
  created_at                timestamptz not null
);

create table api_key (
  merchant_id  text not null references merchant,
  key          text not null unique,
  secret       bytea not null,          -- encrypted: an HMAC needs the secret itself back
  basic_digest bytea not null unique,   -- sha256 of the X-Basic value, which arrives without the key
  created_at   timestamptz not null,
  rotated_at   timestamptz,
  revoked_at   timestamptz,
  primary key (merchant_id, key)
);

create table allowed_address (
  merchant_id text not null references merchant,
  range       cidr not null,
  note        text not null default '',
  created_at  timestamptz not null,
  primary key (merchant_id, range)
);

create table audit_log (
  id          bigint generated always as identity primary key,
  merchant_id text not null,
  at          timestamptz not null,
  actor       text not null,            -- an API key, 'operator', …
  action      text not null,
  detail      jsonb not null default '{}'
);
create index audit_log_merchant on audit_log (merchant_id, id);

create table customer (
  merchant_id text not null references merchant,
  id          text not null,
  email       text not null,
  fields      jsonb not null,           -- firstname, lastname, company, address …; see the contract
  meta        json,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  deleted_at  timestamptz,              -- kept: an invoice that was issued must stay readable
  primary key (merchant_id, id)
);
create index customer_listed on customer (merchant_id, created_at, id) where deleted_at is null;
-- One customer per address: a shop posts its customer with every order, and gets the same id each time.
create unique index customer_email on customer (merchant_id, lower(email)) where deleted_at is null;

-- The answer to a request that carried an Idempotency-Key. `status` is null while the request is running.
create table idempotency_key (
  merchant_id  text not null,
  key          text not null,
  request_hash bytea not null,
  status       integer,
  body         text,
  created_at   timestamptz not null,
  primary key (merchant_id, key)
);
create index idempotency_key_age on idempotency_key (created_at);
