-- What arrived on the networks, and how far each watcher has read.
--
-- Locks: creates tables only.
create table network_cursor (
  network       text primary key,
  epoch         bigint not null default 0,   -- fencing: only the watcher that took the lease last may write
  cursor        jsonb,
  tip_height    bigint,
  tip_hash      text,
  tip_time      timestamptz,
  blocks_behind bigint not null default 0,
  observed_at   timestamptz,                 -- the last time the node answered
  failing_since timestamptz,
  last_error    text,
  facts         jsonb not null default '{}'  -- what the node says about itself: its identity, what it can receive
);

create table payment (
  merchant_id            text not null,
  owner_id               text not null,      -- the checkout or deposit that the target belongs to
  purpose                text not null,      -- of the target
  id                     text not null,
  commitment_id          text,               -- null: an asset nobody asked for
  network                text not null,
  tx_hash                text not null,
  tx_index               text not null,      -- output, log or operation
  target_key             text not null,
  asset                  text not null,
  units                  numeric(78, 0) not null check (units > 0),  -- at the asset's ledger scale
  state                  text not null check (state in ('SEEN', 'CONFIRMED', 'FINAL', 'REPLACED', 'DROPPED')),
  replaced_by            text,
  confirmations_required integer not null,
  confirmed_until        text check (confirmed_until in ('safe', 'final')),  -- what the network must call its block
  block_hash             text,
  block_height           bigint,
  block_time             timestamptz,
  first_seen_at          timestamptz not null,
  confirmed_at           timestamptz,
  -- Where its units are in the books: not booked, or in the merchant's pending, suspense or settled for good.
  place                  text not null default 'none' check (place in ('none', 'pending', 'suspense', 'settled')),
  generation             integer not null default 0,  -- how often it was booked: part of the entry's reference
  trace                  jsonb not null default '{}',
  primary key (merchant_id, owner_id, id)
);
create unique index payment_once on payment (network, tx_hash, tx_index);
create index payment_target on payment (network, target_key);
create index payment_unconfirmed on payment (network, block_height) where state = 'SEEN';
create index payment_not_final on payment (network, block_height) where state = 'CONFIRMED';

-- What arrived at a target and is no asset of ours, e.g. another token: shown, so that it can be sent back by hand.
create table stray_transfer (
  network     text not null,
  tx_hash     text not null,
  tx_index    text not null,
  merchant_id text not null,
  owner_id    text not null,
  target_key  text not null,
  what        text not null,                 -- as the network names it: a token's contract
  units       numeric(78, 0) not null,       -- in the token's own smallest unit
  block_hash  text not null,
  block_time  timestamptz not null,
  vanished_at timestamptz,                   -- its block was given up; set back when it arrives again
  primary key (network, tx_hash, tx_index)
);
create index stray_transfer_owner on stray_transfer (merchant_id, owner_id);
create index stray_transfer_block on stray_transfer (network, block_hash);

-- One row per settlement of a checkout: what was credited for which part. `reversed_at`: a reorganisation took it back.
create table settlement (
  merchant_id text not null,
  checkout_id text not null,
  generation  integer not null,
  reference   text not null,
  parts       jsonb not null,
  settled_at  timestamptz not null,
  reversed_at timestamptz,
  primary key (merchant_id, checkout_id, generation)
);
