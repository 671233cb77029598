-- A settlement that is converted at the rate of an arrival or an acceptance may have to wait for a venue. The rates of
-- its first attempt are kept with the checkout until it is settled.
--
-- Locks: adds a column with a constant default, which rewrites nothing.
alter table checkout add column kept_rates jsonb not null default '[]';
