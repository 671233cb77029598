-- Which open movements name a payout is asked for each payout that waits, whenever payouts are signed or shown: with an account's
-- history in suspense, thousands of movements were read for each. And whether a statement is known by its content is asked at
-- each import, of all documents there are.
--
-- Locks: the indexes let nobody write to network_movement and bank_document until they are made, less than a second for a
-- hundred thousand rows of each. The previous release runs on, and is faster too.
create index network_movement_about on network_movement using gin (about) with (fastupdate = off)
 where open_units <> 0 and about <> '{}';
create index bank_document_content on bank_document (network, (told ->> 'content'));

-- Counted and not `exists`, for which PostgreSQL reads movements one by one, as if the first ones were it.
create or replace function is_in_doubt(payout outgoing_transfer) returns boolean stable language sql as $$
  select count(*) > 0 from network_movement as movement
   where movement.network = payout.network and movement.open_units <> 0 and movement.about <> '{}'
     and movement.about @> array[payout.id]
$$;
