-- What the front door knows: who may frame a merchant's pages, and how often somebody has asked.
--
-- Locks: adds a column with a constant default to a table with a row per merchant, and creates a table; both short.
-- The previous release does not know the column, whose default is what it is meant to be, nor the table.

-- Only on the merchant's own domain: `self` is that domain, everything else is an https origin. Empty: nobody.
alter table brand_domain add column framed_by text[] not null default '{self}'
  check (cardinality(framed_by) <= 10);

-- Token buckets: how many requests of one kind an address or a key may still send. One place for all processes, which
-- take small advances from it. Unlogged, because after a crash of PostgreSQL everybody may begin anew.
create unlogged table rate_bucket (
  id         text primary key,
  tokens     double precision not null,
  granted    double precision not null,   -- to whoever asked last: the statement that asks reads it back
  capacity   double precision not null,
  per_second double precision not null,
  at         timestamptz not null
) with (fillfactor = 70);
