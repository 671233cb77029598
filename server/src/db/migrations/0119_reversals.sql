-- Networks take payments back, whole or in part, also such as were final: banks do. A payment that was taken back in part
-- is taken back whole, and what is left of it is another payment in its place (`rest_of`: the id of the first of them).
-- So the units of a payment never change, and the books undo exactly what they did.
--
-- And holdings change by more than payments: fees, interest, the operator's own transfers, and what nobody can explain.
-- Each is stored once, under what the network calls it. Reversals are such movements too: what of one is not taken from a
-- payment (it has not come yet, or brought less) is open, lies in the operator's suspense, and waits for its payment or
-- for a person.
--
-- Locks: the constraint is exchanged under a short exclusive lock of `payment` and not checked against its rows, which
-- were checked against a narrower one; columns without defaults or with constant ones; creates a table. The previous
-- release knows no network that takes anything back, and runs on.
alter table payment
  drop constraint payment_state_check,
  add constraint payment_state_check
    check (state in ('SEEN', 'CONFIRMED', 'FINAL', 'REPLACED', 'DROPPED', 'REVERSED')) not valid,
  add column rest_of text;

alter table unmatched_payment
  add column reversed_units numeric(78, 0) not null default 0,  -- no longer in `units`, unless all was taken back
  add column reversed_at    timestamptz;                         -- all of it was taken back

create table network_movement (
  id           text primary key,
  network      text not null,
  kind         text not null check (kind in ('FEE', 'INTEREST', 'OWN_MONEY', 'UNKNOWN', 'REVERSAL')),
  key          text not null,                    -- what the network calls it; reversals have names of their own
  asset        text not null,
  units        numeric(78, 0) not null check (units <> 0),  -- at the asset's ledger scale; negative: it left
  tx_hash      text,                             -- of the payment that is taken back
  tx_index     text,
  note         text,
  block_hash   text not null,
  block_height bigint not null,
  block_time   timestamptz not null,
  seen_at      timestamptz not null,
  -- What of it is in suspense, and explained by nobody: of the same sign as `units`.
  open_units   numeric(78, 0) not null default 0,
  assigned_as  text,                             -- what a person said that it was, and of what
  assigned_to  text,
  assigned_by  text,
  assigned_at  timestamptz,
  check ((kind = 'REVERSAL') = (tx_hash is not null) and (tx_hash is null) = (tx_index is null)),
  check (kind <> 'REVERSAL' or units < 0),
  check (case when units < 0 then open_units between units and 0 else open_units between 0 and units end)
);
create unique index network_movement_once on network_movement (network, (kind = 'REVERSAL'), key);
create index network_movement_open on network_movement (network, seen_at, id) where open_units <> 0;
create index network_movement_newest on network_movement (seen_at, id);
