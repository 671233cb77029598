-- An account without an IBAN is a number, which its bank has given it: another bank may have given the same one to somebody else. What
-- came from there counted for a refund that goes here, so it could leave out of somebody else's payment once its own was taken back.
--
-- Locks: a function, and replaces one; takes no time. The previous release asks the same function.
create function is_same_account(one refund, other refund) returns boolean immutable language sql as $$
  select one.network = other.network and one.address = other.address
     and (one.address ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,}$' -- an IBAN names its bank
          or upper(left(one.holder ->> 'bic', 8)) is not distinct from upper(left(other.holder ->> 'bic', 8)))
$$;

create or replace function has_what_it_gives_back(own refund) returns boolean stable language sql as $$
  select own.gives_back is null
      or (select coalesce(sum(units), 0) from payment
           where merchant_id = own.merchant_id and owner_id = own.checkout_id and state in ('CONFIRMED', 'FINAL')
             and coalesce(rest_of, id) in
                 (select unnest(refund.gives_back) from refund
                   where refund.merchant_id = own.merchant_id and refund.checkout_id = own.checkout_id
                     and is_same_account(own, refund)))
         >= (select coalesce(sum(sent_units - came_back_units), 0) from refund
              where merchant_id = own.merchant_id and checkout_id = own.checkout_id and place <> 'returned'
                and is_same_account(own, refund))
$$;
