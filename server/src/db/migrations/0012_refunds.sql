-- Refunds, and what merchants decide about money in suspense.
--
-- Locks: adds columns with constant defaults, which rewrites nothing, and creates a table.
alter table checkout
  add column accepted_excess jsonb not null default '[]',  -- what was taken out of suspense for the merchant
  add column accept_from numeric;                          -- the fraction of the price from which too little is enough

alter table merchant
  add column underpaid_accept_percent numeric check (underpaid_accept_percent > 0 and underpaid_accept_percent < 100);

create table refund (
  merchant_id      text not null references merchant,
  id               text not null unique,           -- also the id of its transfer
  checkout_id      text not null,
  context          text not null check (context in ('COMPLETED_CHECKOUT', 'UNDERPAID_CHECKOUT', 'OVERPAID_CHECKOUT')),
  state            text not null
                   check (state in ('CLAIMABLE', 'SENDING', 'COMPLETED', 'FAILED', 'CANCELED', 'EXPIRED')),
  -- Where its units are in the books.
  place            text not null check (place in ('none', 'reserved', 'sent', 'returned')),
  network          text not null,
  asset            text not null,
  units            numeric(78, 0) not null check (units > 0),      -- at the asset's ledger scale, like all of these
  sent_units       numeric(78, 0) not null check (sent_units > 0), -- what the customer gets
  fee_units        numeric(78, 0) not null check (fee_units >= 0), -- for the network, as it was estimated
  fee_paid_by      text not null check (fee_paid_by in ('customer', 'merchant')),
  takes            jsonb not null,                 -- from which payments, out of suspense
  covers           jsonb not null,                 -- for which commitments, out of what the merchant has
  basis            text not null check (basis in ('PAID_UNITS', 'BILLING_RATE', 'CURRENT_RATE')),
  rates            jsonb not null,
  address          text,                           -- null until it is claimed
  memo             text,
  memo_type        text,
  idempotency_key  text,                           -- a repeated request finds its refund, whatever became of the answer
  claim_hash       bytea unique,                   -- sha256 of the token that the customer was given
  claim_expires_at timestamptz,
  tx_hash          text,
  failure          text,
  meta             json,
  requested_at     timestamptz not null,
  ended_at         timestamptz,
  primary key (merchant_id, id),
  check (state in ('CLAIMABLE', 'CANCELED', 'EXPIRED') or address is not null)
);
create index refund_checkout on refund (merchant_id, checkout_id, requested_at);
create index refund_asked on refund (merchant_id, idempotency_key) where idempotency_key is not null;

-- What named no checkout can also be sent back.
alter table unmatched_payment
  add column return_id      text unique,           -- of the transfer that sends it back
  add column return_address text,
  add column return_units   numeric(78, 0),        -- what is sent: without the network's fee
  add column return_fee     numeric(78, 0),
  add column return_failure text,                  -- of the last attempt
  add column returned_tx    text,
  add column returned_at    timestamptz;
