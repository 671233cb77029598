-- Payment files: what the operator's bank is asked to pay. A file is written once, with the orders in it (transactions whose trace names
-- the file), and never changes: who signs it must sign what was written. PostgreSQL itself sees to that, and to its not going away.
-- What changes is how far it is: made, downloaded, void.
--
-- Its bytes are in pieces, encrypted, because they name who is paid; they go after the time for which files of banks are kept, and
-- not before all of its orders have ended.
--
-- An order to make one comes by the command line, which has only the database, as with `bank_order`.
--
-- Locks: creates tables only. The previous release does not know them.
create table payment_file (
  id            text primary key,
  network       text not null,
  file_name     text not null,
  media_type    text not null,
  digest        text not null,                   -- SHA-256 of its bytes
  order_count   integer not null check (order_count > 0),
  asset_code    text not null,                   -- units are of this scale, which is the network's
  scale         integer not null,
  units         numeric(78, 0) not null check (units > 0),
  made_by       text not null,                   -- an actor
  made_at       timestamptz not null,
  state         text not null check (state in ('MADE', 'DOWNLOADED', 'VOID_DECLARED', 'VOID')),
  downloads     integer not null default 0,
  downloaded_at timestamptz,                     -- for the first time
  void_by       text,
  void_at       timestamptz,
  check ((state = 'MADE') <= (downloads = 0 and downloaded_at is null)),
  check ((state in ('DOWNLOADED', 'VOID_DECLARED')) <= (downloads > 0 and downloaded_at is not null)),
  check ((state in ('VOID_DECLARED', 'VOID')) = (void_at is not null and void_by is not null))
);
create index payment_file_newest on payment_file (network, made_at, id);

create table payment_file_piece (
  file_id text not null references payment_file,
  number  integer not null check (number > 0),
  sealed  bytea not null,
  primary key (file_id, number)
);

create table payment_file_order (
  id           text primary key,
  network      text,                             -- null: the only one there is
  requested_at timestamptz not null,
  outcome      json                              -- null: nobody has looked at it yet
);

create function refuse_change_of_payment_file() returns trigger language plpgsql as $$
begin
  raise exception 'a payment file is never changed: somebody may have signed it' using errcode = 'check_violation';
end $$;
create trigger payment_file_never_goes before delete or truncate on payment_file
  for each statement execute function refuse_change_of_payment_file();
create trigger payment_file_is_as_written before update on payment_file
  for each row when ((old.id, old.network, old.file_name, old.media_type, old.digest, old.order_count, old.asset_code, old.scale,
                      old.units, old.made_by, old.made_at)
                     is distinct from
                     (new.id, new.network, new.file_name, new.media_type, new.digest, new.order_count, new.asset_code, new.scale,
                      new.units, new.made_by, new.made_at)
                     or new.downloads < old.downloads)
  execute function refuse_change_of_payment_file();
create trigger payment_file_piece_is_as_written before update on payment_file_piece
  for each statement execute function refuse_change_of_payment_file();
