-- What was sent, was done, and came back: a bank returns a payment days after it was booked. Each is stored once, under what
-- the network calls it, in the transaction of the watcher that was told of it. `taken_units` go back to whoever asked for the
-- payout, at most what was sent; the job that ends payouts of its kind books them. The rest is money that came for nobody.
--
-- Locks: creates a table; columns without defaults or with constant ones; replaces functions. The previous release knows no
-- network that gives anything back, and runs on.
create table payout_comeback (
  network      text not null,
  comeback_id  text not null,                             -- what the network calls it
  payout_id    text not null,                             -- as the network said it: there may be none of this name
  tx_hash      text not null,                             -- of our transaction, as it was signed
  asset        text not null,
  units        numeric(78, 0) not null check (units > 0), -- at the asset's ledger scale
  taken_units  numeric(78, 0) not null default 0 check (taken_units between 0 and units),
  reason       text,
  block_hash   text not null,
  block_height bigint not null,
  block_time   timestamptz not null,
  position     bigint generated always as identity,       -- in which they were told, also within one moment
  seen_at      timestamptz not null,
  booked_at    timestamptz,                               -- whoever asked for the payout has `taken_units` back
  primary key (network, comeback_id)
);
create index payout_comeback_of on payout_comeback (payout_id, position);
create index payout_comeback_open on payout_comeback (network, asset) where booked_at is null and taken_units > 0;

alter table transfer
  add column came_back_units numeric(78, 0) not null default 0,
  add column came_back_at    timestamptz;                  -- the last time

alter table refund
  add column came_back_units numeric(78, 0) not null default 0,
  add column came_back_at    timestamptz;                  -- the last time
create index refund_came_back on refund (merchant_id, came_back_at) where came_back_units > 0;

-- Whether a refund may leave: now of refunds that came back only counts what did not.
create or replace function is_paid(transfer outgoing_transfer) returns boolean stable language sql as $$
  select transfer.purpose <> 'refund' or (
    -- The payments that it takes from are confirmed, and those behind what was credited for what it covers.
    not exists (select from refund
                  join payment on payment.merchant_id = refund.merchant_id and payment.owner_id = refund.checkout_id
                 where refund.merchant_id = transfer.merchant_id and refund.id = transfer.id
                   and payment.state not in ('CONFIRMED', 'FINAL')
                   and (refund.takes @> jsonb_build_array(jsonb_build_object('paymentId', payment.id))
                        or (payment.place = 'settled' and refund.covers @> jsonb_build_array(
                              jsonb_build_object('commitmentId', payment.commitment_id)))))
    -- And of what it covers, no more is given back than was credited.
    and not exists (select from refund own, jsonb_array_elements(own.covers) as covered
                     where own.merchant_id = transfer.merchant_id and own.id = transfer.id
                       and (select coalesce(sum(div((cover ->> 'units')::numeric * (refund.sent_units - refund.came_back_units),
                                                    refund.sent_units)), 0)
                              from refund, jsonb_array_elements(refund.covers) as cover
                             where refund.merchant_id = own.merchant_id and refund.checkout_id = own.checkout_id
                               and refund.place <> 'returned'
                               and cover ->> 'commitmentId' = covered ->> 'commitmentId')
                         > (select coalesce(sum((part ->> 'countedUnits')::numeric), 0)
                              from settlement, jsonb_array_elements(settlement.parts) as part
                             where settlement.merchant_id = own.merchant_id
                               and settlement.checkout_id = own.checkout_id and settlement.reversed_at is null
                               and part ->> 'commitmentId' = covered ->> 'commitmentId')))
$$;

-- What comes back is taken back from what had left, at the worth that it had then.
create or replace function units_that_left(entry ledger_entry) returns table (asset text, units numeric) stable language sql as $$
  select substring(account_id from '[^/]*$'), sum(line.units)
    from ledger_line as line
   where line.reference = entry.reference
     and case when entry.kind in ('transfer_sent', 'refund_sent', 'transfer_came_back', 'refund_came_back')
              then starts_with(account_id, 'operator/wallet-')
              when entry.kind in ('transfer_released', 'refund_returned')
              then starts_with(account_id, 'operator/wallet-')
                   or ((starts_with(account_id, 'operator/fees/') or starts_with(account_id, 'operator/costs/'))
                       and not exists (select from ledger_line as sent
                                        where sent.reference = entry.reference and starts_with(sent.account_id, 'operator/wallet-')))
              when entry.kind in ('swap', 'settlement') then starts_with(account_id, 'operator/fx/') and line.units > 0
              when entry.kind = 'settlement_reversed' then starts_with(account_id, 'operator/fx/') and line.units < 0
              else false end
   group by 1
$$;

create or replace function worth_at(entry ledger_entry) returns timestamptz stable language sql as $$
  select coalesce((
    select original.posted_at from ledger_entry as original
     where original.merchant_id = entry.merchant_id
       and original.reference = case when entry.reference like '%:reversed' then left(entry.reference, -length(':reversed'))
                                     when entry.kind = 'refund_returned'
                                     then left(entry.reference, -length(':returned')) || ':sent'
                                     when entry.kind in ('transfer_came_back', 'refund_came_back')
                                     then substring(entry.reference from '^(.*):came-back:[0-9]+$') || ':sent' end), entry.posted_at)
$$;
