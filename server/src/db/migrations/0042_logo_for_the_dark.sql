-- A second logo, for dark screens, and whether the shop's name is left out beside a logo that is the name already.
--
-- Locks: adds columns, one with a constant default, to a table with one row per merchant; short.
-- The previous release does not know the columns, and what it saves about a brand leaves them as they are. But when it
-- changes a brand, it deletes the file that only logo_dark names: finish the deployment before setting such a logo.
alter table brand
  add column logo_dark text,                                -- name of a row in brand_file
  add column is_name_hidden boolean not null default false;
