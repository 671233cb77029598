-- In which country the customer of a checkout was when the checkout was made: reports tell it, and a customer who moves later
-- changes no day that was told. Those of before get theirs in 0107 and 0108; until then the customer's country of the present
-- counts.
--
-- Locks: adds a column without a default, which takes no time. The previous release goes on making checkouts without it: of
-- those the customer's country of the present counts.
alter table checkout add column customer_country text; -- two letters; empty: nobody knew; null: nobody kept it
