-- What the treasury has promised: a checkout that was committed, and whose credit the treasury will give, counts against
-- its stock until it is settled or its window is over. A row of its own, not a sum over commitments: a checkout counts once
-- however often it is committed, what was released must never count as promised again, and a sum must be cheap.
--
-- What was committed before this release keeps its promise. The previous release writes no promises: what it commits
-- while both run is settled out of what is free then.
--
-- And what the treasury keeps of the rate of a swap, in percent: it was nothing before.
--
-- Locks: creates a table; adds columns with a constant default; reads checkouts and commitments; building the index on ledger_account holds up writes to it for
-- the moment of one scan.
create table treasury_promise (
  merchant_id text not null,
  checkout_id text not null,
  asset       text not null,                                -- what is credited
  units       numeric(78, 0) not null check (units > 0),    -- gross, at its ledger scale
  promised_at timestamptz not null,
  primary key (merchant_id, checkout_id, asset)
);
create index treasury_promise_sum on treasury_promise (asset, merchant_id) include (units);

-- The debts of merchants, without looking at the accounts of all. By the name alone, which never changes.
create index ledger_account_receivable on ledger_account (asset) where id like 'merchant/%/receivable/%';

insert into treasury_promise (merchant_id, checkout_id, asset, units, promised_at)
select commitment.merchant_id, commitment.checkout_id, quote #>> '{settlement,assetId}', max((quote #>> '{settlement,grossUnits}')::numeric),
       min(committed_at)
  from commitment
  join checkout on checkout.merchant_id = commitment.merchant_id and checkout.id = commitment.checkout_id
 where checkout.state in ('PENDING', 'PROCESSING')
   and quote #>> '{settlement,assetId}' <> asset
   and (quote #>> '{settlement,grossUnits}')::numeric > 0
 group by 1, 2, 3;

alter table swap_quote add column spread text not null default '0';
alter table swap       add column spread text not null default '0';
