-- What nobody asked for goes back with the yes of two of the staff, once there are two, as withdrawals do (0076). An order to
-- send it back is a row from the moment it is asked for; its payout, which has the same id, is made when it is let go.
--
-- A table of its own, and not a kind of withdrawal: the previous release would send the operator's own money for it.
--
-- Locks: creates a table. The previous release sends back without a row here, as before.
create table unmatched_return (
  id           text primary key,
  unmatched_id text not null references unmatched_payment,
  address      text not null,
  memo         text,
  memo_type    text,
  units        numeric(78, 0) not null check (units > 0),      -- what is sent
  fee_units    numeric(78, 0) not null check (fee_units >= 0), -- what is kept back
  state        text not null check (state in ('AWAITING_APPROVAL', 'APPROVED', 'REFUSED')),
  requested_by text not null,                                  -- an actor
  requested_at timestamptz not null,
  decided_by   text,                                           -- null: nobody else had to
  decided_at   timestamptz,
  check ((state = 'AWAITING_APPROVAL') = (decided_at is null))
);
create unique index unmatched_return_waiting on unmatched_return (unmatched_id) where state = 'AWAITING_APPROVAL';
