-- What banks tell, as it was accepted: files that somebody brought, the documents in them, and what each document says booking
-- by booking. A document is for its network what a block is for a chain: it has a position, 1, 2, 3 … without gaps, and
-- is accepted for good. PostgreSQL itself sees to both, because payments were credited for what is in them.
--
-- Of a file only the bytes go, after the time for which they are kept: they are in `bank_file_piece`, encrypted.
--
-- A record belongs to a document that is stored after it, when its records are counted: so that key is checked at the end.
--
-- Locks: creates tables only. The previous release does not know them.
create table bank_file (
  id          text primary key,
  network     text not null,
  file_name   text not null,                     -- as whoever brought it calls it
  digest      text not null,                     -- SHA-256 of its bytes
  byte_count  bigint not null,
  brought_by  text not null,                     -- an actor
  way         text not null check (way in ('COMMAND', 'FOLDER', 'UPLOAD')),
  accepted_at timestamptz not null
);
create index bank_file_age on bank_file (accepted_at, id);

create table bank_file_piece (
  file_id text not null references bank_file,
  number  integer not null check (number > 0),
  sealed  bytea not null,
  primary key (file_id, number)
);

create table bank_document (
  network       text not null,
  position      bigint not null,
  digest        text not null,                   -- of its own bytes, which may be a part of the file
  name          text not null,
  kind          text not null,
  document_time timestamptz not null,
  told          json not null,                   -- only the connector understands it
  file_id       text not null references bank_file,
  record_count  integer not null,
  kinds         json not null,                   -- how many records of each kind there are, and what they come to: for people
  asset_code    text not null,                   -- of the account; all units of the document and its records are of this scale
  scale         integer not null,
  closing_units numeric(78, 0),
  primary key (network, position),
  constraint bank_document_digest unique (network, digest),
  constraint bank_document_name unique (network, name)
);
create index bank_document_newest on bank_document (network, kind, position);

create table bank_record (
  network  text not null,
  position bigint not null,
  number   integer not null check (number > 0),
  identity text not null,
  likeness text,
  kind     text not null,
  units    numeric(78, 0) not null,
  note     text,
  told     json not null,
  primary key (network, position, number),
  constraint bank_record_identity unique (network, identity),
  foreign key (network, position) references bank_document deferrable initially deferred
);
create index bank_record_likeness on bank_record (network, likeness) where likeness is not null;

create function refuse_change_of_bank_document() returns trigger language plpgsql as $$
begin
  raise exception 'what a bank told is never changed: payments were credited for it' using errcode = 'check_violation';
end $$;
create trigger bank_file_append_only before update or delete or truncate on bank_file
  for each statement execute function refuse_change_of_bank_document();
create trigger bank_document_append_only before update or delete or truncate on bank_document
  for each statement execute function refuse_change_of_bank_document();
create trigger bank_record_append_only before update or delete or truncate on bank_record
  for each statement execute function refuse_change_of_bank_document();

create function demand_next_bank_document() returns trigger language plpgsql as $$
begin
  if new.position <= 1 + coalesce((select max(position) from bank_document where network = new.network), 0)
     and new.position > 0 then return new; end if;
  raise exception 'a document has the next position' using errcode = 'check_violation';
end $$;
create trigger bank_document_without_gaps before insert on bank_document
  for each row execute function demand_next_bank_document();
