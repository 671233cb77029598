-- The country of checkouts of before that have ended: that which is known now; nobody kept the one of then.
--
-- Locks: rows that hardly anybody changes any more, until all of them are written (about a minute for a million, estimated).
update checkout set customer_country = coalesce(customer.fields ->> 'countrycode', '')
  from customer
 where customer.merchant_id = checkout.merchant_id and customer.id = checkout.customer_id and customer_country is null
   and checkout.state not in ('PENDING', 'PROCESSING');
