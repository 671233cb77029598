-- What merchants send out of their balances, and the signatures that such requests have used up.
--
-- Locks: creates tables and indexes, and adds a column without a default; short on any table that exists.
create table transfer (
  merchant_id       text not null references merchant,
  id                text not null,              -- also that of what is asked of sending, so unique among all merchants
  api_key           text not null,              -- who asked; its current secret signs the compatible webhook header
  idempotency_key   text,                       -- a repeated request finds its transfer, whatever became of the answer
  state             text not null
    check (state in ('AWAITING_APPROVAL', 'WAITING', 'QUEUED', 'COMPLETED', 'FAILED', 'CANCELED')),
  network           text not null,
  asset             text not null,
  units             numeric(78, 0) not null check (units > 0),           -- what arrives, at the asset's ledger scale
  network_fee_units numeric(78, 0) not null check (network_fee_units >= 0), -- as quoted, in the same asset
  service_fee_units numeric(78, 0) not null check (service_fee_units >= 0),
  address           text not null,
  memo              text,
  memo_type         text,
  target_account_id text,
  target_label      text,                       -- as it was then
  usable_from       timestamptz not null,       -- from then on money may go to this destination
  approved_by       text,                       -- another key than the one that asked
  approved_at       timestamptz,
  webhook           text,
  meta              json,                       -- as it was posted, digit by digit
  failure           text,
  created_at        timestamptz not null,
  ended_at          timestamptz,
  primary key (merchant_id, id),
  unique (id)
);
create index transfer_listed on transfer (merchant_id, created_at, id);
create index transfer_asked on transfer (merchant_id, idempotency_key) where idempotency_key is not null;
create index transfer_destination on transfer (merchant_id, network, address) where state = 'COMPLETED';

-- Null: no second approval is needed. In the account currency.
alter table merchant add column transfer_approval_above numeric check (transfer_approval_above >= 0);

create table used_signature (
  hash    bytea primary key,
  used_at timestamptz not null
);
create index used_signature_age on used_signature (used_at);
