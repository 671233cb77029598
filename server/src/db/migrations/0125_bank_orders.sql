-- Files of banks that somebody brings by the command line, which has only the database: the running service, which knows the
-- networks, reads them and says what became of them. Then the bytes go from here, and a day later the rest.
--
-- Locks: creates tables only. The previous release does not know them.
create table bank_order (
  id           text primary key,
  network      text,                             -- null: the only one there is
  file_name    text not null,
  requested_at timestamptz not null,
  outcome      json                              -- null: nobody has looked at it yet
);

create table bank_order_piece (
  order_id text not null references bank_order on delete cascade,
  number   integer not null check (number > 0),
  sealed   bytea not null,
  primary key (order_id, number)
);
