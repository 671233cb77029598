-- The double-entry ledger. An entry is a business event; its lines move units between accounts and add up to zero
-- for each asset. Positive units go into an account. What we owe a merchant is positive; what we hold on a chain is
-- the other side and therefore negative: the sum over all accounts of an asset is always zero.
--
-- Money must not be able to appear even through a hand-typed insert at two in the morning, so the schema defends the
-- rules too: unbalanced lines, changed rows and a negative `available` are refused by PostgreSQL itself.
--
-- The balance check is a statement trigger over the inserted lines, not a deferred row trigger: an entry's lines
-- always arrive in one statement, so this is stricter (nothing is unbalanced even inside a transaction), and it costs
-- one aggregate for a whole batch of entries instead of one per line.
--
-- Locks: creates tables only.
create table ledger_account (
  id              text primary key,
  asset           text not null,
  balance         numeric(78, 0) not null default 0,
  may_be_negative boolean not null
);
create index ledger_account_asset on ledger_account (asset);

-- A trigger and not a check: `insert … on conflict do update` tests a check against the proposed row, which for a
-- withdrawal is a negative number, before it finds the account that covers it.
create function ledger_account_overdrawn() returns trigger language plpgsql as $$
begin
  raise exception 'ledger account % would be overdrawn to %', new.id, new.balance
    using errcode = 'check_violation', constraint = 'ledger_account_not_overdrawn';
end $$;
create trigger ledger_account_not_overdrawn after insert or update on ledger_account
  for each row when (new.balance < 0 and not new.may_be_negative) execute function ledger_account_overdrawn();

create table ledger_entry (
  reference   text primary key,         -- makes posting idempotent: one business event, one entry
  kind        text not null,
  merchant_id text,
  checkout_id text,
  posted_at   timestamptz not null
);
create index ledger_entry_checkout on ledger_entry (checkout_id) where checkout_id is not null;

create table ledger_line (
  reference  text not null references ledger_entry,
  account_id text not null references ledger_account,
  units      numeric(78, 0) not null check (units <> 0),   -- 78 digits hold a uint256
  primary key (reference, account_id)
);
create index ledger_line_account on ledger_line (account_id);

create function ledger_lines_balance() returns trigger language plpgsql as $$
declare
  unbalanced text;
begin
  select line.reference into unbalanced
    from inserted line join ledger_account account on account.id = line.account_id
   group by line.reference, account.asset
  having sum(line.units) <> 0
   limit 1;
  if unbalanced is not null then
    raise exception 'ledger entry % does not balance per asset', unbalanced using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger ledger_lines_balance after insert on ledger_line
  referencing new table as inserted for each statement execute function ledger_lines_balance();

create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only: post the opposite entry instead' using errcode = 'check_violation';
end $$;
create trigger ledger_entry_append_only before update or delete or truncate on ledger_entry
  for each statement execute function ledger_is_append_only();
create trigger ledger_line_append_only before update or delete or truncate on ledger_line
  for each statement execute function ledger_is_append_only();
create trigger ledger_account_kept before delete or truncate on ledger_account
  for each statement execute function ledger_is_append_only();
