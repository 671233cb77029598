-- Money on its way out. A transfer is asked for once, by an id of the asker's; a transaction carries one or several of
-- them, is stored signed before it is broadcast, and may be signed anew with a higher fee: generations of which only
-- one can happen, because they share a claim.
--
-- Locks: creates tables and a function only.
create table outgoing_transfer (
  id             text primary key,
  network        text not null,
  asset          text not null,
  units          numeric(78, 0) not null check (units > 0),   -- at the asset's ledger scale
  address        text not null,
  memo           text,
  memo_type      text,
  purpose        text not null,                 -- who asked, and who is told when it is done
  merchant_id    text not null,                 -- 'operator' for the operator's own
  paid_owner     text,                          -- it gives back payments of this checkout,
  paid_ids       text[],                        -- and waits while one of them is not confirmed
  state          text not null check (state in ('QUEUED', 'SIGNED', 'DONE', 'FAILED')),
  transaction_id text,
  tx_hash        text,                          -- of the transaction that did it
  failure        text,
  requested_at   timestamptz not null,
  ended_at       timestamptz
);
create index outgoing_transfer_waiting on outgoing_transfer (network, state, requested_at, id)
  where state in ('QUEUED', 'SIGNED');
create index outgoing_transfer_transaction on outgoing_transfer (transaction_id) where transaction_id is not null;

-- Whether all payments that a transfer gives back are confirmed; true of one that gives none back.
create function is_paid(transfer outgoing_transfer) returns boolean stable language sql as $$
  select not exists (select from payment
                      where payment.merchant_id = transfer.merchant_id and payment.owner_id = transfer.paid_owner
                        and payment.id = any(transfer.paid_ids) and payment.state not in ('CONFIRMED', 'FINAL'))
$$;

create table outgoing_transaction (
  id           text not null,
  generation   integer not null,
  network      text not null,
  tx_hash      text not null,
  raw          text not null,
  claims       text[] not null,                 -- of this generation; those of all are in outgoing_claim
  trace        jsonb not null,
  note         text,                            -- why, where it carries no transfer
  fee_asset    text not null,
  fee_units    numeric(78, 0) not null,         -- at most, while it is open; what it did cost, afterwards
  confirmations_required integer not null,
  kept_asset   text,                            -- what a token kept on its way between addresses of ours
  kept_units   numeric(78, 0) not null default 0 check (kept_units >= 0),
  -- OPEN: may still happen. INCLUDED: it is in a block, which may be given up; with a failure if it had no effect.
  state        text not null check (state in ('OPEN', 'INCLUDED', 'DONE', 'FAILED', 'EXPIRED', 'REPLACED')),
  block_hash   text,
  block_height bigint,
  failure      text,
  is_final     boolean not null default false,  -- its block cannot be given up any more
  position     bigint generated always as identity,  -- in which they were signed, also within one moment
  signed_at    timestamptz not null,
  broadcast_at timestamptz,                     -- the last time that the network took it
  ended_at     timestamptz,
  primary key (id, generation),
  unique (network, tx_hash)
);
create index outgoing_transaction_open on outgoing_transaction (network, position)
  where state in ('OPEN', 'INCLUDED') or (state = 'DONE' and not is_final);

-- What transactions use up: a coin, a nonce, a sequence number. Two that claim the same cannot both be stored, whoever
-- prepared them.
create table outgoing_claim (
  network        text not null,
  claim          text not null,
  transaction_id text not null,
  primary key (network, claim)
);
create index outgoing_claim_transaction on outgoing_claim (transaction_id);

-- What our own transactions took from, or brought to, targets of ours.
create table outgoing_move (
  network    text not null,
  target_key text not null,
  tx_hash    text not null,
  asset      text not null,
  units      numeric(78, 0) not null,
  primary key (network, target_key, tx_hash, asset)
);
