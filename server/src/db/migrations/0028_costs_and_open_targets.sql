-- What sending may cost at most, and what an attempt did cost: a transaction never costs more than was set aside for what
-- it carries, and whoever asked for a transfer that failed pays what the network took for it.
--
-- `held_fee_units` are in the asset in which the network takes its fees, `cost_units` of an outgoing transfer likewise;
-- those of a transfer and a refund are in the asset that was to be sent. Null: asked for before this, or by the
-- operator, and bounded by the operator's own limits only.
--
-- And what a merchant no longer expects anything at: open deposits are counted and looked at, closed ones are not.
--
-- Locks: adds columns with a constant default or none; short.
alter table outgoing_transfer
  add column held_fee_units numeric(78, 0),
  add column cost_units     numeric(78, 0) not null default 0;
alter table transfer
  add column held_fee_units numeric(78, 0),
  add column cost_units     numeric(78, 0) not null default 0;
alter table refund
  add column held_fee_units numeric(78, 0),
  add column cost_units     numeric(78, 0) not null default 0;
alter table deposit
  add column closed_at timestamptz;
