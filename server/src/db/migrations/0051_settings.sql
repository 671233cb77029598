-- What an account can decide about itself beyond what it could so far.
--
-- Locks: adds columns with constant defaults to a table with one row per merchant; short. The previous release does not
-- know them: what is left out of a charge is ORIGIN for it, which is the default, and the rest only narrows.
alter table merchant
  add column settlement_asset text not null default 'ORIGIN',         -- credited where a charge does not say
  -- What the account is credited in at most. Assets of HIGH risk are named one by one, in high_risk_assets.
  add column risk_tolerance text not null default 'MEDIUM' check (risk_tolerance in ('LOW', 'MEDIUM')),
  add column preferred_auth text not null default 'digest' check (preferred_auth in ('digest', 'basic')),
  add column is_address_list_for_people boolean not null default false,
  -- In the account currency. Nothing above it leaves within 24 hours, whoever approves; null: no such limit.
  add column daily_limit numeric check (daily_limit >= 0),
  -- What people of the role support decide about; null: nothing.
  add column support_limit numeric check (support_limit >= 0);
