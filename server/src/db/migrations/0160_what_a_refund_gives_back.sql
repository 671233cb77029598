-- A refund by bank goes to the account that paid. Between the order and the payment file days pass, in which the bank may take that payment
-- back and somebody else may pay the same checkout: then it would go out of their money. So the payments that it gives back are kept
-- with it, and it leaves only as far as they stand.
--
-- Locks: adds a column without a default, a function, and replaces one; takes no time. The previous release does not write the
-- column, and what it is asked for is sent as before.
alter table refund
  add column gives_back text[];  -- ids of payments, as they came; null: it is bound to none

create function has_what_it_gives_back(own refund) returns boolean stable language sql as $$
  select own.gives_back is null
      or (select coalesce(sum(units), 0) from payment
           where merchant_id = own.merchant_id and owner_id = own.checkout_id and state in ('CONFIRMED', 'FINAL')
             and coalesce(rest_of, id) = any(own.gives_back))
         >= (select coalesce(sum(sent_units - came_back_units), 0) from refund
              where merchant_id = own.merchant_id and checkout_id = own.checkout_id and network = own.network
                and address = own.address and place <> 'returned')
$$;

create or replace function is_paid(transfer outgoing_transfer) returns boolean stable language sql as $$
  select transfer.purpose <> 'refund' or (
    -- The payments that it takes from are confirmed, and those behind what was credited for what it covers.
    not exists (select from refund
                  join payment on payment.merchant_id = refund.merchant_id and payment.owner_id = refund.checkout_id
                 where refund.merchant_id = transfer.merchant_id and refund.id = transfer.id
                   and payment.state not in ('CONFIRMED', 'FINAL')
                   and (refund.takes @> jsonb_build_array(jsonb_build_object('paymentId', payment.id))
                        or (payment.place = 'settled' and refund.covers @> jsonb_build_array(
                              jsonb_build_object('commitmentId', payment.commitment_id)))))
    -- And of what it covers, no more is given back than was credited.
    and not exists (select from refund own, jsonb_array_elements(own.covers) as covered
                     where own.merchant_id = transfer.merchant_id and own.id = transfer.id
                       and (select coalesce(sum(div((cover ->> 'units')::numeric * (refund.sent_units - refund.came_back_units),
                                                    refund.sent_units)), 0)
                              from refund, jsonb_array_elements(refund.covers) as cover
                             where refund.merchant_id = own.merchant_id and refund.checkout_id = own.checkout_id
                               and refund.place <> 'returned'
                               and cover ->> 'commitmentId' = covered ->> 'commitmentId')
                         > (select coalesce(sum((part ->> 'countedUnits')::numeric), 0)
                              from settlement, jsonb_array_elements(settlement.parts) as part
                             where settlement.merchant_id = own.merchant_id
                               and settlement.checkout_id = own.checkout_id and settlement.reversed_at is null
                               and part ->> 'commitmentId' = covered ->> 'commitmentId'))
    -- And to the account of who paid goes no more than stands of what came from there.
    and not exists (select from refund own
                     where own.merchant_id = transfer.merchant_id and own.id = transfer.id
                       and not has_what_it_gives_back(own))
  )
$$;
