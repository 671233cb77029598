-- What people of the role support have kept of payments that were too much: it counts against the account's limit for
-- them, as what they give back and give up does.
--
-- Locks: creates a table only.
create table small_excess (
  merchant_id text not null references merchant,
  checkout_id text not null,
  actor       text not null,
  at          timestamptz not null,
  worth       numeric not null,                  -- when it was kept, in the account's currency of then
  currency    text not null,
  primary key (merchant_id, checkout_id, at)
);
create index small_excess_actor on small_excess (merchant_id, actor, at);
