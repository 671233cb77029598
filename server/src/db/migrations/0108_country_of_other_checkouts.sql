-- Likewise of those that have not ended.
--
-- Locks: the rows of open checkouts that name a customer, few and short.
update checkout set customer_country = coalesce(customer.fields ->> 'countrycode', '')
  from customer
 where customer.merchant_id = checkout.merchant_id and customer.id = checkout.customer_id and customer_country is null;
