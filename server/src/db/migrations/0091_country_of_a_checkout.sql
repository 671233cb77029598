-- In which country the customer of a checkout was when the checkout was made: reports tell it, and a customer who moves later
-- changes no day that was told. Earlier checkouts get the country that is known now; nobody kept the one of then.
--
-- Locks: adds a column without a default, which takes no time; then the rows of checkouts that name a customer, until all of
-- them are written (about a minute for a million). The previous release goes on making checkouts without it: of those the
-- customer's country of the present counts.
alter table checkout add column customer_country text; -- two letters; empty: nobody knew; null: nobody kept it

update checkout set customer_country = coalesce(customer.fields ->> 'countrycode', '')
  from customer
 where customer.merchant_id = checkout.merchant_id and customer.id = checkout.customer_id;
