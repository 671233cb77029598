-- The entries that were there before 0035 get their subjects.
--
-- The ledger refuses changes, and goes on refusing everybody else's: what this transaction makes of the function that
-- refuses, only this transaction sees.
--
-- Locks: none that keeps anybody from reading or posting, however long it takes; the rows that it changes are changed by
-- nobody else. Every entry is written anew once, so the table needs its own size in addition until it is vacuumed.
create or replace function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  return null;
end $$;

update ledger_entry
   set (subject_kind, subject_id) = (select about.subject_kind, about.subject_id from ledger_subject_of(ledger_entry) as about)
 where subject_kind is null;

create or replace function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only: post the opposite entry instead' using errcode = 'check_violation';
end $$;

alter table ledger_entry validate constraint ledger_entry_has_subject;
analyze ledger_entry;
