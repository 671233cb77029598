-- What somebody paid counts for every refund that goes back to their account. So far each was held against the payments
-- that were there when it was asked for, but had to cover all refunds: one that waited for a payment file failed as soon
-- as more was paid and given back too.
--
-- Locks: replaces a function; takes no time. The previous release asks the same function.
create or replace function has_what_it_gives_back(own refund) returns boolean stable language sql as $$
  select own.gives_back is null
      or (select coalesce(sum(units), 0) from payment
           where merchant_id = own.merchant_id and owner_id = own.checkout_id and state in ('CONFIRMED', 'FINAL')
             and coalesce(rest_of, id) in
                 (select unnest(refund.gives_back) from refund
                   where refund.merchant_id = own.merchant_id and refund.checkout_id = own.checkout_id
                     and refund.network = own.network and refund.address = own.address))
         >= (select coalesce(sum(sent_units - came_back_units), 0) from refund
              where merchant_id = own.merchant_id and checkout_id = own.checkout_id and network = own.network
                and address = own.address and place <> 'returned')
$$;
