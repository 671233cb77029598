-- Custom deposits, and whom and where an account sends to.
--
-- Locks: creates tables and indexes, and adds a column with a constant default; short on any table that exists.
create table deposit (
  merchant_id         text not null references merchant,
  id                  text not null,
  api_key             text not null,            -- its current secret signs the compatible webhook header
  state               text not null check (state in ('CREATED', 'PENDING', 'COMPLETED')),
  exceptions          text[] not null default '{}',
  network             text not null,
  asset               text not null,
  is_reusable         boolean not null,
  expected_units      numeric(78, 0) check (expected_units > 0),  -- at the asset's ledger scale
  target_key          text not null,
  address             text not null,
  memo                text,
  memo_type           text,
  webhook             text,
  meta                json,                     -- as it was posted, digit by digit
  extra_confirmations integer not null,
  reversals           integer not null default 0,   -- how often a credit was taken back
  created_at          timestamptz not null,
  expires_at          timestamptz,              -- of an invoice; null: never
  primary key (merchant_id, id)
);
create index deposit_listed on deposit (merchant_id, created_at, id);
create index deposit_reusable on deposit (merchant_id, asset, network, created_at) where is_reusable;
create index deposit_target_key on deposit (network, target_key);

-- What the merchant was told about a payment to a deposit, and the credit that stands for it. What has been credited
-- and taken back before is in the ledger.
create table deposit_credit (
  merchant_id text not null,
  deposit_id  text not null,
  payment_id  text not null,
  announced   text not null check (announced in ('PENDING', 'COMPLETED', 'REVERSED')),
  reference   text,                             -- of the entry; null: no credit stands
  gross_units numeric(78, 0),
  fee_units   numeric(78, 0),
  net_units   numeric(78, 0),
  credited_at timestamptz,
  primary key (merchant_id, deposit_id, payment_id)
);

create index payment_funding on payment (network) where purpose = 'funding';
create index deposit_target_funding on deposit_target (network, created_at) where purpose = 'funding';

create table beneficiary (
  merchant_id text not null references merchant,
  id          text not null,
  type        text not null check (type in ('PERSON', 'COMPANY')),
  fields      jsonb not null,                   -- names and the structured address; see the contract
  meta        json,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  deleted_at  timestamptz,                      -- kept: transfers that were made name their beneficiary
  primary key (merchant_id, id)
);
create index beneficiary_listed on beneficiary (merchant_id, created_at, id) where deleted_at is null;

create table target_account (
  merchant_id    text not null references merchant,
  id             text not null,
  label          text not null,
  network        text not null,
  assets         text[] not null,               -- ids; empty: all of the network
  address        text not null,
  memo           text,
  memo_type      text,
  beneficiary_id text,
  usable_from    timestamptz not null,          -- transfers may go there from then on
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  deleted_at     timestamptz,                   -- kept: transfers that were made name their destination
  primary key (merchant_id, id)
);
create unique index target_account_label on target_account (merchant_id, label) where deleted_at is null;
create index target_account_listed on target_account (merchant_id, created_at, id) where deleted_at is null;
create index target_account_beneficiary on target_account (merchant_id, beneficiary_id)
  where beneficiary_id is not null and deleted_at is null;

alter table merchant add column destination_wait_minutes integer not null default 0
  check (destination_wait_minutes between 0 and 43200);
