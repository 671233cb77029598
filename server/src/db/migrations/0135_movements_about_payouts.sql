-- A bank books something that names a payment of ours, but with another amount, a second time, or after its file was given up.
-- Until a person has explained it, that payment is not made again, taken back or refused: it may have been paid.
--
-- Locks: adds a column with a constant default, and a function; takes no time. The previous release does neither ask nor tell,
-- and goes on as before: payment files are made when every process has been updated.
alter table network_movement add column about text[] not null default '{}';   -- ids of payouts that the network named

create function is_in_doubt(payout outgoing_transfer) returns boolean stable language sql as $$
  select exists (select from network_movement as movement
                  where movement.network = payout.network and movement.open_units <> 0 and movement.about @> array[payout.id])
$$;
