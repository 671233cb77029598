-- A customer who is deleted loses what was known about them once nothing needs it any more; `erased_at` says since when. What
-- was issued stays as it is: the law asks for it. Those who were deleted before are looked at by jobs: not at once, because
-- invoices of theirs may be issued then, and shops shall have time to say how their numbers begin and what their VAT id is. One after the other.
--
-- By itself: whoever works with checkouts reads customers, and the other way round, so one transaction that locks both tables
-- could wait for ever for somebody who waits for it.
--
-- Locks: customer, without a rewrite, until the index is built: about a second for a million. The previous release does not know them;
-- whom it deletes is found every hour.
alter table customer add column erased_at timestamptz;
create index customer_to_erase on customer (deleted_at) where deleted_at is not null and erased_at is null;

insert into job (name, payload, run_at)
select 'customer.erase', jsonb_build_object('merchantId', merchant_id, 'customerId', id),
       now() + interval '14 days' + row_number() over (order by deleted_at) * interval '2 seconds'
  from customer where deleted_at is not null;
