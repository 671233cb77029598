-- Somebody of the staff looks at an account for a while, without belonging to it. It is the session that looks, so it ends
-- with the session, and in no other browser.
--
-- Locks: adds columns without a default; takes no time. The previous release does not know them: to it nobody looks.
alter table session
  add column looks_at text references merchant,
  add column looks_until timestamptz,
  add constraint session_looks check ((looks_at is null) = (looks_until is null));
