-- What the operator's overview asks, however many checkouts there are: how many are open, what was credited today, which
-- mail was refused, and how many jobs waited during the last day.
--
-- Locks: each `create index` lets nobody write to its table until this migration is done, a few seconds for a million
-- checkouts; reading goes on. The previous release runs on: it writes no samples, and the chart has a gap for so long.

-- Only what is open: a few thousand rows beside millions.
create index checkout_open on checkout (state) where state in ('PENDING', 'PROCESSING');
-- Of all merchants; the index that is there begins with the merchant.
create index ledger_entry_credited on ledger_entry (posted_at)
  where kind in ('settlement', 'settlement_reversed', 'excess_accepted');
create index email_refused on email (ended_at) where outcome = 'refused';

-- The most jobs that waited for a worker, for each quarter of an hour.
create table queue_sample (
  slot    timestamptz primary key,
  waiting integer not null
);
