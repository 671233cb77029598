-- Anybody can send any number of tiny payments to an address or memo that is known. They are kept one by one, because
-- each is a coin and may vanish, but no look at a checkout or deposit reads them: their rows belong to a heap, one for
-- each owner, network and asset, which counts them together once they are final and makes one payment of them when their
-- sum is worth it.
--
-- The totals of a deposit are counted where its credits are written, by a trigger, so that they are right also while the
-- previous release is running, and a deposit that is paid for years need not be read whole to be shown.
--
-- Locks: creates tables; adds columns with constant defaults; the indexes on payment keep writers of that table waiting
-- while they are built, and the trigger is added under a short exclusive lock of deposit_credit.
create table crumb_heap (
  id                text primary key,         -- owner/network/asset; the owner_id of the payments that lie on it
  merchant_id       text not null,
  owner_id          text not null,            -- the checkout or deposit
  purpose           text not null check (purpose in ('checkout', 'deposit')),
  network           text not null,
  asset             text not null,
  least_units       numeric(78, 0) not null,  -- less than this is not worth a payment: the network's minimum
  -- Final, and in no payment yet.
  waiting_count     bigint not null default 0,
  waiting_units     numeric(78, 0) not null default 0 check (waiting_units >= 0),
  -- What has become payments, and of how many crumbs.
  gathered_count    bigint not null default 0,
  gathered_units    numeric(78, 0) not null default 0,
  gathered_payments integer not null default 0,
  gathered_at       timestamptz,
  -- Of the newest crumb that is final.
  last_tx           text,
  last_block_height bigint,
  last_block_time   timestamptz,
  last_seen_at      timestamptz
);
create index crumb_heap_owner on crumb_heap (merchant_id, owner_id);
create index crumb_heap_worth on crumb_heap (network, id) where waiting_count > 0 and waiting_units >= least_units;

create index payment_crumbs on payment (network, block_height) where purpose = 'crumb' and place = 'none';
create index payment_unbooked on payment (network, asset) where place = 'none' and block_height is not null;

alter table reconciliation add column crumbs numeric(78, 0) not null default 0;  -- in a block, too small to be booked

-- Of payments to a deposit: the newest, and those with which something is left to be done.
create index payment_of_deposit on payment (merchant_id, owner_id, first_seen_at, id) where purpose = 'deposit';
create index payment_undone on payment (merchant_id, owner_id, first_seen_at, id)
  where purpose = 'deposit' and not (state in ('CONFIRMED', 'FINAL') and place = 'settled')
    and not (state in ('REPLACED', 'DROPPED') and place = 'none');

create table deposit_total (
  merchant_id text not null,
  deposit_id  text not null,
  asset       text not null,
  payments    bigint not null,                -- whose credit stands
  gross_units numeric(78, 0) not null,
  fee_units   numeric(78, 0) not null,
  net_units   numeric(78, 0) not null,
  primary key (merchant_id, deposit_id, asset)
);

create function count_deposit_credit() returns trigger language plpgsql as $$
begin
  insert into deposit_total as total (merchant_id, deposit_id, asset, payments, gross_units, fee_units, net_units)
  select new.merchant_id, new.deposit_id, payment.asset,
         (new.reference is not null)::integer - (old.reference is not null)::integer,
         coalesce(new.gross_units, 0) - coalesce(old.gross_units, 0),
         coalesce(new.fee_units, 0) - coalesce(old.fee_units, 0),
         coalesce(new.net_units, 0) - coalesce(old.net_units, 0)
    from payment
   where payment.merchant_id = new.merchant_id and payment.owner_id = new.deposit_id and payment.id = new.payment_id
      on conflict (merchant_id, deposit_id, asset) do update
     set payments = total.payments + excluded.payments, gross_units = total.gross_units + excluded.gross_units,
         fee_units = total.fee_units + excluded.fee_units, net_units = total.net_units + excluded.net_units;
  return null;
end $$;

create trigger deposit_credit_counted after insert or update on deposit_credit
  for each row execute function count_deposit_credit();

insert into deposit_total (merchant_id, deposit_id, asset, payments, gross_units, fee_units, net_units)
select credit.merchant_id, credit.deposit_id, payment.asset, count(*), sum(credit.gross_units), sum(credit.fee_units),
       sum(credit.net_units)
  from deposit_credit credit
  join payment on payment.merchant_id = credit.merchant_id and payment.owner_id = credit.deposit_id
              and payment.id = credit.payment_id
 where credit.reference is not null
 group by credit.merchant_id, credit.deposit_id, payment.asset;

-- Below the network's minimum: not in the list that a person goes through. What is there already stays in it.
alter table unmatched_payment add column is_crumb boolean not null default false;
drop index unmatched_payment_open;
create index unmatched_payment_open on unmatched_payment (seen_at, id)
  where assigned_at is null and returned_at is null and not is_crumb;
create index unmatched_payment_crumbs on unmatched_payment (network, asset)
  where assigned_at is null and returned_at is null and is_crumb;
