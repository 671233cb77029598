-- What matches nobody and is too small to be read one by one is taken as the operator's own together (decision 118): so many, which
-- come to so much, with one reason and, once there are two who move money, by two of them, as a single payment is (0150). Which
-- they are is kept with each, because more may come while the second signature is waited for.
--
-- Locks: creates a table; a column without a default, with an index that is empty. The previous release does not know of such an
-- adoption; what was taken it leaves out of its lists, by `assigned_at`.
create table crumb_adoption (
  id           text primary key,
  network      text not null,
  asset        text not null,
  count        integer not null check (count > 0),             -- as was asked for: until it is approved some may find their owners
  units        numeric(78, 0) not null check (units > 0),
  taken_count  integer,
  taken_units  numeric(78, 0),
  reason       text not null check (char_length(reason) between 1 and 200),
  state        text not null check (state in ('AWAITING_APPROVAL', 'APPROVED', 'REFUSED')),
  requested_by text not null,                                  -- an actor
  requested_at timestamptz not null,
  decided_by   text,                                           -- null: nobody else had to
  decided_at   timestamptz,
  check ((state = 'AWAITING_APPROVAL') = (decided_at is null)),
  check ((state = 'APPROVED') = (taken_units is not null) and (taken_count is null) = (taken_units is null))
);
create unique index crumb_adoption_waiting on crumb_adoption (network, asset) where state = 'AWAITING_APPROVAL';

alter table unmatched_payment add column crumb_adoption_id text references crumb_adoption;
create index unmatched_payment_taken_together on unmatched_payment (crumb_adoption_id) where crumb_adoption_id is not null;
