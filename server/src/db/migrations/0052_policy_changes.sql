-- Changes of limits, of the list of addresses, and of who approves: where somebody else may approve, they wait for that
-- person.
--
-- Locks: creates a table.
create table policy_change (
  merchant_id  text not null references merchant,
  id           text not null,
  change       jsonb not null,                   -- what shall be done, as it was asked for
  state        text not null check (state in ('WAITING', 'APPROVED', 'REFUSED', 'WITHDRAWN')),
  requested_by text not null references person,
  requested_at timestamptz not null,
  decided_by   text references person,
  decided_at   timestamptz,
  primary key (merchant_id, id),
  check ((state = 'WAITING') = (decided_at is null)),
  check (state <> 'APPROVED' or decided_by <> requested_by)
);
create index policy_change_waiting on policy_change (merchant_id, requested_at) where state = 'WAITING';
