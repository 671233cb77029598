-- An entry of the ledger says what it is about: a subject, by its kind and id (decision 38). `checkout_id` said so only of
-- some, and not whether it was a checkout, a deposit, a transfer or a swap.
--
-- The previous release goes on writing `checkout_id` and knows no subjects: while it runs, a trigger finds out for it what
-- its entries are about. It does not see in `checkout show` what this release posts. The column, its index, the trigger and
-- the function go when no process writes the column any more.
--
-- Locks: posting waits while the index is built, for one scan of the entries: none has a subject yet, so nothing is
-- sorted. The entries that are there get their subjects in 0039, while posting goes on.
alter table ledger_entry
  add column subject_kind text,
  add column subject_id   text,
  add constraint ledger_entry_has_subject check (subject_kind is not null and subject_id is not null) not valid;
create index ledger_entry_subject on ledger_entry (subject_id, subject_kind) where subject_id is not null;

-- What an entry that does not say so is about. The references are those of the code that posted them.
create function ledger_subject_of(entry ledger_entry, out subject_kind text, out subject_id text) language plpgsql stable as $$
begin
  subject_kind := case
    when entry.kind like 'transfer\_%' then 'transfer'
    when entry.kind like 'swap%' then 'swap'
    when entry.kind in ('refund_held', 'refund_sent', 'refund_returned') then 'refund'
    when entry.kind like 'withdrawal\_%' then 'withdrawal'
    when entry.kind like 'funding\_%' then 'funding'
    when entry.kind like 'bridge\_%' then 'bridge_payout'
    when entry.kind in ('unmatched_received', 'unmatched_returned') then 'unmatched_payment'
    when entry.kind in ('opening_balance', 'difference_adopted') then 'holding'
    when entry.kind like 'network\_fee%' or entry.kind like 'token\_fee%' then 'outgoing_transaction'
    when entry.kind like 'deposit\_%' then 'deposit'
    when entry.kind = 'exchange' then
      coalesce((select purpose from venue_order where 'exchange:' || id = entry.reference), 'checkout')
    when exists (select from deposit where merchant_id = entry.merchant_id and id = entry.checkout_id) then 'deposit'
    else 'checkout'
  end;
  subject_id := coalesce(
    case subject_kind
      when 'refund' then split_part(entry.reference, ':', 2)             -- refund:<id>:sent
      when 'withdrawal' then split_part(entry.reference, ':', 2)         -- withdrawal:<id>:sent
      when 'funding' then split_part(entry.reference, ':', 2)            -- payment:<id>:<generation>
      when 'bridge_payout' then entry.reference
      when 'holding' then                                                -- opening/<network>/<asset>
        split_part(entry.reference, '/', 2) || '/' || split_part(entry.reference, '/', 3)
      when 'outgoing_transaction' then                                   -- network-fee/<network>/<hash>/1/reversed
        split_part(entry.reference, '/', 2) || '/' || split_part(entry.reference, '/', 3)
      when 'unmatched_payment' then
        case entry.kind
          when 'unmatched_returned' then split_part(entry.reference, '/', 2)  -- unmatched/<id>/returned
          else (select id from unmatched_payment                              -- unmatched/<network>/<hash>/<index>
                 where network = split_part(entry.reference, '/', 2) and tx_hash = split_part(entry.reference, '/', 3)
                   and 'unmatched/' || network || '/' || tx_hash || '/' || tx_index = entry.reference)
        end
      else entry.checkout_id
    end,
    entry.reference); -- Never seen, but an upgrade must not stop at it.
end $$;

create function ledger_entry_find_subject() returns trigger language plpgsql as $$
begin
  select about.subject_kind, about.subject_id into new.subject_kind, new.subject_id from ledger_subject_of(new) as about;
  return new;
end $$;
create trigger ledger_entry_find_subject before insert on ledger_entry
  for each row when (new.subject_kind is null) execute function ledger_entry_find_subject();
