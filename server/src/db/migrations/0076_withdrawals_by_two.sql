-- The operator's own money leaves with the yes of two of the staff, once there are two. A withdrawal is a row from the moment
-- it is asked for; its payout, which has the same id, is made by the one who approves.
--
-- `role_since`: whoever is new to a role that approves waits a day, so that nobody makes a second hand for one withdrawal.
-- `lost_staff`: when somebody who approves was last put out, so that nobody becomes alone for one either.
--
-- Locks: creates tables; adds a column without a default to a table of a few rows. The previous release makes payouts of
-- withdrawals without a row here, and leaves `role_since` empty: then the day somebody joined counts.
create table withdrawal (
  id           text primary key,
  network      text not null,
  asset        text not null,
  units        numeric(78, 0) not null check (units > 0),
  address      text not null,
  memo         text,
  memo_type    text,
  state        text not null check (state in ('AWAITING_APPROVAL', 'APPROVED', 'REFUSED')),
  requested_by text not null,                    -- an actor
  requested_at timestamptz not null,
  decided_by   text,                             -- null: nobody else had to
  decided_at   timestamptz,
  check ((state = 'AWAITING_APPROVAL') = (decided_at is null))
);
create index withdrawal_newest on withdrawal (requested_at, id);
create index withdrawal_waiting on withdrawal (requested_at) where state = 'AWAITING_APPROVAL';

alter table staff add column role_since timestamptz;

create table lost_staff (
  is_only boolean primary key default true check (is_only),
  at      timestamptz not null
);
