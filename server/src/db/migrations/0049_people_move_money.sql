-- People ask for transfers, swaps and deposit addresses, where only keys did so far.
--
-- Locks: columns are added and others may be empty now, short and without a rewrite; checks are not held against rows
-- that are there. The previous release shows a transfer without a key as made by nobody, and otherwise reads all three as
-- any other: the key only signs webhooks.

-- Who asked. Of what was asked for before this, and of what the previous release still writes, the key says who it was.
-- Nobody approves an order of their own, not even at a process of the previous release, which does not know this column.
alter table transfer
  alter column api_key drop not null,
  add column requested_by text,                  -- an actor
  add column canceled_by text,                   -- an actor; null also of what was cancelled before this
  add constraint transfer_has_asker check (api_key is not null or requested_by is not null) not valid,
  add constraint transfer_approved_by_another
    check (approved_by is null or requested_by is null or approved_by <> requested_by) not valid,
  add constraint transfer_webhook_is_signed check (api_key is not null or webhook is null) not valid;

alter table swap
  alter column api_key drop not null,
  add column requested_by text,                  -- an actor
  add constraint swap_has_asker check (api_key is not null or requested_by is not null) not valid,
  add constraint swap_webhook_is_signed check (api_key is not null or webhook is null) not valid;

-- A deposit address that a person made has no key. Who it was is in the audit log.
alter table deposit
  alter column api_key drop not null,
  add constraint deposit_webhook_is_signed check (api_key is not null or webhook is null) not valid;
