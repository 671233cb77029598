-- What each of the operator's staff is told by e-mail about the house, as `notification` and its like say it of an account,
-- whose rows belong to a membership, which staff need not have.
--
-- Locks: creates tables.
create table staff_notification_choice (
  person_id text not null references staff on delete cascade,
  kind      text not null,                       -- of an item of the operator's *Needs you*
  choice    text not null check (choice in ('atOnce', 'daily', 'never')),
  chosen_at timestamptz,                         -- null: it was never another one, as far as anybody knows
  primary key (person_id, kind)
);

-- One row for each item that somebody was told of, until the item is gone.
create table staff_notification (
  person_id text not null references staff on delete cascade,
  item      text not null,
  told_at   timestamptz not null,
  primary key (person_id, item)
);

-- The day, in UTC, of the last summary.
create table staff_digest (
  person_id text primary key references staff on delete cascade,
  day       date not null
);
