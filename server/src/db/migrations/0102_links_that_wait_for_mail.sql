-- An invitation, or a link to sign in anew, that goes by e-mail was made when the e-mail was written: until then there was
-- nothing to take back, and a message that was written once more brought back what had been taken back meanwhile. Now the row
-- is there from the moment it is asked for, and whoever writes the e-mail only gives it another token. So it needs a name of
-- its own; and it says when its e-mail was given up.
--
-- Locks: writes the rows of one_time_link anew, which are few, so it takes a moment. The previous release goes on inserting
-- rows: their names are made here. What it still mails as before counts as before.
alter table one_time_link
  add column id text not null default gen_random_uuid()::text,
  add column mail_failed_at timestamptz;
create unique index one_time_link_id on one_time_link (id);
