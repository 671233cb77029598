-- When an account last lost somebody who could approve: removed, given a lesser role, or without a passkey since. For a
-- while after that nobody who is left alone there changes limits or who approves.
--
-- Locks: creates a table.
create table lost_approver (
  merchant_id text primary key references merchant,
  at          timestamptz not null
);
