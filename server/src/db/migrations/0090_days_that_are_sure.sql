-- What the days of statements were made for, so that no other release leaves values of another currency among them; about
-- what the movements of a day were, so that the totals of a list are sums of days too; and when it is the turn of an account,
-- so that accounts whose days cannot be made or signed do not stand in the way of others.
--
-- Locks: short ones on tables that no release but this one writes, and columns without a default on day_position. The previous
-- release does not know them: what it makes for other settings, or makes anew, this release makes again.
alter table day_position
  add column statement_time_zone text,
  add column statement_currency  text,
  add column is_behind           boolean;        -- some closed days are yet to be made

delete from statement_day; -- Made anew by itself: no account has the columns above.
alter table statement_day
  add column subject text not null,              -- the kind of what it was about: a checkout, a transfer …
  drop constraint statement_day_pkey,
  add primary key (merchant_id, day, asset, line, subject);

-- Of an account without a row it is the turn at once.
create table day_turn (
  merchant_id    text primary key,
  fold_at        timestamptz,                    -- not before: the last attempt to make its days failed
  sign_due_at    timestamptz,                    -- its next day is closed
  sign_at        timestamptz,                    -- the same, or later: the last attempt to sign it failed
  sign_time_zone text                            -- in which it is closed then
);

-- A signed day now also says when it was made, by which key the next one is signed, and what it corrects. No release has signed
-- one in the earlier form: those that are there are signed anew. From here on rows are only ever added.
alter table daily_statement disable trigger daily_statement_append_only;
delete from daily_statement;
alter table daily_statement enable trigger daily_statement_append_only;
