-- Lists and reports as files that are made in steps and fetched later, by who asked for them and nobody else. The file lies here
-- too, in pieces: processes on several machines share this database and nothing else.
--
-- Locks: creates tables. The previous release does not know them, and leaves their jobs alone.
create table export (
  merchant_id   text not null references merchant,
  id            text not null,
  requested_by  text not null,                   -- an actor: a person or a key
  list          text not null,
  format        text not null,
  asked         jsonb not null,                  -- the filters of the list
  frame         jsonb not null,                  -- as of when, in which language and time zone, for whose eyes
  file_name     text not null,
  state         text not null check (state in ('WAITING', 'MAKING', 'READY', 'DELETED', 'CANCELED', 'FAILED')),
  position      text,                            -- where the next step begins; null: at the beginning
  rows_done     integer not null default 0,
  rows_expected integer,                         -- about; null: not counted yet
  pieces        integer not null default 0,
  bytes         bigint not null default 0,
  requested_at  timestamptz not null,
  ended_at      timestamptz,                     -- ready, canceled or failed
  kept_until    timestamptz,
  primary key (merchant_id, id),
  check ((state in ('WAITING', 'MAKING')) = (ended_at is null)),
  check ((state in ('READY', 'DELETED')) = (kept_until is not null))
);
create index export_newest on export (merchant_id, requested_by, requested_at, id);
-- How many are being made and kept is counted whenever one is asked for.
create index export_alive on export (merchant_id) where state in ('WAITING', 'MAKING', 'READY');

create table export_piece (
  merchant_id text not null,
  export_id   text not null,
  position    integer not null,
  data        bytea not null check (octet_length(data) between 1 and 1048576),
  primary key (merchant_id, export_id, position),
  foreign key (merchant_id, export_id) references export on delete cascade
);
