-- A block may be given up after a transaction in it was booked, and another version with another fee be mined instead, or
-- the same one at another price. The entry of its cost is then taken back and posted again: each time under a reference
-- of its own.
--
-- Locks: adds a column with a constant default; short.
alter table outgoing_transaction
  add column rebookings integer not null default 0;   -- how often its cost was booked and taken back
