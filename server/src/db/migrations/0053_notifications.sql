-- What each person is told by e-mail about an account: how each kind of item is to be told, and what was told.
--
-- Locks: creates tables.
create table notification_choice (
  merchant_id text not null,
  person_id   text not null,
  kind        text not null,                     -- of an item of *Needs you*; what is not here has its usual choice
  choice      text not null check (choice in ('atOnce', 'daily', 'never')),
  primary key (merchant_id, person_id, kind),
  foreign key (merchant_id, person_id) references membership on delete cascade
);

-- One row for each item that somebody was told of, until the item is gone.
create table notification (
  merchant_id text not null,
  person_id   text not null,
  item        text not null,
  told_at     timestamptz not null,
  primary key (merchant_id, person_id, item),
  foreign key (merchant_id, person_id) references membership on delete cascade
);

-- The day, in the account's time zone, of the last summary.
create table notification_digest (
  merchant_id text not null,
  person_id   text not null,
  day         date not null,
  primary key (merchant_id, person_id),
  foreign key (merchant_id, person_id) references membership on delete cascade
);

create table notification_look (
  merchant_id text primary key references merchant,
  looked_at   timestamptz not null
);
