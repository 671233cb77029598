-- What each closed day was, signed and chained, so that nobody can change the past unnoticed: neither the service nor who has
-- its database. Rows are only ever added.
--
-- Locks: creates tables only. The previous release does not know them.

-- The key that signs. The private half is encrypted under the master key, like every secret.
create table statement_key (
  id         text primary key,
  public_key bytea not null,                     -- SubjectPublicKeyInfo
  sealed     bytea not null,
  made_at    timestamptz not null
);

create table daily_statement (
  merchant_id  text not null,
  number       integer not null,                 -- counted from one, without a gap
  day          date not null,
  covered_to   timestamptz not null,             -- the next one begins here
  body         text not null,                    -- what is signed, to the letter
  digest       text not null,                    -- SHA-256 of it, which the next one names
  key_id       text not null references statement_key,
  signature    text not null,
  made_at      timestamptz not null,
  primary key (merchant_id, number),
  constraint daily_statement_once unique (merchant_id, day)
);

create function refuse_change_of_statement() returns trigger language plpgsql as $$
begin
  raise exception 'signed statements are only ever added to';
end $$;
create trigger daily_statement_append_only before update or delete or truncate on daily_statement
  for each statement execute function refuse_change_of_statement();
create trigger statement_key_append_only before update or delete or truncate on statement_key
  for each statement execute function refuse_change_of_statement();
