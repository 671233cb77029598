-- A stranger decides how many payments there are to one checkout, and PostgreSQL's statistics believe that others have as
-- many: with 300,000 crumbs on two heaps it expected 150,000 payments of every checkout, and read the whole table for each
-- look at one. So it is said here how many rows these keys have: about two of a kind, however the sample looks. (An
-- index that is used for too many rows is a little slower than a scan; a scan for two rows is deadly.)
--
-- Locks: each `alter` keeps out other changes of the table's definition, not readers or writers; `analyze` neither.
alter table payment alter column owner_id set (n_distinct = -0.5);
alter table payment alter column target_key set (n_distinct = -0.5);
alter table payment alter column tx_hash set (n_distinct = -0.5);
alter table stray_transfer alter column owner_id set (n_distinct = -0.5);
alter table timeline alter column checkout_id set (n_distinct = -0.2);
analyze payment, stray_transfer, timeline;
