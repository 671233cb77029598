-- What came of each payment link, counted as it happens: a link with a hundred thousand payments is shown, and its places
-- are counted, without reading them. Every move of a checkout of a link adds two rows, which nobody waits for and nobody
-- else writes; they are added up once a minute (`payment-links/fold-tallies`). By state: which states are paid, and which
-- hold a place, is not the business of the database.
--
-- SWEPT is no state of a checkout: nobody chose a way to pay it, and it was swept away.
--
-- Locks: creates a table and indexes; the index and the trigger of `checkout` let nobody write to it until this migration is
-- done, about a second for a million checkouts. The previous release knows none of it and runs on: triggers count.

-- Its page knows no merchant: two links with one id would be one of them at random. First, in the
-- order in which whoever presses a link locks: the link, then checkouts.
drop index payment_link_public;
create unique index payment_link_public on payment_link (id);

create table payment_link_tally (
  id              bigint generated always as identity primary key,
  merchant_id     text not null,
  payment_link_id text not null,                 -- no foreign key: it would wait for who counts the places of the link
  state           text not null,
  checkouts       integer not null,              -- may be negative: those that left the state
  amount          numeric not null               -- their prices, added up
);
create index payment_link_tally_of_link on payment_link_tally (merchant_id, payment_link_id);

create function tally_moved_checkout() returns trigger language plpgsql as $$
begin
  insert into payment_link_tally (merchant_id, payment_link_id, state, checkouts, amount)
  select made.merchant_id, made.payment_link_id, moved.state, moved.checkouts, moved.checkouts * new.total
    from payment_link_checkout made
   cross join (values (old.state, -1), (new.state, 1)) as moved (state, checkouts)
   where made.merchant_id = new.merchant_id and made.checkout_id = new.id;
  return null;
end $$;
create trigger tally_moved_checkout after update of state on checkout for each row
  when (new.origin = 'PAYMENT_LINK' and old.state <> new.state) execute function tally_moved_checkout();

create function tally_linked_checkout() returns trigger language plpgsql as $$
declare
  linked payment_link_checkout := coalesce(new, old);
begin
  insert into payment_link_tally (merchant_id, payment_link_id, state, checkouts, amount)
  select linked.merchant_id, linked.payment_link_id, counted.state, counted.checkouts, counted.checkouts * checkout.total
    from checkout
   cross join lateral (select checkout.state, 1 where tg_op = 'INSERT'
                       union all select checkout.state, -1 where tg_op = 'DELETE'
                       union all select 'SWEPT', 1 where tg_op = 'DELETE') as counted (state, checkouts)
   where checkout.merchant_id = linked.merchant_id and checkout.id = linked.checkout_id;
  return null;
end $$;
create trigger tally_linked_checkout after insert or delete on payment_link_checkout for each row
  execute function tally_linked_checkout();

-- After the triggers, which let nobody move one until this is done: so none is missed.
insert into payment_link_tally (merchant_id, payment_link_id, state, checkouts, amount)
select made.merchant_id, made.payment_link_id, checkout.state, count(*), sum(checkout.total)
  from payment_link_checkout made
  join checkout on checkout.merchant_id = made.merchant_id and checkout.id = made.checkout_id
 group by 1, 2, 3;

-- Those that are swept away when they are old enough.
create index checkout_unchosen on checkout (created_at) where origin = 'PAYMENT_LINK' and state = 'CREATED';
