-- Money that reached an account which many checkouts share, and named none of them. It is ours to hold and somebody
-- else's to have, so it is in the books from the first moment, in the operator's suspense, until it is assigned by hand.
--
-- Locks: creates a table only.
create table unmatched_payment (
  id                   text primary key,
  network              text not null,
  tx_hash              text not null,
  tx_index             text not null,
  asset                text not null,
  units                numeric(78, 0) not null check (units > 0),  -- at the asset's ledger scale
  sender               text,
  memo                 text,
  block_hash           text not null,
  block_height         bigint not null,
  block_time           timestamptz not null,
  seen_at              timestamptz not null,
  trace                jsonb not null default '{}',
  assigned_merchant_id text,
  assigned_checkout_id text,
  assigned_at          timestamptz,
  unique (network, tx_hash, tx_index)
);
create index unmatched_payment_open on unmatched_payment (seen_at) where assigned_at is null;
