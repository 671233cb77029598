-- The operator invites an owner only while an account has none. Several links could be made in that time, and each stayed good
-- after the first one was used: such a link is marked, and worth nothing once somebody owns the account.
--
-- Locks: adds a column with a constant default, which takes no time. The previous release makes links without the mark; what
-- it made before counts as before, for the week in which such links end.
alter table one_time_link add column is_first_owner boolean not null default false;
