-- Open pages of an account look once a second whether anything happened in it: the newest events of a merchant must be
-- one look into an index.
--
-- Locks: nobody writes events while the index is built, about a second per million of them.
create index event_newest on event (merchant_id, sequence);
