-- What may leave an account depends on how deep the payments are that brought it, by the sum of them.
--
-- Locks: adds columns without defaults, in no time. The index is built while payments wait to be stored, once over the
-- table; it holds only what is not final, so it stays small however old the service grows.

-- What the network itself called safe and final at that tip. Null while the previous release writes: the depth decides.
alter table network_cursor
  add column safe_height  bigint,
  add column final_height bigint;

-- What a reorganisation could still take away, by whose it is.
create index payment_undoable on payment (merchant_id, owner_id) where state in ('SEEN', 'CONFIRMED');
